import Foundation
import HTTPTypes
import Hummingbird
import Model

/// Believes `X-Forwarded-Proto` and `X-Forwarded-Host` from trusted proxies only; from others they
/// are taken away before anybody reads them.
package struct ForwardedHeaders<Context: RequestContext>: RouterMiddleware {
    private let trustedProxies: [AddressRange]

    package init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        let peer = (context as? any RemoteAddressRequestContext)?.remoteAddress?.ipAddress
        let isTrusted = peer.map { peer in trustedProxies.contains { $0.contains(peer) } } ?? false
        if let name = HTTPField.Name("X-Forwarded-Proto") {
            head.headerFields[name] = isTrusted ? Self.last(head.headerFields[name]) : nil
        }
        if let name = HTTPField.Name("X-Forwarded-Host") {
            if isTrusted, let host = Self.last(head.headerFields[name]) {
                head.authority = host
            }
            head.headerFields[name] = nil
        }
        return try await next(Request(head: head, body: request.body), context)
    }

    /// The word of the nearest proxy is the last one.
    private static func last(_ list: String?) -> String? {
        list?.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
