import Foundation
import Model
import Ports
import Relational

/// Campaigns and in-app messages of a workspace that count conversions, or a goal, from the rows of events.
struct ConversionHolders {
    private struct Holder {
        var table: String
        var id: Int64
        var name: String
        /// Of the events that are counted.
        var events: Set<String>
        /// Throws where the identifier that people see cannot be read; the events count without it.
        var subject: () throws -> RetentionHolder.Subject
    }

    private let database: Database
    private let workspace: WorkspaceID
    private let unreadable: UnreadableRows

    init(_ database: Database, in workspace: WorkspaceID, _ unreadable: UnreadableRows) {
        self.database = database
        self.workspace = workspace
        self.unreadable = unreadable
    }

    /// The names of all events that are counted.
    func events() throws -> Set<String> {
        try all().reduce(into: []) { $0.formUnion($1.events) }
    }

    /// Whose rows stay, by name; those of one name as they were created, campaigns first.
    func holders() throws -> [RetentionHolder] {
        let found = try all().flatMap { holder -> [RetentionHolder] in
            guard let subject = try unreadable.value(holder.table, holder.id, holder.subject)
            else { return [] }
            var kinds = Set(holder.events.compactMap(Self.kind(ofEvent:)))
            // Who reached the goal is counted from impressions, too.
            if case .inAppMessage = subject { kinds.insert(.inAppReports) }
            return RetainedKind.allCases.filter(kinds.contains).map {
                RetentionHolder(subject, holder.name, of: $0)
            }
        }
        return found.enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map(\.element)
    }

    /// `nil` of events that are always kept.
    private static func kind(ofEvent name: String) -> RetainedKind? {
        if RemovedSessions.names.contains(name) { return .sessions }
        return name.hasPrefix("$") ? nil : .customEvents
    }

    private func all() throws -> [Holder] { try campaigns() + inAppMessages() }

    private func campaigns() throws -> [Holder] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT id, api_id, content FROM campaigns WHERE workspace_id = ? ORDER BY id
                """,
            arguments: [workspace.rawValue]
        ).compactMap { row in
            let id: Int64 = row["id"]
            return try unreadable.value("campaigns", id) { () -> Holder? in
                let content = try StoredJSON.value(row["content"], as: CampaignContent.self)
                guard !content.conversions.isEmpty else { return nil }
                return Holder(
                    table: "campaigns",
                    id: id,
                    name: content.name,
                    events: Set(content.conversions.map(\.event.eventName))
                ) { .campaign(CampaignID(id), apiID: try StoredUUID.value(row, "api_id")) }
            } ?? nil
        }
    }

    private func inAppMessages() throws -> [Holder] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT id AS number, api_id, name, goal FROM in_app_messages
                WHERE workspace_id = ? AND goal IS NOT NULL ORDER BY id
                """,
            arguments: [workspace.rawValue]
        ).compactMap { row in
            let id: Int64 = row["number"]
            return try unreadable.value("in_app_messages", id) {
                let goal = try StoredJSON.value(row["goal"], as: ConversionEvent.self)
                return Holder(
                    table: "in_app_messages",
                    id: id,
                    name: row["name"],
                    events: [goal.event.eventName]
                ) { .inAppMessage(try StoredUUID.value(row, "api_id")) }
            }
        }
    }
}
