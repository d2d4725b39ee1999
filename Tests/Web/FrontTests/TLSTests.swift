import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import Model
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Front

@Suite("TLS of the server itself", .enabled(if: Tool.areInstalled))
struct TLSTests {
    /// A folder with certificates that openssl has made.
    private struct Files {
        let folder: URL

        var certificatePath: String { folder.appending(path: "certificate.pem").path }
        var keyPath: String { folder.appending(path: "key.pem").path }

        /// Writes a certificate and its key under the names that the server reads.
        func make(_ name: String) async throws {
            try await Tool.openssl.run(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                    "-nodes", "-days", "30", "-subj", "/CN=\(name)",
                    "-addext", "subjectAltName=DNS:localhost",
                    "-out", certificatePath, "-keyout", keyPath,
                ],
                in: folder
            )
            // Clients trust all of them.
            let authorities = folder.appending(path: "authorities.pem")
            let known = (try? Data(contentsOf: authorities)) ?? Data()
            try (known + Data(contentsOf: URL(filePath: certificatePath))).write(to: authorities)
        }

        func certificate(now: Date = Date()) throws -> ServerCertificate {
            try ServerCertificate(certificatePath: certificatePath, keyPath: keyPath, now: now)
        }
    }

    private func withFiles(_ work: (Files) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = Files(folder: folder)
        try await files.make("first")
        try await work(files)
    }

    /// A server, and curl, which asks it.
    private struct Site: Sendable {
        let port: Int
        let door: FrontDoor
        let folder: URL

        func curl(_ path: String, _ arguments: [String], input: Pipe? = nil) async throws -> String
        {
            try await Tool.curl.run(
                [
                    "--silent", "--max-time", "600", "--cacert", "authorities.pem",
                    "--write-out", "\n%{http_version} %{response_code}",
                ] + arguments + ["https://localhost:\(port)\(path)"],
                in: folder,
                input: input
            ).output
        }

        /// Gives up after a minute, for the machine may be slow.
        func waitUntil(_ holds: (FrontDoor) -> Bool) async throws {
            for _ in 0..<12_000 where !holds(door) { try await Task.sleep(for: .milliseconds(5)) }
            #expect(holds(door))
        }

        /// The name in the certificate of a new connection.
        func subject() async throws -> String? {
            let answer = try await Tool.openssl.run(
                ["s_client", "-connect", "localhost:\(port)", "-servername", "localhost"],
                in: folder
            ).output
            return answer.firstMatch(of: /subject=CN ?= ?(\w+)/).map { String($0.1) }
        }
    }

    private func withSite(
        _ files: Files,
        _ certificate: ServerCertificate,
        settings: FrontSettings = FrontSettings(),
        _ work: @escaping @Sendable (Site) async throws -> Void
    ) async throws {
        let door = FrontDoor(settings, certificate: certificate)
        let router = Router()
        router.add(middleware: StrictTransport(days: 30))
        router.add(
            middleware: AnswerRules<BasicRequestContext> { _, _, _ in
                HTTPError(.internalServerError)
            }
        )
        router.post("/count") { request, _ in
            let body = try await request.body.collect(upTo: 8 << 20)
            return "\(body.readableBytes) bytes"
        }
        router.get("/hello") { _, _ in "hello" }
        let application = Application(
            router: router,
            server: door.server,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let folder = files.folder
        try await application.test(.live) { client in
            try await work(Site(port: try #require(client.port), door: door, folder: folder))
        }
    }

    @Test(
        "curl is answered in the protocol that it chooses, with bodies and HSTS",
        arguments: [("--http1.1", "1.1"), ("--http2", "2")]
    )
    func protocols(option: String, version: String) async throws {
        try await withFiles { files in
            let body = files.folder.appending(path: "body")
            try Data(repeating: 7, count: 3_000_000).write(to: body)
            try await withSite(files, try files.certificate()) { site in
                #expect(try await site.curl("/hello", [option]) == "hello\n\(version) 200")
                let head = try await site.curl("/hello", [option, "--head"])
                #expect(head.lowercased().contains("strict-transport-security: max-age=2592000"))
                let sent = try await site.curl("/count", [option, "--data-binary", "@body"])
                #expect(sent == "3000000 bytes\n\(version) 200")
                let many = try await Tool.curl.run(
                    ["--silent", "--max-time", "600", "--cacert", "authorities.pem", option]
                        + [
                            "--parallel", "--output", "/dev/null", "--write-out",
                            "%{response_code} ",
                        ]
                        + ["https://localhost:\(site.port)/hello?[1-60]"],
                    in: site.folder
                )
                #expect(many.output == String(repeating: "200 ", count: 60))
                try await site.waitUntil { $0.places.count == 0 }
            }
        }
    }

    @Test("a body that stops is given up on an HTTP/2 stream, too, and the connection goes on")
    func slowStream() async throws {
        var settings = FrontSettings()
        settings.bodySeconds = 3
        try await withFiles { files in
            try await withSite(files, try files.certificate(), settings: settings) { site in
                let input = Pipe()
                input.fileHandleForWriting.write(Data("some".utf8))
                async let answer = site.curl(
                    "/count",
                    ["--http2", "--request", "POST", "--upload-file", "-"],
                    input: input
                )
                // It counts although it does not say how long it will be.
                try await site.waitUntil { $0.bodies.used == 4 }
                // curl hears the answer when it need not wait for its input any more.
                try await site.waitUntil { $0.bodies.used == 0 }
                try input.fileHandleForWriting.close()
                let text = try await answer
                #expect(text.hasSuffix("2 408"), "\(text)")
            }
        }
    }

    @Test("another certificate is for new connections; open ones, also old ones, go on")
    func reload() async throws {
        var settings = FrontSettings()
        // A handshake may take so long, also beside other tests; a connection longer.
        settings.headSeconds = 8
        try await withFiles { files in
            let certificate = try files.certificate()
            try await withSite(files, certificate, settings: settings) { site in
                #expect(try await site.subject() == "first")
                try await site.waitUntil { $0.places.count == 0 }
                // The files change while curl still reads its own.
                try FileManager.default.copyItem(
                    at: site.folder.appending(path: "authorities.pem"),
                    to: site.folder.appending(path: "former.pem")
                )
                // Both requests use one connection, ten seconds apart.
                async let former = Tool.curl.run(
                    [
                        "--silent", "--max-time", "600", "--cacert", "former.pem",
                        "--rate", "6/m", "--output", "hello-#1",
                        "--write-out", "%{response_code} %{num_connects};",
                        "https://localhost:\(site.port)/hello?[1-2]",
                    ],
                    in: site.folder
                )
                // Answered, so that the certificate of before was shown.
                let hello = site.folder.appending(path: "hello-1").path
                try await site.waitUntil { _ in FileManager.default.fileExists(atPath: hello) }
                try await files.make("second")
                #expect(try certificate.reload(now: Date()))
                #expect(try !certificate.reload(now: Date()))
                #expect(try await site.subject() == "second")
                #expect(try await former.output == "200 1;200 0;")

                // What cannot be used changes nothing, and is told once.
                try Data("nonsense".utf8).write(to: URL(filePath: files.certificatePath))
                #expect(throws: ServerCertificateError.self) {
                    try certificate.reload(now: Date())
                }
                #expect(try !certificate.reload(now: Date()))
                #expect(try await site.subject() == "second")
            }
        }
    }

    @Test("who begins no handshake is cut off, and leaves its place")
    func silence() async throws {
        var settings = FrontSettings()
        settings.headSeconds = 1
        try await withFiles { files in
            try await withSite(files, try files.certificate(), settings: settings) { site in
                let silent = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: site.port).get()
                try await silent.closeFuture.get()
                try await site.waitUntil { $0.places.count == 0 }
            }
        }
    }

    @Test("a file that cannot be used is named, with the reason")
    func problems() async throws {
        try await withFiles { files in
            func problem(now: Date = Date()) throws -> ServerCertificateError? {
                #expect(throws: ServerCertificateError.self) { try files.certificate(now: now) }
            }
            let (path, key) = (URL(filePath: files.certificatePath), URL(filePath: files.keyPath))
            let ended = try problem(now: Date(timeIntervalSinceNow: 40 * 86_400))
            #expect(ended?.file == .certificate && ended?.description.contains("ended at") == true)
            let early = try problem(now: Date(timeIntervalSinceNow: -86_400))
            #expect(early?.description.contains("begins at") == true)

            let former = try Data(contentsOf: key)
            try await files.make("another")
            let other = try Data(contentsOf: key)
            try former.write(to: key)
            let mismatch = try problem()
            #expect(mismatch?.file == .key)
            #expect(
                mismatch?.description.contains("does not belong to the first certificate") == true
            )

            try await Tool.openssl.run(
                ["ec", "-in", "key.pem", "-aes256", "-passout", "pass:secret", "-out", "key.pem"],
                in: files.folder
            )
            #expect(try problem()?.fault == .noKey)
            try other.write(to: key)
            _ = try files.certificate()
            try Data().write(to: path)
            #expect(try problem()?.description.contains("holds no certificate in PEM") == true)
            try FileManager.default.removeItem(at: path)
            let missing = try problem()
            #expect(missing?.path == files.certificatePath)
            #expect(missing?.description.contains("cannot be read") == true)
        }
    }

    @Test("a connection counts as served as long as one of its streams is")
    func tally() {
        let place = WatchedPlace()
        let tally = StreamTally(place: place)
        let own = WatchedPlace()
        let (one, two) = (tally.stream(own), tally.stream(WatchedPlace()))
        one.isServed()
        two.isServed()
        two.isServed()
        one.isWaiting(since: .now())
        #expect(place.serves == true)
        two.leave()
        two.leave()
        #expect(place.serves == false)
        #expect(own.serves == false)
        one.isServed()
        #expect(place.serves == true && own.serves == true)
    }
}

private final class WatchedPlace: WaitingPlace, Sendable {
    private let state = Mutex<Bool?>(nil)

    var serves: Bool? { state.withLock(\.self) }

    func isWaiting(since now: NIODeadline) { state.withLock { $0 = false } }
    func isServed() { state.withLock { $0 = true } }
    func leave() {}
}
