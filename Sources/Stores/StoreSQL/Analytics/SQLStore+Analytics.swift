import Foundation
import Model
import Ports
import Relational

extension SQLStore: AnalyticsStore {
    package func refreshDailyCounts(in workspace: WorkspaceID, days: LocalDays) async throws {
        var hasMore = true
        while hasMore {
            hasMore = try await write { [unreadable] database in
                try DailyCounter(database, in: workspace, days: days, unreadable).step()
            }
        }
    }

    package func deleteDailyCounts(in workspace: WorkspaceID) async throws {
        try await write { database in try DailyCounter.forget(workspace, database) }
    }

    package func dailyCounts(
        of series: CountSeries,
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [Double] {
        guard let first = boundaries.first, let last = boundaries.last else { return [] }
        let query = CountQuery(series)
        return try await read { database in
            var counts: [Int64: Double] = [:]
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT day, total(\(query.column)) FROM daily_counts
                    WHERE name_id = (
                        SELECT id FROM event_names WHERE workspace_id = :workspace AND name = :name)
                    AND day >= :start AND day < :end AND \(query.condition) GROUP BY day
                    """,
                arguments: query.arguments(workspace)
                    + ["start": first.milliseconds, "end": last.milliseconds]
            )
            while let row = try rows.next() { counts[row[0]] = row[1] }
            let removed = try RemovedCounts(database).counts(of: series, workspace, boundaries)
            return boundaries.dropLast().enumerated().map {
                (counts[$1.milliseconds] ?? 0) / query.scale + removed[$0]
            }
        }
    }

    package func counts(
        of series: CountSeries,
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [Double] {
        let query = CountQuery(series)
        return try await read { database in
            let removed = try RemovedCounts(database).counts(of: series, workspace, boundaries)
            return try zip(boundaries, boundaries.dropFirst()).enumerated().map { place, period in
                let (start, end) = period
                let total =
                    try Double.fetchOnly(
                        try database.cachedStatement(
                            sql: """
                                SELECT \(query.total) FROM events WHERE name_id = (
                                    SELECT id FROM event_names
                                    WHERE workspace_id = :workspace AND name = :name)
                                AND \(EventTimes.within(":start", ":end")) AND \(query.rowCondition)
                                """
                        ),
                        arguments: query.arguments(workspace)
                            + ["start": start.milliseconds, "end": end.milliseconds]
                    )
                return total / query.scale + removed[place]
            }
        }
    }

    package func newUsers(
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [Int] {
        try await read { database in
            try zip(boundaries, boundaries.dropFirst()).map { start, end in
                try Int.fetchOnly(
                    try database.cachedStatement(
                        sql: """
                            SELECT count(*) FROM profiles
                            WHERE workspace_id = ? AND created_at >= ? AND created_at < ?
                            """
                    ),
                    arguments: [workspace.rawValue, start.milliseconds, end.milliseconds]
                )
            }
        }
    }

    package func products(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT item FROM daily_counts WHERE name_id = (
                        SELECT id FROM event_names WHERE workspace_id = ? AND name = '$purchase')
                    AND item <> '' ORDER BY item LIMIT ? OFFSET ?
                    """,
                arguments: [workspace.rawValue, limit, offset]
            )
        }
    }

    package func currencies(
        of product: String?,
        in workspace: WorkspaceID
    ) async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT currency FROM daily_counts WHERE name_id = (
                        SELECT id FROM event_names WHERE workspace_id = :workspace
                        AND name = '$purchase')
                    AND item <> '' AND (:product IS NULL OR item = :product) ORDER BY currency
                    """,
                arguments: ["workspace": workspace.rawValue, "product": product]
            )
        }
    }
}

/// The SQL with which a series reads daily counts or rows.
struct CountQuery {
    let name: String
    /// The SQL expression that one row adds.
    let value: String
    let column: String
    let condition: String
    let total: String
    let rowCondition: String
    /// The divisor that turns the stored unit into the reported one.
    let scale: Double
    private let product: String?
    private let currency: String?

    init(_ series: CountSeries) {
        let isProduct = "(:product IS NULL OR properties ->> '$.product_id' = :product)"
        // Like the daily counts, leave out amounts stored by an earlier version that are too large
        // to sum.
        let isAmount = "abs(CAST(properties ->> '$.price' AS REAL)) <= 1e12"
        let isItem = "item <> '' AND (:product IS NULL OR item = :product)"
        switch series {
        case .events(let event):
            (name, value, column, total, scale) = (event, "1", "count", "count(*)", 1)
            condition = "item = '' AND :product IS NULL AND :currency IS NULL"
            rowCondition = ":product IS NULL AND :currency IS NULL"
            (product, currency) = (nil, nil)
        case .quantity(let bought):
            (name, column, scale) = ("$purchase", "count", 1)
            value = "coalesce(CAST(properties ->> '$.quantity' AS REAL), 0)"
            total = "total(CAST(properties ->> '$.quantity' AS REAL))"
            condition = "\(isItem) AND :currency IS NULL"
            rowCondition = "\(isProduct) AND \(isAmount) AND :currency IS NULL"
            (product, currency) = (bought, nil)
        case .revenue(let bought, let paidIn):
            (name, column, scale) = ("$purchase", "amount", 1_000_000)
            value = """
                coalesce(round(CAST(properties ->> '$.price' AS REAL)
                    * CAST(properties ->> '$.quantity' AS REAL) * 1000000), 0)
                """
            total = "total(\(value))"
            condition = "\(isItem) AND currency = :currency"
            rowCondition = """
                \(isProduct) AND \(isAmount) AND properties ->> '$.currency' = :currency
                """
            (product, currency) = (bought, paidIn)
        }
    }

    /// The arguments of the conditions.
    var values: StatementArguments { ["product": product, "currency": currency] }

    func arguments(_ workspace: WorkspaceID) -> StatementArguments {
        values + ["workspace": workspace.rawValue, "name": name]
    }
}
