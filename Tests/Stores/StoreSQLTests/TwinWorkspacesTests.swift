import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

/// Two workspaces that are made in the same way, with users, messages and contents of the same
/// names, at the same times.
@Suite("Workspaces that look alike")
struct TwinWorkspacesTests {
    @Test("see nothing of one another, whatever is asked, and change nothing of one another")
    func twins() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-twins-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let first = try await Twin(store)
        let alone = try await first.answers()
        let second = try await Twin(store)
        let together = try await first.answers()
        let others = try await second.answers()
        for (question, answer) in alone.sorted(by: { $0.key < $1.key }) {
            #expect(together[question] == answer, "\(question)")
            // Numbers differ, everything else is the same.
            #expect(Self.shape(others[question]) == Self.shape(answer), "\(question)")
            #expect(!["[]", "[:]", "nil", "([], 0)"].contains(answer), "\(question) has no answer")
        }
        try await first.changesNothing(of: second)
        #expect(try await second.answers() == others)
        try await second.takeAway()
        let left = try await first.answers()
        for (question, answer) in alone { #expect(left[question] == answer, "\(question)") }
    }

    /// A text in which identifiers and numbers look alike.
    private static func shape(_ text: String?) -> String? {
        text?.replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/, with: "id")
            .replacing(/[0-9]+/, with: "n")
    }
}
