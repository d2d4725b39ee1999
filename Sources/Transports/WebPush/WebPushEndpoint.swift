import Foundation
import Model
import PushHTTP

/// The address of a subscription, validated before any request: it comes from a client, and the
/// server would post to whatever host it names.
package struct WebPushEndpoint: Sendable, Hashable {
    package var host: String
    package var port: Int
    /// Path and query: a secret, never logged.
    package var path: String

    /// Scheme, host and port, as VAPID identifies the service.
    package var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? "https://\(name)" : "https://\(name):\(port)"
    }

    package init(
        _ text: String,
        policy: WebPushEndpointPolicy
    ) throws(WebPushSubscriptionError) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            let parts = URLComponents(string: text), let host = parts.host?.lowercased(),
            !host.isEmpty
        else { throw .badEndpoint("it is not a URL") }
        guard parts.scheme?.lowercased() == "https" else {
            throw .badEndpoint("only https is allowed")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .badEndpoint("it carries a user name")
        }
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        port = parts.port ?? 443
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        path = (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath) + query
        if policy.simulators[origin] != nil { return }
        guard port == 443 else { throw .badEndpoint("only port 443 is allowed") }
        guard IPAddress(self.host) == nil else {
            throw .badEndpoint("it names an address instead of a host")
        }
        guard policy.allows(self.host) else {
            throw .badEndpoint("\(self.host) is not an allowed push service")
        }
    }
}

/// The push services to which the server may post.
package struct WebPushEndpointPolicy: Sendable {
    /// Host names; a leading `*.` stands for any names below.
    package var allowedHosts: [String]
    /// Origins of simulators, with the authority to trust for each. They may be on this machine.
    package var simulators: [String: TrustRoots]

    package init(
        allowedHosts: [String] = browsers,
        simulators: [String: TrustRoots] = [:]
    ) {
        self.allowedHosts = allowedHosts
        self.simulators = simulators
    }

    /// The services of Chrome, Firefox, Safari and Edge.
    package static let browsers = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com",
        "*.push.apple.com", "*.notify.windows.com",
    ]

    func allows(_ host: String) -> Bool {
        allowedHosts.contains { pattern in
            pattern.hasPrefix("*.")
                ? host.hasSuffix(pattern.dropFirst()) : host == pattern.lowercased()
        }
    }
}
