import GRDB
import Ports

extension SQLiteStore: HealthStore {
    /// A small write may find room in the log when a larger one does not. After a failure this much
    /// has to go through before the store counts as working.
    private static let proof = 64 * 1024

    package var trouble: StoreTrouble? { condition.trouble }
    package var writesDone: Int { condition.writes }

    package func probe() async -> StoreTrouble? {
        let size = condition.trouble == nil ? 0 : Self.proof
        do {
            try await write { database in
                try database.execute(
                    sql: "INSERT OR REPLACE INTO store_probe (id, filler) VALUES (1, zeroblob(?))",
                    arguments: [size]
                )
            }
            return condition.trouble
        } catch {
            return condition.trouble ?? StoreTrouble("\(error)")
        }
    }
}
