import Foundation
import HTTPTypes
import Hummingbird
import Model
import NIOCore

/// Determines the client's address of a request.
package struct ClientAddress: Sendable {
    private let trustedProxies: [AddressRange]

    /// - Parameter trustedProxies: The proxies whose `X-Forwarded-For` is trusted.
    package init(trustedProxies: [AddressRange] = []) {
        self.trustedProxies = trustedProxies
    }

    /// The peer's address, or the one that the proxies report, starting at the nearest one for as
    /// long as they are trusted.
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
