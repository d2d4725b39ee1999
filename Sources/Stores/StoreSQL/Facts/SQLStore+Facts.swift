import Foundation
import Model
import Ports
import Relational

extension SQLStore: FactStore {
    /// Between the last number that was given and the first one after a restore.
    private static let skipped: Int64 = 1_000_000_000

    package func numberFacts() async throws -> Bool {
        guard try await read({ try FactNumbering.isDue($0) }) else { return false }
        return try await write { try FactNumbering($0).run() }
    }

    package func lastFactNumber() async throws -> Int64 {
        try await read { try FactNumbering.last($0) }
    }

    package func skipFactNumbers() async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE fact_streams SET row = row + ? WHERE stream = 0",
                arguments: [Self.skipped]
            )
        }
    }

    package func facts(
        in workspace: WorkspaceID,
        after number: Int64,
        kinds: Set<Fact.Kind>,
        limit: Int
    ) async throws -> FactPage {
        try await read { [unreadable] database in
            let reader = FactReader(
                database,
                in: workspace,
                kinds: kinds,
                limit: limit,
                unreadable: unreadable
            )
            return try reader.page(after: number)
        }
    }
}
