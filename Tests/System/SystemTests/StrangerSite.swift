import Foundation
import ServerTesting
import Testing

/// A server process in a folder of its own, and what a stranger can do to it.
struct StrangerSite {
    let folder: URL
    let options: [String]
    let key: String

    var databasePath: String { folder.appending(path: "test.sqlite").path }

    static func run(_ body: (StrangerSite) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-strangers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let options = try TestDatabase(at: folder.appending(path: "test.sqlite").path).options
        let key = try ServerProcess.run(
            ["apikey", "create", "--name", "test", "--permissions", "*"] + options
        )
        try await body(StrangerSite(folder: folder, options: options, key: key))
    }

    func start(_ more: [String] = [], fileBlocks: Int? = nil) throws -> Running {
        Running(
            server: try ServerProcess(
                arguments: options + ["--listen", "127.0.0.1:0", "--log-level", "critical"] + more,
                fileBlocks: fileBlocks
            ),
            key: key
        )
    }

    /// A server that runs.
    struct Running {
        let server: ServerProcess
        let key: String

        var port: Int { server.address.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

        func connect(_ text: String = "") throws -> RawConnection {
            let connection = try RawConnection(port: port)
            connection.send(text)
            return connection
        }

        func ask(_ text: String) throws -> String { try connect(text).answer() }

        func get(_ path: String) throws -> String {
            try ask("GET \(path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
        }

        /// The head of a POST to /users/track.
        func head(_ length: Int, hasKey: Bool) -> String {
            "POST /users/track HTTP/1.1\r\nHost: test\r\nContent-Length: \(length)\r\n"
                + (hasKey ? "Authorization: Bearer \(key)\r\n" : "") + "\r\n"
        }

        func track(_ id: String) throws -> String {
            let body = #"{"attributes": [{"external_id": "\#(id)"}]}"#
            return try ask(head(body.utf8.count, hasKey: true) + body)
        }

        /// Tries to sign in at the console and returns the answer.
        func signIn(_ email: String, _ password: String) throws -> String {
            let form = try get("/console/login")
            let cookie = try Self.part(of: form, from: "noroshi_login=", to: ";")
            let token = try Self.part(of: form, from: #"name="token" value=""#, to: "\"")
            let body = "email=\(email)&password=\(password)&token=\(token)&back="
            return try ask(
                "POST /console/login HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
                    + "Cookie: noroshi_login=\(cookie)\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\n" + body
            )
        }

        static func part(of text: String, from start: String, to end: String) throws -> String {
            let from = try #require(text.range(of: start))
            let to = try #require(text[from.upperBound...].range(of: end))
            return String(text[from.upperBound..<to.lowerBound])
        }

        /// What the process has in memory, in bytes.
        func memory() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            return (Int(line.filter(\.isNumber)) ?? 0) * 1024
        }
    }
}
