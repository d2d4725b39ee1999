import Foundation
import Front
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Monitoring
import NIOCore
import NoroshiWire
import SampleWorkspace
import Server
import ServiceLifecycle
import StoreTesting
import Testing

@Suite("Metrics of a server")
struct MetricsTests {
    private static let key = "beacon on the hill"

    /// Runs a server over the sample and gives clients of the server and of its metrics.
    private func withServer(
        keyPath: String? = nil,
        _ work:
            @escaping @Sendable (any TestClientProtocol, any TestClientProtocol) async throws
            -> Void
    ) async throws {
        let sample = try await SampleServer.open(
            .small,
            settings: { settings in
                settings.apnsServer = "127.0.0.1:9"
                settings.metrics = MetricsSettings(host: "127.0.0.1", port: 0, keyPath: keyPath)
            }
        )
        defer { sample.remove() }
        let server = sample.server
        let services = ServiceGroup(
            services: server.requestServices,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let listener = try #require(server.metricsListener(places: ConnectionPlaces(limit: { 10 })))
        let application = Application(responder: try server.router(phones: nil).buildResponder())
        let metrics = Application(responder: listener.router.buildResponder())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            group.addTask {
                try await application.test(.router) { client in
                    try await metrics.test(.router) { asker in try await work(client, asker) }
                }
            }
            try await group.next()
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private func text(_ asker: any TestClientProtocol) async throws -> String {
        let answer = try await asker.execute(uri: "/metrics", method: .get)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        return String(buffer: answer.body)
    }

    @Test("are nowhere unless an operator asks for them")
    func off() async throws {
        let sample = try await SampleServer.open(.small)
        defer { sample.remove() }
        #expect(sample.server.metricsListener(places: ConnectionPlaces(limit: { 1 })) == nil)
        let application = Application(
            responder: try sample.server.router(phones: nil).buildResponder()
        )
        try await application.test(.router) { client in
            let answer = try await client.execute(uri: "/metrics", method: .get)
            #expect(answer.status == .notFound)
        }
    }

    @Test("count requests by the pattern of their route, whatever clients invent")
    func requests() async throws {
        try await withServer { client, asker in
            for number in 0..<3 {
                _ = try await client.execute(uri: "/news/\(number)/picture", method: .get)
                _ = try await client.execute(uri: "/no-such-page-\(number)", method: .get)
                let method = try #require(HTTPRequest.Method("INVENTED\(number)"))
                _ = try await client.execute(uri: "/health", method: method)
            }
            _ = try await client.execute(uri: "/health", method: .get)
            _ = try await client.execute(
                uri: "/users/track",
                method: .post,
                body: ByteBuffer(string: "{}")
            )
            let text = try await text(asker)
            for line in [
                #"noroshi_http_requests_total{method="GET",route="/health",status="200"} 1"#,
                #"noroshi_http_requests_total{method="POST",route="/users/track",status="401"} 1"#,
                #"noroshi_http_request_duration_seconds_count{method="GET",route="/health"} 1"#,
                #"noroshi_http_requests_in_flight 0"#,
            ] { #expect(text.contains(line + "\n"), "\(line)\n\(text)") }
            let requests = text.split(separator: "\n").filter {
                $0.hasPrefix("noroshi_http_requests_total{")
            }
            #expect(requests.contains { $0.contains(#"method="other""#) && $0.hasSuffix(" 3") })
            #expect(!text.contains("no-such-page") && !text.contains("INVENTED"))
        }
    }

    @Test("tell of the store, the audience, sign-ins and the process")
    func figures() async throws {
        try await withServer { client, asker in
            let text = try await text(asker)
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            let values = Dictionary(
                lines.compactMap { line -> (String, Double)? in
                    guard let space = line.lastIndex(of: " ") else { return nil }
                    return (
                        String(line[..<space]),
                        Double(line[line.index(after: space)...]) ?? .nan
                    )
                }
            ) { first, _ in first }
            #expect(values[#"noroshi_build_info{version="\#(NoroshiVersion.current)"}"#] == 1)
            #expect(values["noroshi_store_writable"] == 1)
            #expect(values["noroshi_sending_held"] == 0)
            // The only one of a file leads, and its clock is the one that counts; on PostgreSQL one leads that runs.
            let isFile = StoreKind.chosen == .sqlite
            #expect(values["noroshi_servers"] == 1)
            #expect(values["noroshi_server_leads"] == (isFile ? 1 : 0))
            // This clock stands still, and PostgreSQL's does not.
            let offset = values["noroshi_server_clock_offset_seconds"]
            #expect(isFile ? offset == 0 : offset != nil)
            #expect(
                values["process_start_time_seconds"] == SampleWorkspace.now.timeIntervalSince1970
            )
            let ofDisk = ["noroshi_disk_free_bytes", "noroshi_disk_size_bytes"]
            for name in [
                "noroshi_database_size_bytes", "process_resident_memory_bytes", "process_open_fds",
                "process_max_fds", "process_cpu_seconds_total",
            ] + (isFile ? ofDisk : []) { #expect((values[name] ?? 0) > 0, "\(name)") }
            #expect((values["noroshi_database_wal_size_bytes"] != nil) == isFile)
            for name in [
                "noroshi_audience_lag_seconds", "noroshi_audience_ready",
                "noroshi_audience_users", "noroshi_ingest_waiting_items",
                "noroshi_ingest_waiting_bytes", "noroshi_store_unreadable_rows",
                "noroshi_http_connections",
                #"noroshi_sign_ins_total{outcome="failed"}"#,
                #"noroshi_sends_open{state="paused"}"#,
                #"noroshi_delivery_waiting_pushes{cause="retry"}"#,
                #"noroshi_audience_memory_bytes{content="attributes"}"#,
                #"noroshi_ingest_requests_total{outcome="overloaded"}"#,
            ] { #expect(values[name]?.isFinite == true, "\(name)") }
            let known = Set(Metric.all.map(\.name))
            for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
                #expect(known.contains(String(line.split(separator: " ")[2])), "\(line)")
            }
        }
    }

    @Test("are for who has the key, where there is one")
    func keys() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-key-\(UUID().uuidString)").path
        try Data((Self.key + "\nnot the key").utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await withServer(keyPath: path) { _, asker in
            for header in [nil, "Bearer ", "Bearer wrong", Self.key, "Bearer \(Self.key)s"] {
                var headers = HTTPFields()
                if let header { headers[.authorization] = header }
                let answer = try await asker.execute(
                    uri: "/metrics",
                    method: .get,
                    headers: headers
                )
                #expect(answer.status == .unauthorized, "\(header ?? "no header")")
                #expect(answer.body.readableBytes == 0)
            }
            let answer = try await asker.execute(
                uri: "/metrics",
                method: .get,
                headers: [.authorization: "Bearer \(Self.key)"]
            )
            #expect(answer.status == .ok)
        }
    }

    @Test("are not served to other computers without a key, and settings that say so are refused")
    func settings() async throws {
        func settings(_ options: [String: String]) async throws -> Settings {
            try await Settings.load(options: options, configurationFile: nil, environment: [:])
        }
        func problem(_ options: [String: String]) async -> String? {
            do {
                _ = try await settings(options)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(try await settings([:]).metrics == nil)
        for host in ["127.0.0.1", "localhost", "[::1]", "127.8.8.8"] {
            let metrics = try await settings(["metrics-listen": "\(host):9464"]).metrics
            #expect(metrics?.port == 9464)
        }
        for host in ["0.0.0.0", "10.0.0.1", "[::]", "example.com"] {
            let words = await problem(["metrics-listen": "\(host):9464"])
            #expect(words?.contains("--metrics-key-file") == true, "\(host): \(words ?? "")")
        }
        let open = try await settings([
            "metrics-listen": "0.0.0.0:9464", "metrics-key-file": "/etc/key",
        ])
        #expect(open.metrics?.keyPath == "/etc/key")
        #expect(
            await problem(["metrics-key-file": "/etc/key"])?.contains("--metrics-listen") == true
        )
        #expect(await problem(["metrics-listen": "9464"])?.contains("HOST:PORT") == true)
    }
}
