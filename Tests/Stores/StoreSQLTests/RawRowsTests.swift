import Foundation
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Rows that are read where they are")
struct RawRowsTests {
    @Test(
        "have the digits of a whole number where a text is asked for, and nothing for NULL",
        arguments: StoreKind.available
    )
    func digits(kind: StoreKind) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-raw-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await Slots.postgres.run {
            let store = try SQLStore.testing(at: path, on: kind)
            let texts = try await store.write { database in
                try database.execute(
                    sql:
                        "INSERT INTO retired_ids (kind, id) VALUES ('cups', -70), ('teas', 1234567890123)"
                )
                var texts: [[String?]] = []
                try RawRows.forEach(
                    database,
                    sql: """
                        SELECT id, kind, NULLIF(kind, 'cups') FROM retired_ids
                        WHERE kind IN ('cups', 'teas') ORDER BY kind
                        """,
                    arguments: []
                ) { row in
                    texts.append(
                        (0..<3).map { column in
                            row.withText(column) { String(decoding: $0, as: UTF8.self) }
                        }
                    )
                    return true
                }
                return texts
            }
            #expect(texts == [["-70", "cups", ""], ["1234567890123", "teas", "teas"]])
            try await store.close()
        }
    }
}
