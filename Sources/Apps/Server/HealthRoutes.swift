import Audience
import Hummingbird
import NIOCore

/// `/health` says that the process answers, `/ready` whether all users are in memory, so that
/// segments can be counted and sent to.
struct HealthRoutes: Sendable {
    let audience: AudienceService

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/health") { _, _ in
            "ok\naudience: \(audience.status.text)\n"
        }
        router.get("/ready") { _, _ in
            let status = audience.status
            return Response(
                status: status.isReady ? .ok : .serviceUnavailable,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "audience: \(status.text)\n"))
            )
        }
    }
}
