import Model
import Relational

extension SQLStore {
    /// The next users that a table has for one thing, in the order of their numbers.
    func profiles(
        in table: String,
        where column: String,
        is id: Int64,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        try await read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT profile_id FROM \(table) WHERE \(column) = ? AND profile_id > ?
                    ORDER BY profile_id LIMIT ?
                    """,
                arguments: [id, cursor?.rawValue ?? 0, limit]
            ).map { ProfileID($0) }
        }
    }
}
