import Foundation
import Gateways
import Logging
import NIOPosix
import Testing

@Suite("A simulator that is started as a program")
struct SimulatorLauncherTests {
    @Test(
        "has written its authority before anybody can connect",
        arguments: [SimulatorKind.apns, .fcm, .webpush]
    )
    func authority(kind: SimulatorKind) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func start(_ port: Int, _ name: String) async throws -> RunningSimulator {
            var options = try SimulatorOptions(kind: kind, listen: "127.0.0.1:\(port)")
            options.authorityFile = folder.appending(path: name)
            return try await SimulatorLauncher.start(
                options,
                eventLoops: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }
        let running = try await start(0, "running.pem")
        // Its port is taken: this one never listens.
        await #expect(throws: SimulatorOptionError.self) {
            try await start(running.port, "late.pem")
        }
        await running.stop()
        for name in ["running.pem", "late.pem"] {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----"))
        }
    }
}
