import Foundation
import Logging
import Server
import Synchronization
import Testing

/// Server, push service and phone in one process, over real sockets.
@Suite("A push goes from the server to the phone and its open comes back")
struct ScenarioTests {
    @Test("the demo's story: one push to three platforms, then one to a phone, all opened")
    func story() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-story-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = Mutex<[String]>([])
        let demo = try await Demo(
            folder: folder,
            host: "127.0.0.1",
            port: 0,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await DemoScenario(demo: demo).run { line in lines.withLock { $0.append(line) } }
        #expect(
            lines.withLock { $0 }.contains("sent 3, accepted 3, received 3, opened 3")
        )
        #expect(lines.withLock { $0.last } == "sent 1, accepted 1, received 1, opened 1")
    }
}
