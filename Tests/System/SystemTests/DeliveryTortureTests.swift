import Foundation
import Testing

/// `./noroshi torture delivery` at a small size: the same program, the same checks.
@Suite("The crash test of the ledger")
struct DeliveryTortureTests {
    @Test("four kills in a campaign lose nothing and show nothing twice", .timeLimit(.minutes(20)))
    func small() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-torture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (status, output) = try ServerProcess.runProgram(
            "noroshi-bench",
            [
                "torture", "delivery", "--recipients", "1500", "--kills", "4", "--seed", "42",
                "--folder", folder.path,
            ]
        )
        #expect(status == 0, "\(output)")
        #expect(output.contains("PASSED"))
    }
}
