import Front
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
    /// The settings of the start, which hold until the end but for the log's level and the limits.
    let settings: Settings
    let limits: LiveLimits
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
            let changed = limits.change(to: read)
            logger.notice(
                "the settings are read again",
                metadata: [
                    "log.level": "\(read.log.level)",
                    "limits.changed":
                        "\(changed.isEmpty ? "none" : changed.joined(separator: ", "))",
                ]
            )
            let others = others(in: read)
            if !others.isEmpty {
                logger.warning(
                    "settings have changed that hold after a restart",
                    metadata: ["settings.changed": "\(others.joined(separator: ", "))"]
                )
            }
        } catch {
            logger.error(
                "the settings cannot be read again; the former ones stay",
                metadata: ["settings.error": "\(error)"]
            )
        }
    }

    /// The names of what has changed and is not taken before a restart, never their values.
    private func others(in read: Settings) -> [String] {
        var former = settings
        former.log.level = read.log.level
        former.rateLimits = read.rateLimits
        let stopSeconds = former.front.stopSeconds
        former.front = read.front
        former.front.stopSeconds = stopSeconds
        var names = zip(Mirror(reflecting: former).children, Mirror(reflecting: read).children)
            .filter { String(reflecting: $0.value) != String(reflecting: $1.value) }
            .compactMap { $1.label.map(Self.key) }
        // A secret does not say what it is, not even here.
        if former.database != read.database, !names.contains("database") {
            names.append("database")
        }
        if former.databasePooler != read.databasePooler, !names.contains("database-pooler") {
            names.append("database-pooler")
        }
        if former.buckets != read.buckets, !names.contains("buckets") { names.append("buckets") }
        return names
    }

    /// As a setting is written: `push-deadline` for `pushDeadline`.
    private static func key(_ name: String) -> String {
        name.reduce(into: "") { key, letter in
            key += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }
}
