import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Decodes rows with the store's own readers and reports those that they reject.
struct DomainCheck {
    let database: Database

    func run(_ report: inout DoctorReport) throws {
        try checkEvents(&report)
        try read("profiles", .setAside, &report) { _ = try Profile(row: $0) }
        try read("sends", .cancelled, &report, columns: Send.columns) { _ = try Send(row: $0) }
        try read("campaigns", .none, &report) { _ = try Campaign(row: $0) }
        try read("in_app_messages", .none, &report) { _ = try InAppMessageDefinition(row: $0) }
        try read("news", .none, &report) { _ = try NewsItem(row: $0) }
        try read("segments", .none, &report) { _ = try StoredSegment(row: $0) }
        try read("content_blocks", .none, &report) { _ = try ContentBlock(row: $0) }
        try read("subscription_groups", .none, &report) { _ = try SubscriptionGroup(row: $0) }
        try read("preference_centers", .none, &report) { _ = try PreferenceCenter(row: $0) }
        try checkCounts(&report)
        report.faults += try UserEventIndex(database).faults()
        report.faults += try RemovedActivity(database).faults()
    }

    private func checkEvents(_ report: inout DoctorReport) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT events.id AS id, name, properties FROM events
                JOIN event_names ON event_names.id = name_id
                WHERE properties IS NOT NULL
                """
        )
        while let row = try rows.next() {
            try check(row, "events", .setAside, &report) {
                let properties = try StoredJSON.object(row["properties"])
                guard row["name"] == "$purchase" else { return }
                if let price = properties["price"]?.doubleValue, abs(price) > Self.priceLimit {
                    throw StoreError(.unreadable, .amount, ["value": "\(price)"])
                }
            }
        }
    }

    /// The maximum that ingestion accepts.
    private static let priceLimit = 1e12

    private func read(
        _ table: String,
        _ remedy: StoredFault.Remedy,
        _ report: inout DoctorReport,
        columns: String = "*",
        _ body: (Row) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT \(columns) FROM \(table)")
        while let row = try rows.next() {
            try check(row, table, remedy, &report) { try body(row) }
        }
    }

    private func check(
        _ row: Row,
        _ table: String,
        _ remedy: StoredFault.Remedy,
        _ report: inout DoctorReport,
        _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as StoreError where error.code == .unreadable {
            report.faults.append(
                StoredFault(
                    table: table,
                    row: row.hasColumn("id") ? Int64.fromDatabaseValue(row["id"]) : nil,
                    reason: "\(error)",
                    remedy: remedy
                )
            )
        }
    }

    private func checkCounts(_ report: inout DoctorReport) throws {
        let workspaces = try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT workspace_id, min(day) AS day FROM daily_counts
                JOIN event_names ON event_names.id = name_id
                WHERE abs(amount) > 1e300 OR abs(count) > 1e300
                    OR day NOT BETWEEN \(Timestamp.milliseconds.lowerBound - 172_800_000)
                        AND \(Timestamp.milliseconds.upperBound)
                GROUP BY workspace_id
                """
        )
        for row in workspaces {
            report.faults.append(
                StoredFault(
                    table: "daily_counts",
                    row: row["workspace_id"],
                    reason: "the daily counts of the workspace hold no numbers",
                    remedy: .counted
                )
            )
        }
    }
}
