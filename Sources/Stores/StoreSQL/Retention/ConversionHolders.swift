import Foundation
import Model
import Ports
import Relational

/// Campaigns and in-app messages of a workspace that count conversions, or a goal, from the rows of events.
struct ConversionHolders {
    struct Holder {
        var subject: RetentionHolder.Subject
        var name: String
        /// Of the events that are counted.
        var events: Set<String>
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

    /// Whose rows stay, by name.
    func holders() throws -> [RetentionHolder] {
        try all().flatMap { holder in
            var kinds = Set(holder.events.compactMap(Self.kind(ofEvent:)))
            // Who reached the goal is counted from impressions, too.
            if case .inAppMessage = holder.subject { kinds.insert(.inAppReports) }
            return RetainedKind.allCases.filter(kinds.contains).map {
                RetentionHolder(holder.subject, holder.name, of: $0)
            }
        }.sorted { $0.name < $1.name }
    }

    /// `nil` of events that are always kept.
    private static func kind(ofEvent name: String) -> RetainedKind? {
        if RemovedSessions.names.contains(name) { return .sessions }
        return name.hasPrefix("$") ? nil : .customEvents
    }

    func all() throws -> [Holder] { try campaigns() + inAppMessages() }

    private func campaigns() throws -> [Holder] {
        try Row.fetchAll(
            database,
            sql: "SELECT id, api_id, content FROM campaigns WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        ).compactMap { row in
            try unreadable.value("campaigns", row["id"]) { () -> Holder? in
                let content = try StoredJSON.value(row["content"], as: CampaignContent.self)
                guard !content.conversions.isEmpty else { return nil }
                return Holder(
                    subject: .campaign(
                        CampaignID(row["id"]),
                        apiID: try StoredUUID.value(row, "api_id")
                    ),
                    name: content.name,
                    events: Set(content.conversions.map(\.event.eventName))
                )
            } ?? nil
        }
    }

    private func inAppMessages() throws -> [Holder] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT id AS number, api_id, name, goal FROM in_app_messages
                WHERE workspace_id = ? AND goal IS NOT NULL
                """,
            arguments: [workspace.rawValue]
        ).compactMap { row in
            try unreadable.value("in_app_messages", row["number"]) {
                let goal = try StoredJSON.value(row["goal"], as: ConversionEvent.self)
                return Holder(
                    subject: .inAppMessage(try StoredUUID.value(row, "api_id")),
                    name: row["name"],
                    events: [goal.event.eventName]
                )
            }
        }
    }
}
