import Gateways
import Logging
import Model
import NIOPosix
import Testing

@Suite("A simulator that is stopped")
struct StoppedSimulatorTests {
    @Test("ends the streams of the phones that listen")
    func streams() async throws {
        let simulator = try await APNsSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let token = simulator.registerDevice(bundleID: "dev.noroshi.test", environment: .sandbox)
        let first = simulator.pushes(for: token)
        let second = simulator.pushes(for: token)
        await simulator.stop()
        for await _ in first { Issue.record("nothing was sent") }
        for await _ in second { Issue.record("nothing was sent") }
    }
}
