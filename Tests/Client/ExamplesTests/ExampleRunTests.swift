import Foundation
import Testing

@Suite("The examples")
struct ExampleRunTests {
    @Test(
        "run and say what they show",
        arguments: [
            ("example-push-analytics", "records that wait for the server: 3"),
            ("example-content-extension", "37 % done, next: Segments"),
            ("example-in-app-picker", "chosen: tea"),
            ("example-rakuza-migration", "open measured: true"),
        ]
    )
    func run(name: String, line: String) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent()
            .appendingPathComponent(name)
        let output = Pipe()
        process.standardOutput = output
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        #expect(status == 0)
        #expect(text.contains(line), "\(text)")
    }
}
