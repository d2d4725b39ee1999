import Audience
import Console
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Ports
import SampleWorkspace
import Server
import ServiceLifecycle
import Testing
import WebPages

/// A browser without a window: keeps cookies, follows nothing by itself.
struct ConsoleBrowser {
    private let client: any TestClientProtocol
    private var cookies: [String: String] = [:]
    var language = "en"
    var userAgent = ""

    struct Page {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let text: String

        var location: String? { headers[.location] }

        /// The value of the first form field with a name.
        func field(_ name: String) -> String? {
            guard let start = text.range(of: "name=\"\(name)\" value=\"") else { return nil }
            let value = text[start.upperBound...].prefix { $0 != "\"" }
            return value.replacingOccurrences(of: "&#x3D;", with: "=")
                .replacingOccurrences(of: "&#61;", with: "=")
                .replacingOccurrences(of: "&#x2F;", with: "/")
        }
    }

    /// Runs the console over the sample workspace and gives a browser that is not logged in.
    ///
    /// Nothing is planned or delivered: what a test sends stays as the console left it.
    static func open(
        _ size: SampleSize = .small,
        isSecure: Bool = false,
        _ work: @escaping @Sendable (inout ConsoleBrowser) async throws -> Void
    ) async throws {
        try await open(size, isSecure: isSecure) { browser, _ in try await work(&browser) }
    }

    /// The same with the store behind the pages.
    ///
    /// - Parameter readsUsers: Whether users are read into memory, which is waited for. What is written is not
    ///   stored without.
    static func open(
        _ size: SampleSize = .small,
        isSecure: Bool = false,
        readsUsers: Bool = true,
        settings change: @escaping @Sendable (inout Settings) -> Void = { _ in },
        _ work: @escaping @Sendable (inout ConsoleBrowser, any Store) async throws -> Void
    ) async throws {
        let sample = try await SampleServer.open(
            size,
            settings: { settings in
                settings.usesHTTPS = isSecure
                // Nothing listens there: no test asks a provider.
                settings.apnsServer = "127.0.0.1:9"
                change(&settings)
            }
        )
        defer { sample.remove() }
        let server = sample.server
        let services = ServiceGroup(
            services: readsUsers ? server.requestServices : [],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let router = try server.pages(
            phones: SamplePhones(now: SampleWorkspace.now),
            books: try Self.books.get()
        )
        let application = Application(responder: router.buildResponder())
        try await withThrowingTaskGroup(of: Void.self) { group in
            if readsUsers { group.addTask { try await services.run() } }
            group.addTask {
                try await application.test(.router) { client in
                    var browser = ConsoleBrowser(client: client)
                    let result: Result<Void, any Error>
                    do {
                        // Until all users are in memory, counts and names of theirs are left out.
                        while readsUsers, !server.audience.status.isReady {
                            try await Task.sleep(for: .milliseconds(5))
                        }
                        result = .success(try await work(&browser, server.store))
                    } catch {
                        result = .failure(error)
                    }
                    await server.openIDWeb.shutDown()
                    try result.get()
                }
            }
            // The pages' end is the services' end.
            _ = try await group.next()
            group.cancelAll()
        }
    }

    /// Everything that the console answers.
    static func routes() async throws -> [RouteDescription] {
        let sample = try await SampleServer.open(.empty)
        defer { sample.remove() }
        return try sample.server.pages(phones: nil, books: try books.get()).routes.map {
            RouteDescription(method: $0.method, path: "\($0.path)")
        }
    }

    /// Read once for all tests. A name in a template that the page does not have is an issue of the
    /// test that draws it.
    private static let books = Result {
        try ConsoleBooks { template, flaw in Issue.record("\(template): \(flaw)") }
    }

    struct RouteDescription: Sendable {
        var method: HTTPRequest.Method
        var path: String
    }

    init(client: any TestClientProtocol) {
        self.client = client
    }

    /// As another browser that has never been here.
    mutating func forgetCookies() { cookies = [:] }

    mutating func get(_ path: String) async throws -> Page {
        try await request(path, method: .get, body: nil, headers: [:])
    }

    /// Asks in either way; fields are only sent with a post.
    mutating func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: [(name: String, value: String)] = []
    ) async throws -> Page {
        method == .get ? try await get(path) : try await post(path, fields)
    }

    /// Posts a form with a file.
    mutating func upload(
        _ path: String,
        _ fields: [(name: String, value: String)],
        file: (field: String, name: String, content: String)
    ) async throws -> Page {
        let boundary = "----noroshi-test"
        var body = ""
        for field in fields {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field.name)\"\r\n"
            body += "\r\n\(field.value)\r\n"
        }
        body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file.field)\"; "
        body += "filename=\"\(file.name)\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        body += "\(file.content)\r\n--\(boundary)--\r\n"
        return try await request(
            path,
            method: .post,
            body: body,
            headers: [.contentType: "multipart/form-data; boundary=\(boundary)"]
        )
    }

    mutating func post(
        _ path: String,
        _ fields: [(name: String, value: String)],
        headers: HTTPFields = [:]
    ) async throws -> Page {
        try await request(
            path,
            method: .post,
            body: FormFields(fields).urlEncoded,
            headers: headers
        )
    }

    @discardableResult
    mutating func logIn(_ email: String = "admin@example.com") async throws -> Page {
        let form = try await get(ConsolePath.login.path)
        return try await post(
            ConsolePath.login.path,
            [
                ("email", email), ("password", SampleWorkspace.password),
                ("token", form.field("token") ?? ""),
            ]
        )
    }

    private mutating func request(
        _ path: String,
        method: HTTPRequest.Method,
        body: String?,
        headers: HTTPFields
    ) async throws -> Page {
        var headers = headers
        headers[.acceptLanguage] = language
        headers[.userAgent] = userAgent
        headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        if body != nil, headers[.contentType] == nil {
            headers[.contentType] = "application/x-www-form-urlencoded"
        }
        let response = try await client.execute(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
        for cookie in response.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard let name = pair.first else { continue }
            cookies[String(name)] = pair.count > 1 ? String(pair[1]) : nil
        }
        return Page(
            status: response.status,
            headers: response.headers,
            text: String(buffer: response.body)
        )
    }
}
