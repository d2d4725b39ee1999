import Foundation
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("A copy of a database is looked at")
struct CopiedDatabaseTests {
    @Test("the rows of every table of ours are counted, and of nothing else", .aboutFiles)
    func rows() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-copied-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        for number in 0..<3 {
            try await conformance.register("user-\(number)", token: "t\(number)", in: fixture)
        }
        try await store.close()
        let (damage, rows) = try CopiedDatabase(path: path).examine()
        #expect(damage == [])
        #expect(rows["profiles"] == 3)
        #expect(rows["workspaces"] == 1)
        #expect(rows["news"] == 0)
        #expect(rows.keys.filter { $0.hasPrefix("sqlite_") } == [])
    }
}
