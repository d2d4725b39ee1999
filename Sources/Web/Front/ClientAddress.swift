import Foundation
import HTTPTypes
import Hummingbird
import Model
import NIOCore

/// Tells where a request comes from.
package struct ClientAddress: Sendable {
    private let trustedProxies: [AddressRange]

    /// - Parameter trustedProxies: Who may say in `X-Forwarded-For` where a request comes from.
    package init(trustedProxies: [AddressRange] = []) {
        self.trustedProxies = trustedProxies
    }

    /// The peer, or what the proxies before this server say, from the nearest on as long as they
    /// are trusted.
    package func of(_ request: Request, in context: some RequestContext) -> String? {
        let peer = (context as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress
        guard var address = peer else { return nil }
        let forwarded = HTTPField.Name("X-Forwarded-For").flatMap { request.headers[$0] } ?? ""
        for hop in forwarded.split(separator: ",").reversed() {
            guard trustedProxies.contains(where: { $0.contains(address) }) else { break }
            address = hop.trimmingCharacters(in: .whitespaces)
        }
        return address
    }
}
