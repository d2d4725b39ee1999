import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Answers each request that came by HTTP with the same address by HTTPS.
package struct SecureRedirect: HTTPResponder {
    package typealias Context = BasicRequestContext

    private let publicAddress: PublicAddress?
    private let port: Int

    /// - Parameters:
    ///   - publicAddress: Where links lead; without it the host of each request.
    ///   - port: The port of HTTPS.
    package init(publicAddress: PublicAddress?, port: Int) {
        self.publicAddress = publicAddress
        self.port = port
    }

    package func respond(to request: Request, context: Context) async throws -> Response {
        guard let location = location(request.uri.string, at: request.head.authority) else {
            return Response(status: .badRequest, headers: [.contentLength: "0"])
        }
        // 308 keeps method and body.
        return Response(
            status: .permanentRedirect,
            headers: [
                .location: location, .contentLength: "0",
                .connection: "close",
            ]
        )
    }

    /// The same address by HTTPS; `nil` if the host is none.
    func location(_ path: String, at authority: String?) -> String? {
        (publicAddress?.secure ?? secure(authority)).map { $0.description + path }
    }

    private func secure(_ authority: String?) -> PublicAddress? {
        guard let authority else { return nil }
        // The port of HTTP is another one.
        let colon = authority.lastIndex(of: ":")
        let bracket = authority.lastIndex(of: "]")
        let host =
            if let colon, bracket.map({ $0 < colon }) ?? true { String(authority[..<colon]) } else {
                authority
            }
        return PublicAddress(scheme: "https", host: port == 443 ? host : "\(host):\(port)")
    }
}
