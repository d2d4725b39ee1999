import Front
import Hummingbird
import Logging
import NIOCore
import Reasons
import ServiceLifecycle

/// Leads requests without encryption to HTTPS, at an address of its own.
struct RedirectListener: Service {
    /// These connections are short and say nothing.
    private static let connections = 256

    let settings: TLSSettings
    let host: String
    let front: @Sendable () -> FrontSettings
    let redirect: SecureRedirect
    let logger: Logger

    func run() async throws {
        let limits: @Sendable () -> FrontSettings = { [front] in
            var limits = front()
            limits.connections = min(limits.connections, Self.connections)
            return limits
        }
        do {
            try await Application(
                responder: redirect,
                server: FrontDoor(settings: limits).server,
                configuration: ApplicationConfiguration(
                    address: .hostname(host, port: settings.redirectPort),
                    serverName: "Noroshi"
                ),
                onServerRunning: { channel in
                    let port = channel.localAddress?.port ?? 0
                    logger.notice(
                        "requests without encryption are led to HTTPS",
                        metadata: ["redirect.address": "http://\(host):\(port)"]
                    )
                },
                logger: logger
            ).run()
        } catch let error as IOError {
            throw SettingError(
                "redirect-listen",
                .portUnusable,
                ["host": .text(host), "port": "\(settings.redirectPort)", "reason": "\(error)"]
            )
        }
    }
}
