import Foundation
import StoreConformance
import Testing

/// Two servers on one file would lose data: each keeps names of users in memory that the other may
/// change.
@Suite("A second server on one file", .aboutFiles)
struct SecondServerTests {
    @Test("is refused with the first one's name, and takes its place when that was killed")
    func refusal() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-second-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appending(path: "noroshi.sqlite").path
        let options = ["--database", "sqlite:\(database)", "--listen", "127.0.0.1:0"]
        let first = try ServerProcess(arguments: options)
        defer { first.kill() }
        let place = first.address.replacing("http://", with: "")

        let (status, words) = try ServerProcess.runProgram("noroshi-server", ["serve"] + options)
        #expect(status == 1)
        for part in ["is in use", "process \(first.pid)", "listening on \(place)", "lose data"] {
            #expect(words.contains(part), "\(part): \(words)")
        }
        // The first one does not notice.
        #expect(try await first.get("/ready", key: "").0 == 200)

        first.kill()
        let next = try ServerProcess(arguments: options)
        defer { next.kill() }
        #expect(next.pid != first.pid)
        #expect(try await next.get("/health", key: "").0 == 200)
    }
}
