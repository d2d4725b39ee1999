import Foundation
import Model
import Relational

/// How many events of a name were removed when they were old, by the quarter of an hour.
struct RemovedCounts {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func count(ofName name: Int64, from start: Int64, until end: Int64) throws -> Int {
        try Int.fetchOnly(
            try database.cachedStatement(
                sql: """
                    SELECT coalesce(sum(count), 0) FROM removed_counts
                    WHERE name_id = ? AND quarter >= ? AND quarter < ?
                    """
            ),
            arguments: [name, start, end]
        )
    }

    /// One number for each period between boundaries; only events have any.
    func counts(
        of series: CountSeries,
        _ workspace: WorkspaceID,
        _ boundaries: [Date]
    ) throws -> [Double] {
        let periods = zip(boundaries, boundaries.dropFirst())
        guard case .events(let event) = series,
            let name = try Int64.fetchOne(
                database,
                sql: """
                    SELECT id FROM event_names
                    WHERE workspace_id = ? AND name = ? AND kept_since IS NOT NULL
                    """,
                arguments: [workspace.rawValue, event]
            )
        else { return periods.map { _ in 0 } }
        return try periods.map {
            Double(try count(ofName: name, from: $0.milliseconds, until: $1.milliseconds))
        }
    }
}
