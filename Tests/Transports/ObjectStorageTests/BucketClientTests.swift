import BucketTesting
import Foundation
import Gateways
import NIOHTTP1
import NIOSSL
import Synchronization
import Testing

@testable import ObjectStorage

@Suite("A bucket")
struct BucketClientTests {
    private static let moment = Date(timeIntervalSince1970: 1_795_000_000)

    /// A store, and a folder for files.
    private struct Bench: Sendable {
        let server: BucketServer
        let folder: String
        let pauses: Counter

        func file(_ bytes: Int) throws -> (path: String, data: Data) {
            var data = Data(capacity: bytes)
            for index in 0..<bytes { data.append(UInt8(truncatingIfNeeded: index &* 31 >> 3)) }
            let path = folder + "/file-\(bytes)"
            try data.write(to: URL(filePath: path))
            return (path, data)
        }

        func use<Value: Sendable>(
            _ change: (inout Access) -> Void = { _ in },
            _ work: (BucketClient) async throws -> Value
        ) async throws -> Value {
            let settings = server.settings
            var access = Access(
                url: server.url,
                region: settings.region,
                bucket: settings.bucket,
                credentials: BucketCredentials(
                    keyID: settings.keyID,
                    secret: settings.secret,
                    token: settings.token
                ),
                now: moment
            )
            change(&access)
            let now = access.now
            return try await BucketAccess(
                endpoint: try BucketEndpoint(url: access.url, region: access.region),
                credentials: access.credentials
            ).withBucket(
                access.bucket,
                now: { now },
                trust: access.trust,
                pause: { [pauses] _ in pauses.add() },
                work
            )
        }
    }

    private struct Access {
        var url: String
        var region: String
        var bucket: String
        var credentials: BucketCredentials
        var now: Date
        var trust = NIOSSLTrustRoots.default
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock(\.self) }
        func add() { count.withLock { $0 += 1 } }
    }

    private func withBench(
        _ change: (inout BucketServer.Settings) throws -> Void = { _ in },
        _ body: (Bench) async throws -> Void
    ) async throws {
        var settings = BucketServer.Settings(now: { Self.moment })
        settings.leastPart = 1 << 16
        try change(&settings)
        let server = try await BucketServer.start(settings)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-bucket-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            try await body(Bench(server: server, folder: folder, pauses: Counter()))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test("takes objects, lists them page by page, and gives them back")
    func objects() async throws {
        try await withBench({ $0.page = 3 }) { bench in
            try await bench.use { bucket in
                let keys = (0..<10).map { "a/b ç+&<\($0)>" } + ["other"]
                for key in keys { try await bucket.put(Data(key.utf8), at: key) }
                let found = try await bucket.objects("a/")
                #expect(found.map(\.key) == Array(keys.prefix(10)))
                #expect(found.first?.bytes == keys[0].utf8.count)
                #expect(try await bucket.object(keys[3]) == Data(keys[3].utf8))
                await #expect(throws: BucketError.noObject("none")) {
                    try await bucket.object("none")
                }
                try await bucket.delete(keys[0])
                try await bucket.delete(keys[0])
                #expect(try await bucket.objects("a/").count == 9)
            }
        }
    }

    @Test("takes a large file in parts, and gives it back as it was")
    func parts() async throws {
        try await withBench { bench in
            let small = try bench.file(1 << 16)
            let large = try bench.file(3 << 16 | 17)
            try await bench.use { bucket in
                try await bucket.upload(small.path, to: "small", partSize: 1 << 16)
                #expect(bench.server.requests.count == 1)
                try await bucket.upload(large.path, to: "large", partSize: 1 << 16)
                #expect(bench.server.objects["small"] == small.data)
                #expect(bench.server.objects["large"] == large.data)
                #expect(bench.server.openUploads.isEmpty)
                // One request to begin, four parts, one to complete.
                #expect(bench.server.requests.count == 7)
                let path = bench.folder + "/back"
                try await bucket.download("large", to: path, bytes: large.data.count)
                #expect(FileManager.default.contents(atPath: path) == large.data)
                let mode = try FileManager.default.attributesOfItem(atPath: path)
                #expect(mode[.posixPermissions] as? Int == 0o600)
                let empty = try bench.file(0)
                try await bucket.upload(empty.path, to: "empty", partSize: 1 << 16)
                try await bucket.download("empty", to: path, bytes: 0)
                #expect(FileManager.default.contents(atPath: path) == Data())
            }
        }
    }

    @Test("is asked again after temporary errors, a few times")
    func retries() async throws {
        try await withBench { bench in
            let large = try bench.file(3 << 16 | 17)
            let failures = Mutex<[String: Int]>([:])
            // Each request fails twice in some way before it is answered.
            bench.server.onRequest { request in
                let count = failures.withLock { failures in
                    failures[request.method + request.uri, default: 0] += 1
                    return failures[request.method + request.uri, default: 0]
                }
                switch count {
                case 1: return .answer(503, "SlowDown")
                case 2: return .closes(afterwards: request.method == "POST")
                default: return nil
                }
            }
            try await bench.use { bucket in
                try await bucket.upload(large.path, to: "large", partSize: 1 << 16)
                #expect(bench.server.objects["large"] == large.data)
                // Two failures of each of the six requests, and of the question whether the file is
                // complete since the answer that was lost.
                #expect(bench.pauses.value == 14)
                bench.server.onRequest { _ in .answer(500, "InternalError") }
                await #expect(throws: BucketError.busy(bench.server.url, "InternalError")) {
                    try await bucket.put(Data(), at: "a")
                }
            }
        }
    }

    @Test("goes on with a download where the connection broke")
    func resumed() async throws {
        try await withBench { bench in
            let large = try bench.file(200_000)
            bench.server.set(large.data, at: "large")
            let asked = Mutex(0)
            bench.server.onRequest { request in
                asked.withLock { asked in
                    asked += 1
                    return asked < 8 ? .cuts(20_000) : nil
                }
            }
            let path = bench.folder + "/back"
            try await bench.use { bucket in
                try await bucket.download("large", to: path, bytes: large.data.count)
                #expect(FileManager.default.contents(atPath: path) == large.data)
                let ranges = bench.server.requests.compactMap { $0.headers.first(name: "range") }
                #expect(ranges.count == 7)
                // So is one that does not end where it should.
                await #expect(throws: BucketError.changed("large")) {
                    try await bucket.download("large", to: path, bytes: large.data.count - 1)
                }
                // Whoever replaces it meanwhile is noticed.
                asked.withLock { $0 = 0 }
                bench.server.onRequest { [server = bench.server] _ in
                    asked.withLock { $0 += 1 }
                    if asked.withLock(\.self) == 2 { server.set(Data("new".utf8), at: "large") }
                    return asked.withLock(\.self) == 1 ? .cuts(20_000) : nil
                }
                await #expect(throws: BucketError.changed("large")) {
                    try await bucket.download("large", to: path, bytes: large.data.count)
                }
            }
        }
    }

    @Test("keeps no parts of an upload that failed or was cancelled")
    func givenUp() async throws {
        try await withBench { bench in
            let large = try bench.file(3 << 16 | 17)
            bench.server.onRequest { request in
                request.query("partNumber") == "3" ? .answer(403, "AccessDenied") : nil
            }
            try await bench.use { bucket in
                await #expect(throws: BucketError.denied(.part, bucket: "tea")) {
                    try await bucket.upload(large.path, to: "large", partSize: 1 << 16)
                }
                #expect(bench.server.openUploads.isEmpty)
                let (begun, said) = AsyncStream.makeStream(of: Void.self)
                bench.server.onRequest { request in
                    guard request.query("partNumber") == "2" else { return nil }
                    said.yield()
                    return .silence
                }
                let upload = Task {
                    try await bucket.upload(large.path, to: "large", partSize: 1 << 16)
                }
                for await _ in begun { break }
                #expect(bench.server.openUploads == ["large"])
                upload.cancel()
                await #expect(throws: (any Error).self) { try await upload.value }
                #expect(bench.server.openUploads.isEmpty)
                #expect(bench.server.objects.isEmpty)
            }
        }
    }

    @Test("tells which uploads are open below a prefix, page by page, and gives them up")
    func leftovers() async throws {
        try await withBench({ $0.page = 2 }) { bench in
            try await bench.use { bucket in
                for key in ["a/1", "a/2", "a/2", "a/3", "b/1"] {
                    _ = try await bucket.send(
                        .init(action: .begin, method: .POST, key: key, query: [("uploads", "")])
                    )
                }
                let open = try await bucket.openUploads("a/")
                #expect(open.map(\.key) == ["a/1", "a/2", "a/2", "a/3"])
                for upload in open { try await bucket.abort(upload) }
                try await bucket.abort(open[0])
                #expect(bench.server.openUploads == ["b/1"])
                bench.server.onRequest { _ in .answer(501, "NotImplemented") }
                #expect(try await bucket.openUploads("b/").isEmpty)
            }
        }
    }

    @Test("that refuses says what to do about it")
    func refusals() async throws {
        try await withBench { bench in
            func problem(_ change: (inout Access) -> Void) async -> BucketError? {
                do {
                    _ = try await bench.use(change) { try await $0.objects("") }
                    return nil
                } catch {
                    return error as? BucketError
                }
            }
            let settings = bench.server.settings
            let url = bench.server.url
            #expect(await problem { _ in } == nil)
            #expect(
                await problem { $0.bucket = "coffee" } == .noBucket("coffee", endpoint: url)
            )
            #expect(
                await problem {
                    $0.credentials = BucketCredentials(keyID: "AKIDX", secret: settings.secret)
                } == .unknownKey("AKIDX")
            )
            #expect(
                await problem {
                    $0.credentials = BucketCredentials(keyID: settings.keyID, secret: "x")
                } == .wrongSecret(settings.keyID)
            )
            #expect(
                await problem {
                    $0.credentials = BucketCredentials(
                        keyID: settings.keyID,
                        secret: settings.secret,
                        token: "old"
                    )
                } == .expired(settings.keyID)
            )
            #expect(
                await problem { $0.region = "us-east-1" }
                    == .wrongRegion("eu-test-1", given: "us-east-1")
            )
            #expect(
                await problem { $0.now += 3600 }
                    == .clock(server: Self.moment.formatted(.iso8601))
            )
            bench.server.onRequest { _ in .answer(403, "AccessDenied") }
            #expect(await problem { _ in } == .denied(.list, bucket: "tea"))
            bench.server.onRequest { _ in .answer(418, "Teapot") }
            #expect(
                await problem { _ in } == .refused(status: 418, code: "Teapot", message: "A test")
            )
            bench.server.onRequest { _ in nil }
            await bench.server.stop()
            let before = bench.pauses.value
            guard case .unreachable(url, let reason) = await problem({ _ in }) else {
                Issue.record("a store that is not there was reached")
                return
            }
            #expect(reason == "Connection refused")
            #expect(bench.pauses.value == before + 3)
        }
    }

    @Test("is used with the token of credentials that last for hours")
    func token() async throws {
        try await withBench({ $0.token = "for some hours" }) { bench in
            try await bench.use { try await $0.put(Data("a".utf8), at: "a") }
            #expect(bench.server.objects["a"] == Data("a".utf8))
        }
    }

    @Test("is spoken to by HTTPS, with an authority that is trusted or not at all")
    func encryption() async throws {
        // The certificate holds by the clock of this computer.
        let authority = try SimulatorAuthority(now: Date.now)
        let identity = try authority.makeServerIdentity(hosts: ["localhost"])
        try await withBench({
            $0.tls = .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(
                    Array(identity.certificatePEM.utf8)
                ).map { .certificate($0) },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
                )
            )
        }) { bench in
            let trusted = NIOSSLTrustRoots.certificates(
                try NIOSSLCertificate.fromPEMBytes(Array(authority.certificatePEM.utf8))
            )
            try await bench.use({ $0.trust = trusted }) { bucket in
                try await bucket.put(Data("a".utf8), at: "a")
            }
            do {
                _ = try await bench.use { try await $0.objects("") }
                Issue.record("a stranger's certificate was taken")
            } catch {
                guard case BucketError.untrusted(bench.server.url, _) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
            #expect(bench.server.requests.count == 1)
        }
    }

    @Test("of another kind of server is not taken for one")
    func strangers() async throws {
        try await withBench { bench in
            bench.server.onRequest { _ in .answer(200, "Hello") }
            await #expect(throws: BucketError.unreadable(.list, "it is a 'Error'")) {
                try await bench.use { try await $0.objects("") }
            }
        }
    }

    @Test("has a sentence for each problem that says what to do")
    func sentences() {
        for action in BucketAction.allCases {
            let text = BucketError.denied(action, bucket: "tea").description
            #expect(text.contains("s3:") && text.contains("'tea'"))
        }
        #expect(BucketError.clock(server: nil).description.contains("NTP"))
        #expect(
            BucketError.wrongRegion("eu-west-1", given: "us-east-1").description
                .contains("set s3-region to eu-west-1")
        )
    }
}
