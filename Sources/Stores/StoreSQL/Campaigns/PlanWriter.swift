import Foundation
import Model
import Ports
import Relational

/// Writes a planned batch: the dispatches, the users' exposures, and how many users were left out
/// and why.
struct PlanWriter {
    /// What the messages of a batch have in common with others.
    private struct Alike: Hashable {
        var dueAt: Int64
        var variant: Int?
        var isControl: Bool

        init(_ entry: RecipientBatch.Entry) {
            dueAt = entry.dueAt.milliseconds
            variant = entry.variant
            isControl = entry.isControl
        }
    }

    private let send: SendID
    private let now: Date
    private let database: Database

    init(send: SendID, now: Date, _ database: Database) {
        self.send = send
        self.now = now
        self.database = database
    }

    func write(_ chunk: RecipientBatch) throws {
        let added =
            switch database.kind {
            case .sqlite: try insertTogether(chunk.entries)
            case .postgres: try insertEach(chunk.entries)
            }
        try FactLog(database).planned(added, of: send, at: now.milliseconds)
        var counts = DispatchCountDeltas()
        counts.add(added.count, to: send.rawValue, .queued, nil)
        try counts.write(database)
        if let campaign = chunk.campaign { try writeHistory(chunk, campaign) }
        try writeWithheld(chunk)
        for (reason, users) in chunk.exclusions {
            try database.cachedStatement(
                sql: """
                    INSERT INTO send_exclusions (send_id, reason, users) VALUES (?, ?, ?)
                    ON CONFLICT (send_id, reason)
                        DO UPDATE SET users = send_exclusions.users + excluded.users
                    """
            ).execute(arguments: [send.rawValue, reason, users]
            )
        }
        try shortenList(chunk)
    }

    /// - Returns: The devices whose dispatches are new.
    private func insertEach(_ entries: [RecipientBatch.Entry]) throws -> [Int64] {
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO dispatches
                    (send_id, device_id, profile_id, state, due_at, updated_at, variant, lane)
                SELECT ?, devices.id, ?, 0, ?, ?, ?, \(LaneOfDevice.sql)
                FROM devices WHERE devices.id = ? RETURNING device_id
                """
        )
        let arguments: [StatementArguments] = entries.flatMap { entry in
            entry.devices.map { device in
                [
                    send.rawValue, entry.profile.rawValue, entry.dueAt.milliseconds,
                    now.milliseconds, entry.variant, device.rawValue,
                ]
            }
        }
        var added: [Int64] = []
        try insert.forEachRow(arguments) { added.append($0[0]) }
        return added
    }

    /// The same with a statement for all messages of one variant that are due at one time: SQLite begins each
    /// statement anew, and keeps what it returns in a table of its own.
    private func insertTogether(_ entries: [RecipientBatch.Entry]) throws -> [Int64] {
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO dispatches
                    (send_id, device_id, profile_id, state, due_at, updated_at, variant, lane)
                SELECT ?, devices.id, CAST(value AS INTEGER), 0, ?, ?, ?, \(LaneOfDevice.sql)
                FROM json_each(?) CROSS JOIN devices ON devices.id = CAST(key AS INTEGER)
                RETURNING device_id
                """
        )
        var added: Set<Int64> = []
        for (alike, members) in Dictionary(grouping: entries, by: Alike.init) {
            var owners = "{"
            for entry in members {
                for device in entry.devices {
                    if owners.utf8.count > 1 { owners += "," }
                    owners += "\"\(device.rawValue)\":\(entry.profile.rawValue)"
                }
            }
            guard owners.utf8.count > 1 else { continue }
            let arguments: StatementArguments = [
                send.rawValue, alike.dueAt, now.milliseconds, alike.variant, owners + "}",
            ]
            let rows = try Row.fetchCursor(insert, arguments: arguments)
            while let row = try rows.next() { added.insert(row[0]) }
        }
        return entries.flatMap(\.devices).map(\.rawValue).filter { added.contains($0) }
    }

    /// From now on the dispatches define the recipients; the list keeps the users that the rules
    /// left out.
    private func shortenList(_ chunk: RecipientBatch) throws {
        let extraction = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT extraction FROM sends WHERE id = ?"),
            arguments: [send.rawValue]
        )
        guard let extraction, extraction > 0 else { return }
        try database.cachedStatement(
            sql: """
                DELETE FROM send_recipients
                WHERE send_id = ?
                    AND profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                """
        ).execute(arguments: [send.rawValue, try StoredJSON.text(chunk.entries.map(\.profile))]
        )
        if chunk.isComplete {
            try database.cachedStatement(sql: "UPDATE sends SET extraction = 3 WHERE id = ?")
                .execute(arguments: [send.rawValue]
                )
        }
    }

    private func writeWithheld(_ chunk: RecipientBatch) throws {
        guard !chunk.withheld.isEmpty else { return }
        // A user may have been deleted since the batch was read.
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO withheld_messages (profile_id, send_id, due_at)
                SELECT id, ?, ? FROM profiles WHERE id = ?
                """
        )
        try insert.execute(
            forEach: chunk.withheld.map { profile, dueAt in
                [send.rawValue, dueAt.milliseconds, profile.rawValue]
            }
        )
        try FactLog(database).kept(
            chunk.withheld.keys.sorted(),
            from: send,
            as: .withheld,
            at: now.milliseconds
        )
    }

    private func writeHistory(_ chunk: RecipientBatch, _ campaign: CampaignID) throws {
        // A user may have been deleted since the batch was read.
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO campaign_entries (profile_id, send_id, campaign_id, variant,
                    is_control, counts_for_caps, due_at)
                SELECT profiles.id, ?, ?, ?, ?, ?, ? FROM json_each(?)
                CROSS JOIN profiles ON profiles.id = CAST(value AS INTEGER)
                """
        )
        try insert.execute(
            forEach: Dictionary(grouping: chunk.entries, by: Alike.init).map { alike, entries in
                [
                    send.rawValue, campaign.rawValue, alike.variant, alike.isControl,
                    chunk.countsForCaps, alike.dueAt, try StoredJSON.text(entries.map(\.profile)),
                ]
            }
        )
        try FactLog(database).kept(
            chunk.entries.filter(\.isControl).map(\.profile),
            from: send,
            as: .controlMember,
            at: now.milliseconds
        )
    }
}
