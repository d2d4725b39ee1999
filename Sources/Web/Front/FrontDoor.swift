import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Accepts connections and limits their total cost.
package struct FrontDoor: Sendable {
    package let settings: FrontSettings
    package let places: ConnectionPlaces
    package let bodies: BodyBudget

    package init(_ settings: FrontSettings) {
        self.settings = settings
        places = ConnectionPlaces(limit: settings.connections)
        bodies = BodyBudget(limit: settings.bodyBudget)
    }

    package var server: HTTPServerBuilder {
        HTTPServerBuilder { responder in
            FrontChannel(settings: settings, places: places) { request, writer, channel in
                // Held until the response is sent, because the handler keeps the body until then.
                let lease = BodyLease(bodies) {
                    channel.pipeline.fireErrorCaught(FrontRefusal.gaveWay)
                }
                defer { lease.end() }
                var request = request
                if Self.hasBody(request) {
                    let metered = MeteredBody(body: request.body, lease: lease)
                    request.body = RequestBody(asyncSequence: metered)
                }
                try await responder(request, writer, channel)
            }
        }
    }

    private static func hasBody(_ request: Request) -> Bool {
        request.headers[.transferEncoding] != nil
            || request.headers[.contentLength].map { $0 != "0" } == true
    }
}
