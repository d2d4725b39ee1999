import Foundation
import ServerTesting
import Testing

/// Numbers, dates and texts at the edges of their types, over sockets to a server process, and its
/// start afterwards on what was stored.
@Suite("Extreme input", .serialized)
struct ExtremeInputTests {
    private static let permissions = [
        "users.track", "users.export.ids", "purchases.revenue_series", "messages.send",
        "messages.schedule.create", "messages.schedule_broadcasts", "segments.list",
    ]

    private struct Site {
        let options: [String]
        let apiKey: String
        let sdkKey: String
        var server: ServerProcess

        func batch(_ fields: String, time: String = "1783189800000") -> String {
            """
            {"device":{"id":"11111111-1111-4111-8111-111111111111","platform":"web"},"records":[\
            {"id":"\(UUID())","seq":1,"time_ms":\(time),"user":{"external_id":"ada"},\(fields)}]}
            """
        }

        func isUp() async throws -> Bool {
            for _ in 0..<600 {
                if let (status, _) = try? await server.get("/ready", key: ""), status == 200 {
                    return true
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            return false
        }

        /// Kills the server and starts it on the same file.
        mutating func restart() throws {
            server.kill()
            server = try ServerProcess(arguments: options + ExtremeInputTests.serving)
        }
    }

    private static let serving = ["--listen", "127.0.0.1:0", "--log-level", "critical"]

    private func withSite(_ body: (inout Site) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-extreme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let options = try TestDatabase(at: folder.appending(path: "test.sqlite").path).options
        let sdkKey = try ServerProcess.run(
            ["app", "create", "--name", "Tea", "--bundle-id", "com.example.tea"] + options
        )
        let apiKey = try ServerProcess.run(
            [
                "apikey", "create", "--name", "test", "--permissions",
                Self.permissions.joined(separator: ","),
            ] + options
        )
        var site = Site(
            options: options,
            apiKey: apiKey,
            sdkKey: sdkKey,
            server: try ServerProcess(arguments: options + Self.serving)
        )
        defer { site.server.kill() }
        try await body(&site)
        #expect(try await site.isUp())
        try site.restart()
        #expect(try await site.isUp())
    }

    private static let numbers = [
        "-9223372036854775808", "-9223372036854775807", "-9007199254740993", "-62135596800001",
        "-62135596800000", "-1", "0", "253402300799999", "253402300800000", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "1e18", "1e19", "1e308", "-1e308", "5e-324",
    ]

    private static let purchase =
        #""type":"purchase","product":"tea","currency":"EUR","quantity":100"#

    @Test("in an SDK's batch stops neither the server nor its next start")
    func batches() async throws {
        try await withSite { site in
            for number in Self.numbers {
                for (fields, time) in [
                    (#""type":"event","name":"x","properties":{"n":\#(number)}"#, number),
                    (#""type":"session_started""#, number),
                    (#""type":"session_ended","duration_seconds":\#(number)"#, "1783189800000"),
                    (
                        Self.purchase + #","price":\#(number)"#,
                        "1783189800000"
                    ),
                    (
                        #""type":"attributes","attributes":{"n":{"inc":\#(number)}}"#,
                        "1783189800000"
                    ),
                ] {
                    let (status, answer) = try await site.server.post(
                        "/sdk/v1/batch",
                        key: site.sdkKey,
                        site.batch(fields, time: time)
                    )
                    #expect(status == 200, "\(fields) \(time): \(answer)")
                }
            }
            try site.restart()
            #expect(try await site.isUp())
            let (series, revenue) = try await site.server.get(
                "/purchases/revenue_series?length=7",
                key: site.apiKey
            )
            #expect(series == 200, "\(revenue)")
            let (exported, user) = try await site.server.post(
                "/users/export/ids",
                key: site.apiKey,
                #"{"external_ids":["ada"]}"#
            )
            #expect(exported == 201, "\(user)")
        }
    }

    @Test("in a schedule leaves every list readable")
    func schedules() async throws {
        try await withSite { site in
            for time in [
                "9999-12-31T23:59:59-12:00", "9999-12-31T23:59:59Z", "9998-12-31T23:59:59Z",
                "0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31T00:00:00+14:00",
            ] {
                for isLocal in ["true", "false"] {
                    let (status, answer) = try await site.server.post(
                        "/messages/schedule/create",
                        key: site.apiKey,
                        """
                        {"broadcast":true,"schedule":{"time":"\(time)","in_local_time":\(isLocal)},
                         "messages":{"apple_push":{"alert":"hello"}}}
                        """
                    )
                    #expect(status < 500, "\(time): \(answer)")
                    let (listed, list) = try await site.server.get(
                        "/messages/scheduled_broadcasts?end_time=9999-12-31T23:59:59",
                        key: site.apiKey
                    )
                    #expect(listed == 200, "\(list)")
                }
            }
        }
    }

    @Test("names with U+0000 are refused by field, and name nobody else")
    func nulls() async throws {
        try await withSite { site in
            let attributes = #"{"attributes":[{"external_id":"u60","first_name":"Ada"}]}"#
            _ = try await site.server.post("/users/track", key: site.apiKey, attributes)
            let (status, answer) = try await site.server.post(
                "/users/track",
                key: site.apiKey,
                """
                {"attributes":[{"external_id":"u60\\u0000zzz","first_name":"HIJACK"},
                               {"external_id":"u61","first_name":"Eve"}],
                 "events":[{"external_id":"u61","name":"tfmt\\u0000","time":"2026-01-01"}]}
                """
            )
            #expect(status == 201, "\(answer)")
            #expect(answer.contains("U+0000") && answer.contains("external_id"), "\(answer)")
            let (_, exported) = try await site.server.post(
                "/users/export/ids",
                key: site.apiKey,
                #"{"external_ids":["u60","u61"]}"#
            )
            #expect(exported.contains("Ada") && exported.contains("Eve"))
            #expect(!exported.contains("HIJACK") && !exported.contains("tfmt"))
        }
    }
}
