import Accounts
import Foundation
import Logging
import Model
import Ports
import Server
import ServerTesting
import StoreSQL
import StoreTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server on a free port with a new database, and an administrator who is logged in.
struct ConsoleSession: Sendable {
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    private static let password = "a long enough password"

    let server: NoroshiServer
    let workspace: WorkspaceID
    private let address: String
    private let session: URLSession

    /// Waits for an answer however busy the machine is.
    private static var patient: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 600
        return configuration
    }

    /// Runs a server, logs in and does `work`; everything is gone afterwards.
    ///
    /// - Parameters:
    ///   - database: A file that stays, for a server that is started again.
    ///   - kind: What the database is on.
    static func open(
        dependencies: ServerDependencies = .live,
        undoSeconds: Int = 0,
        database: String? = nil,
        on kind: StoreKind = .chosen,
        _ work: @escaping @Sendable (ConsoleSession) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-console-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The hashes of these tests protect nothing; those of AccountsTests are the real ones.
        var dependencies = dependencies
        dependencies.passwordRounds = 16
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = database ?? folder.appending(path: "test.sqlite").path
        var settings = try TestDatabase(at: path, on: kind).settings
        settings.undoSeconds = undoSeconds
        let server = try await NoroshiServer.open(
            settings: settings,
            dependencies: dependencies,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let workspace = try await workspace(of: server)
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await server.run(
                    handlesSignals: false,
                    until: { for await _ in end {} },
                    onRunning: { found.yield($0) }
                )
            }
            group.addTask {
                defer { ending.finish() }
                for await port in ports {
                    let console = ConsoleSession(
                        server: server,
                        workspace: workspace,
                        address: "http://127.0.0.1:\(port)",
                        session: URLSession(configuration: patient)
                    )
                    try await console.logIn()
                    try await work(console)
                    return
                }
            }
            try await group.waitForAll()
        }
    }

    /// The workspace, made with its administrator at the first start.
    private static func workspace(of server: NoroshiServer) async throws -> WorkspaceID {
        if let first = try await server.store.workspaces().first { return first.id }
        let workspace = try await server.store.createWorkspace(
            name: "Kissa Aoi",
            timeZone: "Asia/Tokyo",
            now: Date()
        )
        _ = try await server.members.add(
            MemberDirectory.Draft(
                email: "hanae@example.com",
                name: "Hanae Mori",
                role: .administrator,
                password: password
            ),
            by: .commandLine(account: "test", workspace)
        )
        return workspace
    }

    func get(_ path: String) async throws -> String {
        try await answer(URLRequest(url: try url(path))).text
    }

    /// Posts a form with the token of the page at `page`, and returns the page it leads to.
    @discardableResult
    func post(
        _ path: String,
        _ fields: [String: String],
        tokenFrom page: String? = nil
    ) async throws -> String {
        let form = try await get(page ?? path)
        var fields = fields
        fields["csrf"] = value("csrf", in: form)
        return try await send(path, fields)
    }

    /// Calls the REST API and returns the status.
    func call(_ path: String, key: String, json: String) async throws -> Int {
        try await answer(request(path, key, json)).status
    }

    /// Calls the REST API and returns the body of the answer.
    func ask(_ path: String, key: String, json: String) async throws -> String {
        try await answer(request(path, key, json)).text
    }

    private func request(_ path: String, _ key: String, _ json: String) throws -> URLRequest {
        var request = URLRequest(url: try url(path))
        request.httpMethod = "POST"
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(json.utf8)
        return request
    }

    private func logIn() async throws {
        let form = try await get("/console/login")
        let page = try await send(
            "/console/login",
            [
                "email": "hanae@example.com", "password": Self.password,
                "token": value("token", in: form) ?? "",
            ]
        )
        guard page.contains("Hanae Mori") else {
            throw Problem(description: "the login did not lead to the console: \(page)")
        }
    }

    private func send(_ path: String, _ fields: [String: String]) async throws -> String {
        let plain = CharacterSet.alphanumerics
        var request = URLRequest(url: try url(path))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let pairs = fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")"
        }
        request.httpBody = Data(pairs.joined(separator: "&").utf8)
        return try await answer(request).text
    }

    private func answer(_ request: URLRequest) async throws -> (status: Int, text: String) {
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return (status, String(decoding: data, as: UTF8.self))
    }

    private func url(_ path: String) throws -> URL {
        guard let url = URL(string: address + path) else {
            throw Problem(description: "no address: \(address + path)")
        }
        return url
    }

    private func value(_ field: String, in page: String) -> String? {
        guard let start = page.range(of: "name=\"\(field)\" value=\"") else { return nil }
        return page[start.upperBound...].prefix { $0 != "\"" }
            .replacingOccurrences(of: "&#x3D;", with: "=")
            .replacingOccurrences(of: "&#x2F;", with: "/")
    }
}
