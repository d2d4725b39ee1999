import ConnectedContent
import Foundation
import Gateways
import Liquid
import Logging
import Model
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Ports
import Reasons
import Synchronization
import Testing

@Suite("Calls of connected_content")
struct ConnectedContentClientTests {
    private static let workspace = WorkspaceID(1)

    /// A name service under the test's control; each name has one answer after the other.
    private final class Names: NameResolver {
        private let answers: Mutex<[String: [[String]]]>

        init(_ answers: [String: [[String]]]) {
            self.answers = Mutex(answers)
        }

        func addresses(of host: String) async throws -> [IPAddress] {
            answers.withLock { answers in
                guard var left = answers[host], let next = left.first else { return [] }
                if left.count > 1 { left.removeFirst() }
                answers[host] = left
                return next.compactMap { IPAddress($0) }
            }
        }
    }

    private final class Clock: Sendable {
        private let seconds = Mutex(1_790_000_000.0)
        var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
        func advance(_ amount: Double) { seconds.withLock { $0 += amount } }
    }

    private struct Bench: Sendable {
        let server: LoopbackServer
        let client: ConnectedContentClient
        let clock: Clock

        func url(_ path: String, host: String = "shop.example") -> String {
            "http://\(host):\(server.port)\(path)"
        }

        func get(
            _ path: String,
            host: String = "shop.example",
            _ change: (inout ConnectedContentRequest) -> Void = { _ in }
        ) async throws -> ConnectedContentResponse {
            var request = ConnectedContentRequest(url: url(path, host: host))
            change(&request)
            return try await client.fetch(request, for: workspace)
        }
    }

    /// Runs `work` with a server that the settings allow, and a client for it.
    private func bench(
        _ change: (inout ConnectedContentSettings) -> Void = { _ in },
        names: [String: [[String]]] = ["shop.example": [["127.0.0.1"]]],
        allowed: String = "127.0.0.1:PORT",
        tls: NIOSSLContext? = nil,
        _ work: (Bench) async throws -> Void
    ) async throws {
        try await LoopbackServer.run(tls: tls) { server in
            var settings = ConnectedContentSettings()
            // Only what is about the limit meets it, however busy the machine is.
            settings.timeLimit = .seconds(3600)
            settings.allowed = try AllowList(
                allowed.replacingOccurrences(of: "PORT", with: "\(server.port)")
            )
            change(&settings)
            let clock = Clock()
            let client = ConnectedContentClient(
                settings: settings,
                resolver: Names(names),
                eventLoops: MultiThreadedEventLoopGroup.singleton,
                credentials: { name, workspace in
                    name == "shop" && workspace == Self.workspace ? ("ada", "öffne:dich") : nil
                },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                now: { clock.now }
            )
            do {
                try await work(Bench(server: server, client: client, clock: clock))
            } catch {
                await client.shutDown()
                throw error
            }
            await client.shutDown()
        }
    }

    private func text(_ response: ConnectedContentResponse) -> String {
        String(decoding: response.body, as: UTF8.self)
    }

    private func refusal(_ work: () async throws -> Void) async -> String? {
        do {
            try await work()
        } catch ContentFetchError.refused(let reason) {
            return reason.description
        } catch {
            return "other: \(error)"
        }
        return nil
    }

    @Test(
        "over TLS a server is believed with a certificate for its name from a trusted authority",
        arguments: [
            (host: "shop.example", names: ["shop.example"], isTrusted: true, answers: true),
            ("shop.example", ["shop.example"], false, false),
            ("shop.example", ["other.example", "127.0.0.1"], true, false),
            ("shop.example", ["other.example", "*.EXAMPLE"], true, true),
            ("shop.example", ["*.shop.example"], true, false),
            ("127.0.0.1", ["127.0.0.1"], true, true), ("127.0.0.1", ["shop.example"], true, false),
        ]
    )
    func certificates(
        host: String,
        names: [String],
        isTrusted: Bool,
        answers: Bool
    ) async throws {
        let authority = try SimulatorAuthority(now: Date())
        let identity = try authority.makeServerIdentity(hosts: names)
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: NIOSSLCertificate.fromPEMBytes(
                    Array(identity.certificatePEM.utf8)
                )
                .map { .certificate($0) },
                privateKey: .privateKey(
                    NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
                )
            )
        )
        let trusted = isTrusted ? try ContentAuthorities(pem: authority.certificatePEM) : nil
        try await bench({ $0.authorities = trusted ?? ContentAuthorities() }, tls: context) {
            bench in
            let request = ConnectedContentRequest(
                url: "https://\(host):\(bench.server.port)/number"
            )
            let response = try await bench.client.fetch(request, for: Self.workspace)
            #expect(response.status == (answers ? 200 : 0))
            #expect(bench.server.requests.count == (answers ? 1 : 0))
        }
    }

    @Test("a call carries method, headers, body and credentials, and the name of its host")
    func request() async throws {
        try await bench { bench in
            let response = try await bench.get("/a b?q=ü&r=1#part") { request in
                request.method = "POST"
                request.headers = ["X-Tea": "green"]
                request.body = #"{"k":1}"#
                request.contentType = "application/json"
                request.basicAuth = "shop"
            }
            #expect(response.status == 200)
            let request = try #require(bench.server.requests.first)
            #expect(request.method == "POST")
            #expect(request.path == "/a%20b?q=%C3%BC&r=1")
            #expect(request.headers["Host"] == ["shop.example:\(bench.server.port)"])
            #expect(request.headers["X-Tea"] == ["green"])
            #expect(request.headers["Content-Type"] == ["application/json"])
            let pair = Data("ada:öffne:dich".utf8).base64EncodedString()
            #expect(request.headers["Authorization"] == ["Basic \(pair)"])
            #expect(request.body == #"{"k":1}"#)
        }
    }

    @Test("many users who make the same call at once make it once")
    func sharing() async throws {
        try await bench { bench in
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        text(try await bench.get("/after/100") { $0.cacheSeconds = 0 })
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts == [#"{"number":1}"#])
            #expect(bench.server.requests.count == 1)
        }
    }

    @Test("calls of many users run at the same time, so many at one host")
    func concurrency() async throws {
        try await bench({ $0.callsPerHost = 8 }) { bench in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in 0..<40 {
                    // None is answered before eight are asked for.
                    group.addTask { _ = try await bench.get("/together/8/\(user)") }
                }
                try await group.waitForAll()
            }
            #expect(bench.server.requests.count == 40)
            #expect(bench.server.peak == 8)
        }
    }

    @Test("an answer is used again for as long as the call says")
    func cache() async throws {
        try await bench { bench in
            func number(
                _ path: String,
                _ change: (inout ConnectedContentRequest) -> Void
            ) async throws -> String {
                text(try await bench.get(path, change))
            }
            let first = try await number("/number") { $0.cacheSeconds = 60 }
            bench.clock.advance(59)
            #expect(try await number("/number", { $0.cacheSeconds = 60 }) == first)
            #expect(try await number("/number", { $0.cacheSeconds = 30 }) != first)
            #expect(try await number("/number", { $0.cacheSeconds = 0 }) != first)
            #expect(bench.server.requests.count == 3)
            bench.clock.advance(301)
            _ = try await bench.get("/number")
            _ = try await bench.get("/number")
            #expect(bench.server.requests.count == 4)
            // What changes something is done each time.
            for _ in 0..<2 { _ = try await bench.get("/number") { $0.method = "POST" } }
            #expect(bench.server.requests.count == 6)
        }
    }

    @Test("the cache never holds more bytes than it may")
    func cacheLimit() async throws {
        try await bench({ $0.cacheBytes = 20_000 }) { bench in
            for user in 0..<100 {
                _ = try await bench.get("/number/\(user)")
                #expect(bench.client.cachedBytes <= 20_000)
            }
            #expect(bench.client.cachedBytes > 5_000)
        }
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        try await bench { bench in
            let response = try await bench.get("/redirect")
            #expect(response.status == 302)
            #expect(bench.server.requests.map(\.path) == ["/redirect"])
        }
    }

    @Test(
        "a server that says nothing, or begins and does not end, gives an empty answer in time",
        .timeLimit(.minutes(20)),
        arguments: ["/silent", "/drip"]
    )
    func slow(path: String) async throws {
        try await bench({ $0.timeLimit = .milliseconds(200) }) { bench in
            // The server never ends: without a limit this waits until the test's own.
            let response = try await bench.get(path)
            #expect(response.status == 0)
            #expect(response.body.isEmpty)
            await #expect(throws: ContentFetchError.self) {
                _ = try await bench.get(path) { $0.retries = true }
            }
        }
    }

    @Test("an answer of more bytes than allowed counts as none")
    func huge() async throws {
        try await bench { bench in
            let response = try await bench.get("/huge")
            #expect(response.status == 0)
            #expect(response.body.isEmpty)
        }
    }

    @Test("a failing server gives an empty answer, or another try where the call asks for one")
    func failure() async throws {
        try await bench { bench in
            let response = try await bench.get("/status/503")
            #expect(response.status == 503)
            #expect(response.body.isEmpty)
            await #expect(
                throws: ContentFetchError.unavailable(
                    .hostAnswered,
                    ["host": "shop.example", "status": "503"]
                )
            ) {
                _ = try await bench.get("/status/503") { $0.retries = true }
            }
            // Failures are not kept.
            #expect(bench.server.requests.count == 2)
            let missing = try await bench.get("/status/404") { $0.retries = true }
            #expect(missing.status == 404)
        }
    }

    @Test("a host without an address gives an empty answer")
    func unknown() async throws {
        try await bench(names: [:]) { bench in
            let answer1 = try await bench.get("/number")
            #expect(answer1.status == 0)
        }
    }

    @Test(
        "an address inside the network is refused, however it is written",
        arguments: [
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
            "100.100.100.200", "0.0.0.0", "224.0.0.1", "255.255.255.255", "168.63.129.16",
            "::1", "::", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "fe80::1",
            "fd00:ec2::254", "ff02::1", "2002:7f00:1::1", "2001:0:1::1", "2001:db8::1",
        ]
    )
    func inside(address: String) async throws {
        try await bench(names: ["shop.example": [[address]]], allowed: "") { bench in
            for host in ["shop.example", address.contains(":") ? "[\(address)]" : address] {
                let reason = await refusal {
                    _ = try await bench.client.fetch(
                        ConnectedContentRequest(url: "http://\(host)/number"),
                        for: Self.workspace
                    )
                }
                // Where a name leads inside is told to the log, not to who writes templates.
                let isName = host == "shop.example"
                let named = isName ? host : address
                #expect(reason?.contains(named) == true, "\(host): \(reason ?? "no refusal")")
                #expect(reason?.contains(address) == !isName)
            }
            #expect(bench.server.requests.isEmpty)
        }
    }

    @Test("addresses that only a resolver reads as numbers go through the check too")
    func disguised() async throws {
        let names = ["2130706433": [["127.0.0.1"]], "0x7f.1": [["127.0.0.1"]]]
        try await bench(names: names, allowed: "") { bench in
            for host in names.keys {
                let reason = await refusal { _ = try await bench.get("/number", host: host) }
                #expect(reason?.contains("not in the public network") == true)
                #expect(reason?.contains("127.0.0.1") == false)
            }
        }
    }

    @Test("the connection goes to the address that was checked, and a new answer is checked anew")
    func rebinding() async throws {
        try await bench(names: ["shop.example": [["127.0.0.1"], ["10.0.0.1"]]]) { bench in
            // No name service but the test's knows the name, so nobody asked again.
            let answer2 = try await bench.get("/number") { $0.cacheSeconds = 0 }
            #expect(answer2.status == 200)
            let answer3 = try await bench.get("/number") { $0.cacheSeconds = 0 }
            #expect(answer3.status == 200)
            bench.clock.advance(31)
            let reason = await refusal {
                _ = try await bench.get("/number") { $0.cacheSeconds = 0 }
            }
            #expect(reason?.contains("shop.example is not in the public network") == true)
            #expect(bench.server.requests.count == 2)
        }
    }

    @Test("only ports 80 and 443 are called, where the settings do not allow another")
    func ports() async throws {
        try await bench(names: ["shop.example": [["8.8.8.8"]]]) { bench in
            let reason = await refusal { _ = try await bench.get("/number") }
            #expect(reason?.contains("neither 80 nor 443") == true)
        }
    }

    @Test("the settings allow names, addresses and ranges, with or without a port")
    func allowing() async throws {
        for allowed in ["shop.example", "127.0.0.0/8", "10.0.0.1, 127.0.0.1"] {
            try await bench(allowed: allowed) { bench in
                let answer4 = try await bench.get("/number")
                #expect(answer4.status == 200)
            }
        }
        for allowed in ["127.0.0.1:1", "shop.example:1", "other.example", "10.0.0.0/8", "::1"] {
            try await bench(allowed: allowed) { bench in
                let reason = await refusal { _ = try await bench.get("/number") }
                #expect(reason != nil, "\(allowed) allows it")
            }
        }
        for wrong in ["http://shop.example", "10.0.0.0/40", "shop.example:0", "a b"] {
            #expect(throws: AllowListError.self) { try AllowList(wrong) }
        }
    }

    @Test(
        "what cannot be a call is refused with the reason",
        arguments: [
            ("ftp://shop.example/", "http://"), ("shop.example/x", "http://"),
            ("http://ada:pw@shop.example/", "basic_auth"), ("http:///x", "host"),
            ("http://shop.example:99999/", "port"), ("http://ünder.example/", "host"),
            ("http://shop.example\r\nX: y/", "port"),
        ]
    )
    func addresses(url: String, part: String) async throws {
        try await bench { bench in
            let reason = await refusal {
                _ = try await bench.client.fetch(
                    ConnectedContentRequest(url: url),
                    for: Self.workspace
                )
            }
            #expect(reason?.contains(part) == true, "\(url): \(reason ?? "no refusal")")
        }
    }

    @Test(
        "headers of the connection, control codes, odd methods and unknown credentials are refused"
    )
    func requestRules() async throws {
        try await bench { bench in
            let changes: [(inout ConnectedContentRequest) -> Void] = [
                { $0.headers = ["Host": "other.example"] },
                { $0.headers = ["X-A": "b\r\nX-C: d"] },
                { $0.headers = ["X A": "b"] },
                { $0.method = "CONNECT" },
                { $0.basicAuth = "bank" },
                { $0.contentType = "a\nb" },
            ]
            for change in changes {
                let reason = await refusal { _ = try await bench.get("/number", change) }
                #expect(reason != nil)
            }
            #expect(bench.server.requests.isEmpty)
        }
    }

    @Test("a caller who stops waiting does not end the call that others wait for")
    func cancellation() async throws {
        try await bench { bench in
            let impatient = Task { try await bench.get("/after/200") }
            try await Task.sleep(for: .milliseconds(50))
            async let patient = bench.get("/after/200")
            impatient.cancel()
            await #expect(throws: CancellationError.self) { try await impatient.value }
            let answer = try await patient
            #expect(answer.status == 200)
            #expect(bench.server.requests.count == 1)
        }
    }
}
