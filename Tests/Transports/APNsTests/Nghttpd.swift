import Foundation
import Gateways
import PushTesting

/// A running nghttpd: a server by others, which answers 200 for the device tokens it has files of.
struct Nghttpd {
    struct NotStarted: Error {}

    private static let path = ["/usr/sbin/nghttpd", "/usr/bin/nghttpd", "/usr/local/bin/nghttpd"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isInstalled: Bool { path != nil }

    let port: Int
    let authorityPEM: String
    private let process: Process

    /// Runs the server for as long as `body` takes.
    static func run(
        token: String,
        streamLimit: Int,
        _ body: (Nghttpd) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-nghttpd-\(UUID().uuidString)")
        let pages = folder.appending(path: "pages/3/device")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await Nghttpd(folder, streamLimit: streamLimit)
        try Data().write(to: pages.appending(path: token))
        try await running {
            try await body(server)
        } cleanUp: {
            server.kill()
        }
    }

    private init(_ folder: URL, streamLimit: Int) async throws {
        let authority = try SimulatorAuthority(now: Date())
        let identity = try authority.makeServerIdentity(hosts: ["localhost", "127.0.0.1"])
        let key = folder.appending(path: "key.pem")
        let certificate = folder.appending(path: "certificate.pem")
        try Data(identity.privateKeyPEM.utf8).write(to: key)
        try Data(identity.certificatePEM.utf8).write(to: certificate)
        authorityPEM = authority.certificatePEM
        guard let path = Self.path else { throw NotStarted() }
        // A port that is taken ends the program at once.
        for _ in 0..<10 {
            let port = Int.random(in: 20_000..<60_000)
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = [
                "-n", "1", "-m", String(streamLimit), "-a", "127.0.0.1", "-d",
                folder.appending(path: "pages").path, String(port), key.path, certificate.path,
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            try await Task.sleep(for: .milliseconds(300))
            if process.isRunning {
                self.port = port
                self.process = process
                return
            }
        }
        throw NotStarted()
    }

    /// Lets the server answer nothing more.
    func pause() {
        Foundation.kill(process.processIdentifier, SIGSTOP)
    }

    /// Ends the server, which does not heed SIGTERM.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
