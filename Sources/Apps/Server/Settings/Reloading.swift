import Logging
import ServiceLifecycle
import UnixSignals

/// What a server does when it is told to read its settings again (`SIGHUP`).
package struct Reloading: Sendable {
    /// Reads the settings as at the start.
    package var settings: @Sendable () async throws -> Settings
    package var level: LogLevel

    package init(settings: @escaping @Sendable () async throws -> Settings, level: LogLevel) {
        self.settings = settings
        self.level = level
    }
}

/// Waits for `SIGHUP`.
struct ReloadService: Service {
    let reloading: Reloading
    /// The settings of the start, all of which but the log's level hold until the end.
    let settings: Settings
    let certificates: CertificateWatch?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { await reload() }
        }
    }

    func reload() async {
        certificates?.look()
        do {
            let read = try await reloading.settings()
            reloading.level.set(read.log.level)
            logger.notice(
                "the settings are read again",
                metadata: ["log.level": "\(read.log.level)"]
            )
            var former = settings
            former.log.level = read.log.level
            // All of their values, none of which is written to the log.
            if String(reflecting: former) != String(reflecting: read) {
                logger.warning(
                    "other settings than the log's level have changed; they hold after a restart"
                )
            }
        } catch {
            logger.error(
                "the settings cannot be read again; the former ones stay",
                metadata: ["settings.error": "\(error)"]
            )
        }
    }
}
