import Model
import Relational

/// Gives the entries into journeys of one user to another.
struct JourneyEntryMerge {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func move(from source: ProfileID, to target: ProfileID) throws {
        // Nobody is inside one journey twice: the way of the user who stays goes on.
        let twice = """
            profile_id = :source AND end IS NULL AND journey_id IN (
                SELECT journey_id FROM journey_entries WHERE profile_id = :target AND end IS NULL)
            """
        let users: StatementArguments = ["source": source.rawValue, "target": target.rawValue]
        try database.execute(
            sql: """
                INSERT INTO journey_passages
                    (entry_id, number, step_id, version, arrived_at, left_at, outcome)
                SELECT id, passage, step_id, version, arrived_at, arrived_at, :left
                FROM journey_entries WHERE \(twice)
                """,
            arguments: users + ["left": JourneyOutcomeCode.code(.left)]
        )
        try database.execute(
            sql: """
                UPDATE journey_entries SET end = :end, ended_at = arrived_at, due_at = NULL
                WHERE \(twice)
                """,
            arguments: users + ["end": JourneyEnd.merged.rawValue]
        )
        // Numbers after those of the other user, in the same order. The last ones are looked up first:
        // SQLite would find entries that the statement has moved among them.
        try database.execute(
            sql: """
                WITH ends AS MATERIALIZED (
                    SELECT journey_id, max(number) AS last FROM journey_entries
                    WHERE profile_id = :target GROUP BY journey_id
                )
                UPDATE journey_entries SET profile_id = :target, number = number + 1 + coalesce((
                    SELECT last FROM ends WHERE ends.journey_id = journey_entries.journey_id), -1)
                WHERE profile_id = :source
                """,
            arguments: users
        )
    }
}
