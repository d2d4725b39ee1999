import Foundation
import Model
import Relational

/// Notes facts that no table keeps as rows of their own, in the transaction in which they happen.
/// Messages are noted many at a time: a row for each push would cost delivery more than the rest of
/// the reading.
struct FactLog {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Notes messages to these devices that were planned.
    func planned(_ devices: [Int64], of send: SendID, at milliseconds: Int64) throws {
        try note(.message, devices, of: send.rawValue, at: milliseconds)
    }

    /// Notes an outcome of messages to these devices.
    func ended(
        _ devices: [Int64],
        of send: Int64,
        as state: DispatchState,
        at milliseconds: Int64
    ) throws {
        try note(.messageOutcome, devices, of: send, at: milliseconds, state.rawValue)
    }

    /// Notes users who got nothing of a send: because they are in its control group or in that of
    /// the workspace.
    func kept(
        _ users: [ProfileID],
        from send: SendID,
        as kind: Fact.Kind,
        at milliseconds: Int64
    ) throws {
        try note(kind, users.map(\.rawValue), of: send.rawValue, at: milliseconds)
    }

    private func note(
        _ kind: Fact.Kind,
        _ ids: [Int64],
        of send: Int64,
        at milliseconds: Int64,
        _ state: Int? = nil
    ) throws {
        guard !ids.isEmpty else { return }
        let list = try StoredJSON.text(ids)
        try database.cachedStatement(
            sql: """
                INSERT INTO fact_log (workspace_id, kind, at, facts, send_id, state, detail)
                SELECT workspace_id, ?, ?, ?, id, ?, ? FROM sends WHERE id = ?
                """
        ).execute(arguments: [kind.rawValue, milliseconds, ids.count, state, list, send])
    }

    /// Notes what is left of a message to a deleted user.
    ///
    /// - Parameters:
    ///   - message: What it was called until now.
    ///   - device: The number that its row has from now on.
    func anonymized(
        _ message: DispatchID,
        of send: Int64,
        device: Int64,
        at milliseconds: Int64
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO fact_log (workspace_id, kind, at, send_id, detail)
                SELECT workspace_id, ?, ?, id, json_object('device', ?, 'was', ?)
                FROM sends WHERE id = ?
                """
        ).execute(arguments: [
            Fact.Kind.messageAnonymized.rawValue, milliseconds, device, message.description, send,
        ])
    }

    /// Notes what is left of a report about a message to somebody else, whose row goes on counting
    /// what the deleted user has told of it.
    func forgotten(report: Int64, by user: ProfileID) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO fact_log (workspace_id, kind, at, send_id, detail)
                SELECT workspace_id, 'push_interaction', time, sends.id, json_object(
                    'device', push_interactions.device_id, 'interaction', kind, 'page', page)
                FROM push_interactions CROSS JOIN sends ON sends.id = push_interactions.send_id
                CROSS JOIN dispatches ON dispatches.send_id = push_interactions.send_id
                    AND dispatches.device_id = push_interactions.device_id
                WHERE push_interactions.id = ? AND dispatches.profile_id NOT IN (0, ?)
                """
        ).execute(arguments: [report, user.rawValue])
    }

    /// Notes that a user was merged into another one, whose rows name only that one from now on.
    func merged(_ source: Profile, into target: Profile, at milliseconds: Int64) throws {
        try database.execute(
            sql: "UPDATE merged_users SET became = ? WHERE became = ?",
            arguments: [target.id.rawValue, source.id.rawValue]
        )
        try database.execute(
            sql: """
                INSERT INTO merged_users (profile_id, became) VALUES (?, ?)
                ON CONFLICT (profile_id) DO UPDATE SET became = excluded.became
                """,
            arguments: [source.id.rawValue, target.id.rawValue]
        )
        try note(
            .userMerged,
            in: source.workspace,
            at: milliseconds,
            [
                "user_id": source.publicID.uuidString.lowercased(),
                "into_user_id": target.publicID.uuidString.lowercased(),
            ]
        )
    }

    func deleted(_ user: Profile, at milliseconds: Int64) throws {
        try database.execute(
            sql: "DELETE FROM merged_users WHERE became = ?",
            arguments: [user.id.rawValue]
        )
        try database.execute(
            sql: "DELETE FROM fact_log WHERE profile_id = ?",
            arguments: [user.id.rawValue]
        )
        try note(
            .userDeleted,
            in: user.workspace,
            at: milliseconds,
            ["user_id": user.publicID.uuidString.lowercased()]
        )
    }

    private func note(
        _ kind: Fact.Kind,
        in workspace: WorkspaceID,
        at milliseconds: Int64,
        _ detail: [String: String]
    ) throws {
        try database.execute(
            sql: "INSERT INTO fact_log (workspace_id, kind, at, detail) VALUES (?, ?, ?, ?)",
            arguments: [
                workspace.rawValue, kind.rawValue, milliseconds, try StoredJSON.text(detail),
            ]
        )
    }
}
