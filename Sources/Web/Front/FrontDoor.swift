import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Accepts connections and limits their total cost.
package struct FrontDoor: Sendable {
    private let settings: @Sendable () -> FrontSettings
    package let places: ConnectionPlaces
    package let bodies: BodyBudget

    /// The certificate for TLS; without one connections are not encrypted.
    private let certificate: ServerCertificate?

    /// - Parameter settings: Asked for each connection and each part of a body, as they may change.
    package init(
        settings: @escaping @Sendable () -> FrontSettings,
        certificate: ServerCertificate? = nil
    ) {
        self.settings = settings
        self.certificate = certificate
        places = ConnectionPlaces(limit: { settings().connections })
        bodies = BodyBudget(limit: { settings().bodyBudget })
    }

    package init(_ settings: FrontSettings, certificate: ServerCertificate? = nil) {
        self.init(settings: { settings }, certificate: certificate)
    }

    package var server: HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let front = FrontChannel(settings: settings, places: places) {
                request,
                writer,
                channel in
                // Held until the response is sent, because the handler keeps the body until then.
                let lease = BodyLease(bodies) {
                    channel.pipeline.fireErrorCaught(FrontError.gaveWay)
                }
                defer { lease.end() }
                var request = request
                if Self.hasBody(request, on: channel) {
                    let metered = MeteredBody(body: request.body, lease: lease)
                    request.body = RequestBody(asyncSequence: metered)
                }
                try await responder(request, writer, channel)
            }
            guard let certificate else { return front }
            return SecureChannel(front: front, certificate: certificate)
        }
    }

    private static func hasBody(_ request: Request, on channel: any Channel) -> Bool {
        // A stream of HTTP/2, the child of a child of the listener, may have one without saying so.
        if channel.parent?.parent != nil { return request.headers[.contentLength] != "0" }
        return request.headers[.transferEncoding] != nil
            || request.headers[.contentLength].map { $0 != "0" } == true
    }
}
