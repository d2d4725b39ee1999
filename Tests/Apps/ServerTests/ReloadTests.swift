import API
import Foundation
import Front
import Logging
import ObjectStorage
import Reasons
import Synchronization
import Testing

@testable import Server

@Suite("Settings that are read again")
struct ReloadTests {
    /// The lines of a log, with their levels.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        let details = Mutex<[String: String]>([:])
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        init(_ lines: Lines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.all.withLock { $0.append("\(event.level) \(event.message)") }
            for (key, value) in event.metadata ?? [:] {
                lines.details.withLock { $0[key] = "\(value)" }
            }
        }
    }

    private func run(
        lines: Lines = Lines(),
        limits: LiveLimits? = nil,
        _ read: @escaping @Sendable (Settings) throws -> Settings
    ) async -> (lines: [String], level: Logger.Level) {
        let level = LogLevel(.info)
        let logger = Logger(label: "test") { _ in LevelledLogHandler(Handler(lines), level) }
        let settings = Settings(databasePath: "test.sqlite")
        let service = ReloadService(
            reloading: Reloading(settings: { try read(settings) }, level: level),
            settings: settings,
            limits: limits ?? LiveLimits(settings),
            certificates: nil,
            logger: logger
        )
        logger.debug("before")
        await service.reload()
        logger.debug("after")
        return (lines.all.withLock(\.self), level.current)
    }

    @Test("the log's level holds at once, for loggers that are there already")
    func level() async {
        let (lines, level) = await run { settings in
            var settings = settings
            settings.log.level = .debug
            return settings
        }
        #expect(level == .debug)
        #expect(lines == ["notice the settings are read again", "debug after"])
    }

    @Test("limits hold at once, and the log has what they are now")
    func limits() async {
        let settings = Settings(databasePath: "test.sqlite")
        let limits = LiveLimits(settings, connections: { min($0, 1_000) })
        let heard = Lines()
        let (lines, _) = await run(lines: heard, limits: limits) { settings in
            var settings = settings
            settings.rateLimits.track.requests = 5
            settings.front.bodyBudget = 8_000
            settings.front.connections = 2_000
            settings.front.headSeconds = 3
            return settings
        }
        #expect(lines == ["notice the settings are read again"])
        #expect(
            heard.details.withLock(\.self)["limits.changed"]
                == "track-limit=5, head-seconds=3, body-budget=8000"
        )
        #expect(limits.rates.track.requests == 5)
        #expect(limits.front.headSeconds == 3)
        #expect(limits.strangersBudget == 1_000)
        // No more than the system lets it have, before and after.
        #expect(limits.front.connections == 1_000)
    }

    @Test("of others it is said by name, and without their values, that they need a restart")
    func others() async {
        let heard = Lines()
        let limits = LiveLimits(Settings(databasePath: "test.sqlite"))
        let (lines, level) = await run(lines: heard, limits: limits) { settings in
            var settings = settings
            settings.pushDeadline = 7
            settings.front.stopSeconds = 99
            settings.buckets.credentials = BucketCredentials(keyID: "AKID", secret: "silent")
            settings.backups = BackupSettings(place: .folder("/b"), passphrase: "silent words")
            return settings
        }
        #expect(level == .info)
        #expect(lines.contains("warning settings have changed that hold after a restart"))
        let details = heard.details.withLock(\.self)
        #expect(details["settings.changed"] == "front, push-deadline, buckets, backups")
        #expect(!details.values.contains { $0.contains("silent") || $0.contains("99") })
        #expect(limits.front.stopSeconds == 10)
    }

    @Test("a mistake in the configuration changes nothing and names itself")
    func mistake() async {
        let (lines, level) = await run { _ in
            throw SettingError("log-level", .choice, ["value": "loud", "known": "info"])
        }
        #expect(level == .info)
        #expect(lines == ["error the settings cannot be read again; the former ones stay"])
    }

    @Test(
        "a half of what TLS needs is named",
        arguments: [
            (["tls-certificate": "a.pem"], "--tls-key"), (["tls-key": "a"], "--tls-certificate"),
            (["redirect-listen": "0.0.0.0:80"], "--tls-certificate"),
            (["tls-certificate": "a", "tls-key": "b", "hsts-days": "-1"], "'hsts-days'"),
            (["tls-certificate": "a", "tls-key": "b", "https": "false"], "'https'"),
        ]
    )
    func halves(options: [String: String], named: String) async {
        let problem = await #expect(throws: SettingError.self) {
            try await Settings.load(options: options, configurationFile: nil, environment: [:])
        }
        #expect(problem?.description.contains(named) == true)
    }

    @Test("with a certificate the console is secure")
    func secure() async throws {
        let settings = try await Settings.load(
            options: ["tls-certificate": "a.pem", "tls-key": "b.pem"],
            configurationFile: nil,
            environment: ["NOROSHI_HSTS_DAYS": "3", "NOROSHI_REDIRECT_LISTEN": "[::1]:80"]
        )
        #expect(settings.usesHTTPS)
        #expect(settings.tls?.hstsDays == 3 && settings.tls?.redirectHost == "::1")
    }
}
