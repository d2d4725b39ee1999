import Foundation
import ServerTesting
import Testing

/// What strangers and broken programs send, over sockets to a server process.
@Suite("Bad input")
struct BadInputTests {
    private struct Site {
        let server: ServerProcess
        let port: Int
        let key: String

        /// The head of a POST to /users/track.
        func head(_ fields: [String]) -> String {
            (["POST /users/track HTTP/1.1", "Host: test", "Authorization: Bearer \(key)"] + fields)
                .joined(separator: "\r\n") + "\r\n\r\n"
        }

        func post(_ body: [UInt8], _ fields: [String] = []) throws -> String {
            let connection = try RawConnection(port: port)
            connection.send(head(["Content-Length: \(body.count)"] + fields))
            connection.send(body)
            return try connection.answer()
        }

        func post(_ body: String, _ fields: [String] = []) throws -> String {
            try post(Array(body.utf8), fields)
        }

        func isHealthy() throws -> Bool {
            let connection = try RawConnection(port: port)
            connection.send("GET /health HTTP/1.1\r\nHost: test\r\n\r\n")
            return try connection.answer().hasPrefix("HTTP/1.1 200")
        }
    }

    private func withServer(
        _ settings: [String: String] = [:],
        _ body: (Site) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-bad-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let config = folder.appending(path: "config.json")
        try JSONEncoder().encode(settings).write(to: config)
        let options = try TestDatabase(at: folder.appending(path: "test.sqlite").path).options
        let key = try ServerProcess.run(
            ["apikey", "create", "--name", "test", "--permissions", "users.track"] + options
        )
        let server = try ServerProcess(
            arguments: options
                + ["--listen", "127.0.0.1:0", "--log-level", "error", "--config", config.path]
        )
        defer { server.kill() }
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        let site = Site(server: server, port: port, key: key)
        try body(site)
        #expect(try site.isHealthy())
    }

    @Test("is answered with what is wrong and where, and harms nothing")
    func bodies() throws {
        try withServer { site in
            let event = #"{"external_id": "a", "name": "v", "time": "2026-01-01T00:00:00Z"}"#
            let invalid =
                Array("{\"events\": [{\"name\": \"".utf8) + [0xC3, 0x28] + Array("\"}]}".utf8)
            let cases: [(body: [UInt8], status: Int, says: String)] = [
                (Array(#"{"events": [}"#.utf8), 400, "at byte 12"),
                (Array("".utf8), 400, "empty"),
                (Array("null".utf8), 400, "'body'"),
                (Array(#"{"events": {"a": 1}}"#.utf8), 400, "'events' must be an array"),
                (Array(#"{"events": [7, {"external_id": true}]}"#.utf8), 201, "must be a string"),
                (Array(repeating: UInt8(ascii: "["), count: 100_000), 400, "deeper than 64"),
                (invalid, 400, "not valid UTF-8 at byte 22"),
                (Array(#"{"events": [\#(event)], "more": {"of": ["this"]}}"#.utf8), 201, "success"),
                (Array(#"{"events": [1e999]}"#.utf8), 400, "too large"),
                (Array("{\"attributes\": [{\"external_id\": \"a\u{0}\"}]}".utf8), 400, "control"),
            ]
            for (body, status, says) in cases {
                let answer = try site.post(body)
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(says): \(answer)")
                #expect(answer.contains(says), "\(answer)")
            }
        }
    }

    @Test("that is too large or packed is refused before it is read")
    func sizes() throws {
        try withServer { site in
            let large = try RawConnection(port: site.port)
            large.send(site.head(["Content-Length: 900000000"]))
            #expect(try large.answer().hasPrefix("HTTP/1.1 413"))

            let chunked = try RawConnection(port: site.port)
            chunked.send(site.head(["Transfer-Encoding: chunked"]))
            let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
            for _ in 0..<6 { chunked.send(Array("100000\r\n".utf8) + chunk + Array("\r\n".utf8)) }
            #expect(try chunked.answer().hasPrefix("HTTP/1.1 413"))

            let packed = try site.post([0x1F, 0x8B, 8, 0], ["Content-Encoding: gzip"])
            #expect(packed.hasPrefix("HTTP/1.1 415"))
            #expect(packed.contains("without Content-Encoding"))
        }
    }

    @Test("in the head of a request ends the connection with an answer")
    func heads() throws {
        try withServer { site in
            let headers = (0..<500).map { "X-Header-\($0): value" }
            for head in [
                site.head(["Content-Length: -5"]), site.head(headers),
                site.head(["X-Long: " + String(repeating: "x", count: 200_000)]),
                "this is no HTTP at all\r\n\r\n",
            ] {
                let connection = try RawConnection(port: site.port)
                connection.send(head)
                let answer = try connection.answer()
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            }
        }
    }

    @Test("that does not come ends the connection, and others wait for a place, not for ever")
    func slow() throws {
        try withServer(["idle-seconds": "1", "connection-limit": "8"]) { site in
            let slow = try (0..<8).map { _ in
                let connection = try RawConnection(port: site.port)
                connection.send(site.head(["Content-Length: 1000"]) + "{\"events\"")
                return connection
            }
            // All places are taken by those who say nothing; after a second they are free again.
            // A question that itself took a second to come is asked again.
            var isHealthy = false
            let end = Date(timeIntervalSinceNow: 600)
            while !isHealthy, Date() < end { isHealthy = try site.isHealthy() }
            #expect(isHealthy)
            for connection in slow {
                let answer = try connection.answer()
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
            }
        }
    }
}
