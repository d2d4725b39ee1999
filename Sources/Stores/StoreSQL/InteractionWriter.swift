import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Relational

/// Writes users' interactions with messages: raw rows, and the first times on the dispatch.
struct InteractionWriter {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func store(
        _ interaction: SDKRecord.PushInteraction,
        device: DeviceID,
        profile: ProfileID,
        workspace: WorkspaceID,
        time: Date
    ) throws -> IngestOutcome {
        guard let number = interaction.pushNumber else {
            return .rejected(FieldProblem("push.push_no", .pushNumberMissing))
        }
        let send = SendID(number)
        guard try wasSent(interaction.dispatch, send, device, workspace) else {
            return .rejected(
                FieldProblem("push.dispatch", .pushNotSent, ["number": "\(number)"])
            )
        }
        // Any interaction with a push shows that it arrived. Of one that is closed nothing changes.
        let opened = interaction.kind == .opened ? time.milliseconds : nil
        let dismissed = interaction.kind == .dismissed ? time.milliseconds : nil
        let addressed = try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    UPDATE dispatches SET received_at = min(coalesce(received_at, :time), :time),
                        opened_page = CASE WHEN :opened < coalesce(opened_at, 9223372036854775807)
                            THEN :page ELSE opened_page END,
                        opened_at = CASE WHEN :opened IS NULL THEN opened_at
                            ELSE min(coalesce(opened_at, :opened), :opened) END,
                        dismissed_at = min(
                            coalesce(dismissed_at, :dismissed), coalesce(:dismissed, dismissed_at))
                    WHERE send_id = :send AND device_id = :device AND NOT \(ClosedLedgers.isClosed)
                    RETURNING profile_id
                    """
            ),
            arguments: [
                "time": time.milliseconds, "opened": opened, "dismissed": dismissed,
                "send": send.rawValue, "device": device.rawValue, "page": interaction.page,
            ]
        ).flatMap { $0 > 0 ? ProfileID($0) : nil }
        // An interaction belongs to the user who acted; a receipt belongs to the user who was
        // addressed.
        let isReceipt = interaction.kind == .received
        // Nothing says any more who was addressed by one that is closed.
        if isReceipt, addressed == nil, try ClosedLedgers(database).contains(send.rawValue) {
            return .duplicate
        }
        let person = isReceipt ? addressed ?? profile : profile
        try database.cachedStatement(
            sql: """
                INSERT INTO push_interactions
                    (send_id, device_id, profile_id, kind, action, time, page)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            send.rawValue, device.rawValue, person.rawValue, interaction.kind.rawValue,
            interaction.action, time.milliseconds, interaction.page,
        ])
        if let addressed {
            let opens = InfluencedOpens(of: addressed, database)
            switch interaction.kind {
            case .received:
                try opens.addArrival(
                    of: send.rawValue,
                    device: device.rawValue,
                    at: time.milliseconds
                )
            case .opened: try opens.addDirectOpen(of: send.rawValue)
            case .action, .dismissed: break
            }
        }
        return .stored(except: [])
    }

    /// The id proves that this device was sent this push, because it is derived from both. An app
    /// that has only the number of the push sends an id of zeros; then the pair must exist as a
    /// dispatch.
    private func wasSent(
        _ dispatch: UUID,
        _ send: SendID,
        _ device: DeviceID,
        _ workspace: WorkspaceID
    ) throws -> Bool {
        guard withUnsafeBytes(of: dispatch.uuid, { $0.allSatisfy { $0 == 0 } }) else {
            return DispatchID(workspace: workspace, send: send, device: device).uuid == dispatch
        }
        return try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT TRUE FROM dispatches JOIN sends ON sends.id = send_id
                    WHERE send_id = ? AND device_id = ? AND workspace_id = ?)
                """,
            arguments: [send.rawValue, device.rawValue, workspace.rawValue]
        ) ?? false
    }

    func store(
        _ interaction: SDKRecord.InAppMessageInteraction,
        profile: ProfileID,
        workspace: WorkspaceID,
        time: Date
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO in_app_message_interactions
                    (workspace_id, message_id, profile_id, kind, button, variant, time)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            workspace.rawValue, interaction.message, profile.rawValue, interaction.kind.rawValue,
            interaction.button, interaction.variant, time.milliseconds,
        ])
    }
}
