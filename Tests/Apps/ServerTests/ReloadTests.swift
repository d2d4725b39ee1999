import Foundation
import Logging
import Synchronization
import Testing

@testable import Server

@Suite("Settings that are read again")
struct ReloadTests {
    /// The lines of a log, with their levels.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
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
        }
    }

    private func run(
        _ read: @escaping @Sendable (Settings) throws -> Settings
    ) async -> (lines: [String], level: Logger.Level) {
        let lines = Lines()
        let level = LogLevel(.info)
        let logger = Logger(label: "test") { _ in LevelledLogHandler(Handler(lines), level) }
        let settings = Settings(databasePath: "test.sqlite")
        let service = ReloadService(
            reloading: Reloading(settings: { try read(settings) }, level: level),
            settings: settings,
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

    @Test("of others it is said that they need a restart")
    func others() async {
        let (lines, level) = await run { settings in
            var settings = settings
            settings.pushDeadline = 7
            return settings
        }
        #expect(level == .info)
        #expect(lines.contains { $0.hasPrefix("warning other settings") })
    }

    @Test("a mistake in the configuration changes nothing and names itself")
    func mistake() async {
        let (lines, level) = await run { _ in
            throw Settings.Problem(key: "log-level", message: "is 'loud'")
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
        let problem = await #expect(throws: Settings.Problem.self) {
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
