import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSON
import Logging
import NIOCore
import NoroshiWire
import SampleWorkspace
import Server
import ServiceLifecycle
import Synchronization
import Testing

@Suite("The log")
struct LogTests {
    /// Lines of a log, from any thread.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        func logger(_ level: Logger.Level = .info) -> Logger {
            var logger = Logger(label: "test") { _ in
                JSONLogHandler(
                    now: { Date(timeIntervalSince1970: 1_790_000_000.25) },
                    write: { line in self.lines.withLock { $0.append(line) } }
                )
            }
            logger.logLevel = level
            return logger
        }
    }

    @Test("is a JSON object in each line, whatever its texts hold")
    func json() throws {
        let lines = Lines()
        var logger = lines.logger()
        logger[metadataKey: "app.id"] = "7"
        logger.warning(
            "two \"words\"\nand a line",
            metadata: ["b": "\u{1}\u{2028}お茶", "a": ["x", "y"], "level": "mine"]
        )
        logger.debug("not said")
        #expect(
            lines.all == [
                #"{"time":"2026-09-21T14:13:20.250Z","level":"warning","#
                    + #""message":"two \"words\"\nand a line","a":"[\"x\", \"y\"]","app.id":"7","#
                    + #""b":"\u0001"# + "\u{2028}お茶" + #"","_level":"mine"}"# + "\n"
            ]
        )
        let object = try JSONSerialization.jsonObject(with: Data(lines.all[0].utf8))
        #expect((object as? [String: String])?["message"] == "two \"words\"\nand a line")
    }

    @Test("is text or JSON, with or without requests, by setting")
    func settings() async throws {
        func log(_ options: [String: String]) async throws -> LogSettings {
            try await Settings.load(options: options, configurationFile: nil, environment: [:]).log
        }
        #expect(try await log([:]) == LogSettings())
        let log = try await log([
            "log-format": "json", "access-log": "true", "log-level": "notice",
        ])
        #expect(log.format == .json && log.hasRequests && log.level == .notice)
        for (key, value, words) in [
            ("log-format", "xml", "text, json"), ("access-log", "yes", "true or false"),
            ("update-copy", "1", "true or false"),
        ] {
            let problem = await #expect(throws: SettingError.self) {
                try await Settings.load(
                    options: [key: value],
                    configurationFile: nil,
                    environment: [:]
                )
            }
            #expect(problem?.description.contains(words) == true)
        }
    }

    @Test("names each request by its route, and no secret and no person")
    func nothingPersonal() async throws {
        let lines = Lines()
        let sample = try await SampleServer.open(
            .small,
            logger: lines.logger(.debug),
            settings: { settings in
                settings.apnsServer = "127.0.0.1:9"
                settings.log.hasRequests = true
            }
        )
        defer { sample.remove() }
        let marks = ["hanako", "090-1234", "s3cret", "00ff00ff"]
        let services = ServiceGroup(
            services: sample.server.requestServices,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let application = Application(
            responder: try sample.server.router(phones: nil).buildResponder(),
            logger: lines.logger(.debug)
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            group.addTask {
                try await application.test(.router) { client in
                    try await Self.visit(client)
                }
            }
            try await group.next()
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        let answered = lines.all.filter { $0.contains(#""message":"answered""#) }
        #expect(answered.count == 8, "\(answered)")
        for words in [
            #""http.method":"POST""#, #""http.route":"/users/track""#, #""http.status":"401""#,
            #""http.milliseconds":""#, #""http.route":"/console/login""#,
        ] { #expect(answered.contains { $0.contains(words) }, "\(words): \(answered)") }
        for line in lines.all {
            for mark in marks { #expect(!line.lowercased().contains(mark), "\(line)") }
        }
    }

    /// Requests with marked names and secrets in each of their parts.
    private static func visit(_ client: any TestClientProtocol) async throws {
        let body = ByteBuffer(
            string: """
                {"events": [{"external_id": "hanako", "name": "poured", "time": "never"}],
                "attributes": [{"external_id": "hanako", "phone": "090-1234", "email": 7}],
                "password": "s3cret"}
                """
        )
        let key: HTTPFields = [.authorization: "Bearer s3cret", .contentType: "application/json"]
        for path in ["/users/track", "/users/export/ids", "/sdk/v1/batch"] {
            _ = try await client.execute(uri: path, method: .post, headers: key, body: body)
        }
        for path in [
            "/console/users/hanako@example.com?phone=090-1234", "/preferences/s3cret",
            "/no/such/hanako", "/sdk/v1/in_app_messages?external_id=hanako&token=00ff00ff",
        ] { _ = try await client.execute(uri: path, method: .get, headers: key) }
        _ = try await client.execute(
            uri: "/console/login",
            method: .post,
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: ByteBuffer(string: "email=hanako%40example.com&password=s3cret&token=00ff00ff")
        )
    }
}
