import Model
import Relational

extension UserEventIndex {
    private struct Named: Hashable {
        var user: Int64
        var row: Int64
    }

    /// The blocks that do not name each of their rows for its user, or are of rows that will come: whoever is looked
    /// for would lack events.
    func faults() throws -> [StoredFault] {
        let newest = try database.last(of: "events")
        var faults: [StoredFault] = []
        var end: Int64 = 0
        for block in try blocks().sorted(by: { $0.first < $1.first }) {
            let named = try named(in: block)
            var missing = block.last > newest ? block.last : nil
            // Rows before it that are in none count as its own.
            try RawRows.forEach(
                database,
                sql: "SELECT id, profile_id FROM events WHERE id > ? AND id <= ? ORDER BY id",
                arguments: [end, block.last]
            ) { row in
                let (id, user) = (row.integer(0), row.integer(1))
                guard user >= 0, !named.contains(Named(user: user, row: id)) else { return true }
                missing = id
                return false
            }
            if let missing {
                faults.append(
                    StoredFault(
                        table: "user_event_blocks",
                        row: block.number,
                        reason: "event \(missing) is missing in the index by user",
                        remedy: .indexed
                    )
                )
            }
            end = max(end, block.last)
        }
        return faults
    }

    private func named(in block: Block) throws -> Set<Named> {
        var named: Set<Named> = []
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT bucket, places FROM user_event_places
                    WHERE bucket IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) AND block = ?
                    """
            ),
            arguments: [try StoredJSON.text(Array(0..<Self.buckets)), block.number]
        )
        while let row = try rows.next() {
            EventPlaces.forEach(in: row[1]) { place in
                let user = Self.user(at: place, in: row[0])
                named.insert(Named(user: user, row: block.first &+ place.distance))
            }
        }
        return named
    }

    /// Has it made anew: until then all works without it.
    func forget() throws {
        try database.execute(sql: "DELETE FROM user_event_blocks")
        try database.execute(sql: "DELETE FROM user_event_places")
    }
}
