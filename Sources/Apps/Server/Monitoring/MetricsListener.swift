import Crypto
import Foundation
import Hummingbird
import Logging
import Model
import Monitoring
import NIOCore
import Reasons
import ServiceLifecycle

/// Serves `/metrics` at an address of its own, which only operators reach.
package struct MetricsListener: Service {
    let settings: MetricsSettings
    /// What must come as `Authorization: Bearer …`; `nil` asks for nothing.
    let key: String?
    let text: @Sendable () async -> String
    let logger: Logger

    package func run() async throws {
        do {
            try await Application(
                router: router,
                configuration: ApplicationConfiguration(
                    address: .hostname(settings.host, port: settings.port),
                    serverName: "Noroshi"
                ),
                onServerRunning: { channel in
                    let port = channel.localAddress?.port ?? 0
                    logger.notice(
                        "metrics are served",
                        metadata: ["metrics.address": "http://\(settings.host):\(port)/metrics"]
                    )
                },
                logger: logger
            ).run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw SettingError(
                "metrics-listen",
                .portTakenHere,
                ["host": .text(settings.host), "port": "\(settings.port)"]
            )
        }
    }

    package var router: Router<BasicRequestContext> {
        let router = Router()
        router.get("/metrics") { request, _ in
            guard isAllowed(request) else {
                return Response(
                    status: .unauthorized,
                    headers: [.wwwAuthenticate: "Bearer realm=\"Noroshi metrics\""]
                )
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; version=0.0.4; charset=utf-8",
                    .cacheControl: "no-store",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: await text()))
            )
        }
        return router
    }

    private func isAllowed(_ request: Request) -> Bool {
        guard let key else { return true }
        let given = request.headers[.authorization] ?? ""
        // Hashes are compared, so that the time says nothing about the key.
        return SHA256.hash(data: Data(given.utf8)) == SHA256.hash(data: Data("Bearer \(key)".utf8))
    }
}
