import Accounts
import Foundation
import FoundationNetworking
import HTTPTypes
import Hummingbird
import JSON
import Logging
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Server
import Synchronization
import Testing

/// A server hands the spans of its work over to a collector, over HTTP.
@Suite("Traces of a server")
struct TracingTests {
    /// A collector that keeps what it gets.
    private final class Collector: Sendable {
        private let bodies = Mutex<[JSONValue]>([])

        /// The spans so far, each with its resource's attributes.
        var spans: [(span: [String: JSONValue], resource: [String: JSONValue])] {
            bodies.withLock(\.self).flatMap { body in
                (body.objectValue?["resourceSpans"]?.arrayValue ?? []).flatMap { resource in
                    let attributes = TracingTests.attributes(
                        resource.objectValue?["resource"]?.objectValue ?? [:]
                    )
                    return (resource.objectValue?["scopeSpans"]?.arrayValue ?? []).flatMap {
                        ($0.objectValue?["spans"]?.arrayValue ?? []).compactMap { span in
                            span.objectValue.map { ($0, attributes) }
                        }
                    }
                }
            }
        }

        func router() -> Router<BasicRequestContext> {
            let router = Router()
            router.post("/v1/traces") { request, _ in
                let body = try await request.body.collect(upTo: 4 << 20)
                guard request.headers[.contentType] == "application/json" else {
                    return Response(status: .unsupportedMediaType)
                }
                let value = try JSONReader.read(body.readableBytesView)
                self.bodies.withLock { $0.append(value) }
                return Response(status: .ok)
            }
            return router
        }
    }

    private static func attributes(_ object: [String: JSONValue]) -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        for pair in object["attributes"]?.arrayValue ?? [] {
            guard let pair = pair.objectValue, let key = pair["key"]?.stringValue else { continue }
            found[key] = pair["value"]?.objectValue?.values.first
        }
        return found
    }

    /// Runs a server with a collector; when `work` is done the server stops, and what it has
    /// measured has been handed over.
    private func withServer(
        trusting proxies: [String],
        _ work: @escaping @Sendable (URL, NoroshiServer, Collector) async throws -> Void
    ) async throws -> Collector {
        let collector = Collector()
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: collector.router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { announce.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "collector") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            var found = ports.makeAsyncIterator()
            let port = await found.next() ?? 0
            let sample = try await SampleServer.open(
                .empty,
                settings: { settings in
                    settings.apnsServer = "127.0.0.1:9"
                    settings.otlpEndpoint = "http://127.0.0.1:\(port)/v1/traces"
                    settings.trustedProxies = proxies.compactMap { Model.AddressRange($0) }
                }
            )
            defer { sample.remove() }
            let (running, announceServer) = AsyncStream.makeStream(of: Int.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { inner in
                inner.addTask {
                    try await sample.server.run(
                        handlesSignals: false,
                        until: { for await _ in ends { return } },
                        onRunning: { announceServer.yield($0) }
                    )
                }
                var started = running.makeAsyncIterator()
                let port = await started.next() ?? 0
                let result: Result<Void, any Error>
                do {
                    let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
                    result = .success(try await work(address, sample.server, collector))
                } catch {
                    result = .failure(error)
                }
                end.yield()
                try await inner.waitForAll()
                try result.get()
            }
            group.cancelAll()
        }
        return collector
    }

    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private static func track(_ address: URL, _ key: String) async throws {
        try await post(
            #"{"events":[{"external_id":"ada","name":"tasted","time":"2026-11-01T00:00:00Z"}]}"#,
            to: address.appending(path: "users/track"),
            key
        )
    }

    private static func post(_ body: String, to address: URL, _ key: String) async throws {
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(caller, forHTTPHeaderField: "traceparent")
        request.httpBody = Data(body.utf8)
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
    }

    @Test("a trusted caller's trace goes on in the request and in what is stored for it")
    func trusted() async throws {
        let collector = try await withServer(trusting: ["127.0.0.1"]) { address, server, _ in
            let workspace = try #require(try await server.store.workspaces().first).id
            let key = try await server.accounts.createAPIKey(
                name: "test",
                permissions: ["*"],
                by: .commandLine(account: "test", workspace)
            )
            try await Self.track(address, key)
        }
        let spans = collector.spans
        let request = try #require(
            spans.first { $0.span["name"]?.stringValue == "POST /users/track" }
        )
        #expect(request.resource["service.name"]?.stringValue == "noroshi")
        #expect(request.span["traceId"]?.stringValue == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(request.span["parentSpanId"]?.stringValue == "00f067aa0ba902b7")
        #expect(request.span["kind"] == .integer(2))
        let attributes = Self.attributes(request.span)
        #expect(attributes["http.response.status_code"]?.stringValue == "201")
        #expect(attributes["http.route"]?.stringValue == "/users/track")
        let ingest = try #require(spans.first { $0.span["name"]?.stringValue == "ingest" }).span
        #expect(ingest["traceId"] == request.span["traceId"])
        #expect(ingest["parentSpanId"] == request.span["spanId"])
        #expect(Self.attributes(ingest)["ingest.items"]?.stringValue == "1")
        let start = try #require(UInt64(ingest["startTimeUnixNano"]?.stringValue ?? ""))
        let end = try #require(UInt64(ingest["endTimeUnixNano"]?.stringValue ?? ""))
        #expect(end >= start)
        // Nothing of what was sent is in a span.
        #expect(!"\(spans)".contains("tasted"))
    }

    @Test("one trace reaches from the request over planning to the provider")
    func push() async throws {
        let local = ["127.0.0.1"]
        let collector = try await withServer(trusting: local) { address, server, collector in
            let workspace = try #require(try await server.store.workspaces().first).id
            let actor = Actor.commandLine(account: "test", workspace)
            let key = try await server.accounts.createAPIKey(
                name: "test",
                permissions: ["*"],
                by: actor
            )
            let app = try await server.apps.create(
                name: "Tea",
                platform: "ios",
                identifier: "com.example.tea",
                by: actor
            )
            let token = String(repeating: "0a", count: 32)
            try await Self.post(
                """
                {"attributes": [{"external_id": "ada",
                    "push_tokens": [{"app_id": "\(app.sdkKey)", "token": "\(token)"}]}]}
                """,
                to: address.appending(path: "users/track"),
                key
            )
            // Nothing is planned before the request has been answered.
            try await server.store.holdSending(since: SampleWorkspace.now)
            try await Self.post(
                """
                {"external_user_ids": ["ada"], "messages": {"apple_push": {"alert": "Tea is ready"}}}
                """,
                to: address.appending(path: "messages/send"),
                key
            )
            _ = try await server.store.releaseSending(
                skippingMissed: false,
                noting: [:],
                now: SampleWorkspace.now
            )
            while !collector.spans.contains(where: { $0.span["name"] == "push apns" }) {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let spans = collector.spans
        func span(_ name: String) -> [String: JSONValue]? {
            spans.first { $0.span["name"]?.stringValue == name }?.span
        }
        let request = try #require(span("POST /messages/send"))
        #expect(request["traceId"]?.stringValue == "4bf92f3577b34da6a3ce929d0e0e4736")
        let plan = try #require(span("plan send"))
        let push = try #require(span("push apns"))
        for part in [plan, push] {
            #expect(part["traceId"] == request["traceId"])
            #expect(part["parentSpanId"] == request["spanId"])
        }
        let sends = [plan, push].map { Self.attributes($0)["send.id"] }
        #expect(sends[0] != nil && sends[0] == sends[1])
        #expect(Self.attributes(plan)["send.dispatches"]?.stringValue == "1")
        #expect(Self.attributes(push)["push.provider"]?.stringValue == "apns")
        #expect(Self.attributes(push)["push.outcome"] != nil)
        #expect(!"\(collector.spans)".contains("Tea is ready"))
    }

    @Test("a stranger's header decides nothing")
    func stranger() async throws {
        let collector = try await withServer(trusting: []) { address, _, _ in
            var request = URLRequest(url: address.appending(path: "health"))
            request.setValue(Self.caller, forHTTPHeaderField: "traceparent")
            _ = try await URLSession.shared.data(for: request)
        }
        let request = try #require(
            collector.spans.first { $0.span["name"]?.stringValue == "GET /health" }
        ).span
        #expect(request["traceId"]?.stringValue != "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(request["traceId"]?.stringValue?.utf8.count == 32)
        #expect(request["parentSpanId"] == nil)
    }

    @Test("an address of a collector is completed, and refused with the setting's name")
    func endpoint() async throws {
        func endpoint(_ text: String) async throws -> String? {
            try await Settings.load(
                options: ["otlp-endpoint": text],
                configurationFile: nil,
                environment: [:]
            ).otlpEndpoint
        }
        #expect(try await endpoint("http://c:4318") == "http://c:4318/v1/traces")
        #expect(try await endpoint("https://c/") == "https://c/v1/traces")
        #expect(try await endpoint("https://c/otlp/v1/traces") == "https://c/otlp/v1/traces")
        for text in ["c:4318", "ftp://c", "http://", "http://c?a=b"] {
            await #expect(throws: SettingError.self) { _ = try await endpoint(text) }
        }
    }
}
