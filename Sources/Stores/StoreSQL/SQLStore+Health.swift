import Foundation
import Model
import Ports
import Relational

extension SQLStore: HealthStore {
    /// Number of bytes that must be written after a failure before the store counts as working
    /// again: a small write may fit into the log when a larger one does not.
    private static let proof = 64 * 1024

    package var trouble: StoreTrouble? { condition.trouble }
    package var writesDone: Int { condition.writes }

    package func storedBytes() async throws -> Int64 {
        switch place {
        case .file(let file):
            return file.bytes
        case .server:
            return try await read { database in
                try Int64.fetchOne(database, sql: "SELECT pg_database_size(current_database())")
                    ?? 0
            }
        }
    }

    package func freeBytes() async throws -> Int64? {
        // PostgreSQL's own housekeeping knows, and says it to those who may read its statistics.
        guard pool.kind == .sqlite else { return nil }
        return try await read { database in
            let pages = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            return pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    package func probe() async -> StoreTrouble? {
        let size = condition.trouble == nil ? 0 : Self.proof
        do {
            try await write { database in
                try database.execute(
                    sql: """
                        INSERT INTO store_probe (id, filler) VALUES (1, zeroblob(?))
                        ON CONFLICT (id) DO UPDATE SET filler = excluded.filler
                        """,
                    arguments: [size]
                )
            }
            return condition.trouble
        } catch {
            return condition.trouble ?? StoreTrouble(.failed, ["reason": "\(error)"])
        }
    }
}
