import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Recognizes a device's record whose id may have been removed: what it says is stored already.
///
/// A record is older than the day on which its id was stored. So of a record younger than the
/// removed ids the id is there, if it came before; of an older one the row is looked for, with the
/// same user, time and content. Rows of its own transaction are not looked at: what an app says
/// twice in a millisecond comes in one batch.
final class StoredRecords {
    private let database: Database
    /// The ids of younger records are all there.
    private let shortest: Int64
    private var keptSince: [WorkspaceID: Int64] = [:]
    private var lastIDs: [String: Int64] = [:]

    init(_ database: Database, now: Date) {
        self.database = database
        let days = Double(RetentionPeriods.bounds.lowerBound)
        shortest = now.addingTimeInterval(-days * 86_400).milliseconds
    }

    /// Whether the id of a record of this time may have been removed.
    func mayHaveForgotten(_ time: Date, in workspace: WorkspaceID) throws -> Bool {
        guard time.milliseconds < shortest else { return false }
        if let known = keptSince[workspace] { return time.milliseconds < known }
        let pass = try RetentionPass.fetch(.recordIDs, in: workspace, database)
        let moment = pass?.keptSince ?? .min
        keptSince[workspace] = moment
        return time.milliseconds < moment
    }

    func contains(
        _ item: IngestItem,
        of profile: ProfileID,
        on device: DeviceID,
        in workspace: WorkspaceID
    ) throws -> Bool {
        let time = item.time.milliseconds
        if let event = item.content.event {
            // Neither the id nor the row is there any more. What comes for the first time only now
            // cannot be told apart; counting something twice would be worse than missing it.
            if try isRemoved(event.name, time, in: workspace) { return true }
            return try exists(
                "events",
                """
                name_id = (SELECT id FROM event_names WHERE workspace_id = ? AND name = ?)
                    AND time = ? AND profile_id = ? AND properties IS ?
                """,
                [
                    workspace.rawValue, event.name, time, profile.rawValue,
                    event.properties.isEmpty ? nil : event.properties.text,
                ]
            )
        }
        switch item.content {
        case .pushInteraction(let interaction):
            let kept = try PushReportRemoval.keptSince(in: workspace, database)
            if let kept, time < kept { return true }
            return try exists(
                "push_interactions",
                "device_id = ? AND time = ? AND send_id = ? AND kind = ? AND action IS ?",
                [
                    device.rawValue, time, interaction.pushNumber, interaction.kind.rawValue,
                    interaction.action,
                ]
            )
        case .inAppMessage(let interaction):
            if try isRemoved(interaction, time, in: workspace) { return true }
            return try exists(
                "in_app_message_interactions",
                """
                workspace_id = ? AND message_id = ? AND kind = ? AND time = ? AND button IS ?
                    AND profile_id = ? AND variant IS ?
                """,
                [
                    workspace.rawValue, interaction.message, interaction.kind.rawValue, time,
                    interaction.button, profile.rawValue, interaction.variant,
                ]
            )
        default:
            return false
        }
    }

    private func isRemoved(_ name: String, _ time: Int64, in workspace: WorkspaceID) throws -> Bool
    {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT TRUE FROM event_names
                    WHERE workspace_id = ? AND name = ? AND kept_since > ?)
                """,
            arguments: [workspace.rawValue, name, time]
        ) ?? false
    }

    /// The same of reports of in-app messages. Impressions of a message with a goal are all there.
    private func isRemoved(
        _ report: SDKRecord.InAppMessageInteraction,
        _ time: Int64,
        in workspace: WorkspaceID
    ) throws -> Bool {
        let pass = try RetentionPass.fetch(.inAppReports, in: workspace, database)
        guard let pass, time < pass.keptSince else { return false }
        guard report.kind == .impression, let id = UUID(uuidString: report.message) else {
            return true
        }
        let hasGoal = try Bool.fetchOne(
            database,
            sql: """
                SELECT goal IS NOT NULL FROM in_app_messages WHERE workspace_id = ? AND api_id = ?
                """,
            arguments: [workspace.rawValue, id]
        )
        return hasGoal != true
    }

    private func exists(
        _ table: String,
        _ condition: String,
        _ arguments: StatementArguments
    ) throws -> Bool {
        let last = try lastIDs[table] ?? database.last(of: table)
        lastIDs[table] = last
        return try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT TRUE FROM \(table) WHERE \(condition) AND id <= ?)",
            arguments: arguments + [last]
        ) ?? false
    }
}

extension IngestItem.Content {
    /// The event as which it is stored.
    var event: (name: String, properties: EventProperties)? {
        switch self {
        case .event(let name, let properties), .storedEvent(let name, let properties):
            (name, properties)
        case .purchase(let product, let currency, let price, let quantity, let properties):
            (
                "$purchase",
                properties.adding([
                    "product_id": .string(product), "currency": .string(currency),
                    "price": .number(price), "quantity": .integer(Int64(quantity)),
                ])
            )
        case .sessionStarted:
            ("$session_start", [:])
        case .sessionEnded(let duration):
            ("$session_end", ["duration_seconds": .number(duration)])
        default:
            nil
        }
    }
}
