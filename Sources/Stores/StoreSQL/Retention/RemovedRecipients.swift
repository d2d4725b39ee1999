import Foundation
import Model
import Relational

/// What is kept of the dispatches of campaigns and journeys that were removed: of each person what became of a
/// send, and of each quarter of an hour what was sent (`RemovedRecipientSchema`).
struct RemovedRecipients {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Adds the dispatches of a send up to a device, which are about to be removed; those of a send without a
    /// campaign are in no figure of one.
    func add(of send: SendID, through device: Int64) throws {
        let arguments: StatementArguments = ["send": send.rawValue, "last": device]
        try database.cachedStatement(sql: Self.addPersons).execute(arguments: arguments)
        try database.cachedStatement(sql: Self.addCounts).execute(arguments: arguments)
        try database.cachedStatement(sql: Self.addDelays).execute(arguments: arguments)
    }

    /// Gives what one user got to another one, before the user's entries in campaigns move.
    func move(from source: ProfileID, to target: ProfileID) throws {
        let arguments: StatementArguments = [
            "source": source.rawValue, "target": target.rawValue,
        ]
        try database.execute(sql: Self.addSource, arguments: arguments)
        try database.execute(
            sql: "DELETE FROM removed_recipients WHERE \(Self.isOf("?1"))",
            arguments: [source.rawValue]
        )
    }

    /// Leaves what a user got to nobody, before the user's entries in campaigns are deleted.
    func forget(_ profile: ProfileID) throws { try move(from: profile, to: ProfileID(0)) }

    // MARK: SQL

    /// The removed messages of a user. There is no index by user: each has an entry in a campaign beside it.
    private static func isOf(_ profile: String) -> String {
        """
        profile_id = \(profile) AND send_id IN (
            SELECT send_id FROM campaign_entries WHERE profile_id = \(profile))
        """
    }

    /// Deleted users, who cannot be told apart, are one person, as in the dispatches.
    private static let addPersons = """
        INSERT INTO removed_recipients (send_id, profile_id, variant, was_reached, sent_at,
            last_sent_at, received_at, opened_at, influenced_at)
        SELECT send_id, dispatches.profile_id, min(variant), max(iif(dispatches.state IN (2, 4), 1, 0)),
            min(accepted_at), max(accepted_at), min(received_at), min(opened_at), min(influenced_at)
        FROM sends CROSS JOIN dispatches ON send_id = sends.id
        WHERE sends.id = :send AND campaign_id IS NOT NULL AND device_id <= :last
        GROUP BY send_id, dispatches.profile_id
        \(adding)
        """

    private static let addSource = """
        INSERT INTO removed_recipients (send_id, profile_id, variant, was_reached, sent_at,
            last_sent_at, received_at, opened_at, influenced_at)
        SELECT send_id, :target, variant, was_reached, sent_at, last_sent_at, received_at,
            opened_at, influenced_at
        FROM removed_recipients WHERE \(isOf(":source"))
        \(adding)
        """

    /// A person has several devices, of which a step may have taken some before.
    private static let adding = """
        ON CONFLICT (send_id, profile_id) DO UPDATE SET
            was_reached = max(removed_recipients.was_reached, excluded.was_reached),
            \(["sent_at", "received_at", "opened_at", "influenced_at"].map { extreme("min", $0) }
                .joined(separator: ", ")),
            \(extreme("max", "last_sent_at"))
        """

    /// The earlier or later of both times, of which either may be unknown.
    private static func extreme(
        _ function: String,
        _ column: String,
        of table: String = "removed_recipients"
    ) -> String {
        """
        \(column) = \(function)(coalesce(\(table).\(column), excluded.\(column)),
            coalesce(excluded.\(column), \(table).\(column)))
        """
    }

    private static let addCounts = """
        INSERT INTO removed_variant_counts (campaign_id, quarter, tracking_id, platform, variant, page,
            sent, direct, total, bounces, received, first_sent_at)
        SELECT campaign_id, time - (time % 900000 + 900000) % 900000 AS quarter, tracking_id, platform,
            variant, page, count(accepted_at), count(opened_at),
            count(coalesce(opened_at, influenced_at)), sum(iif(state = 3, 1, 0)), count(received_at),
            min(accepted_at)
        FROM (
            SELECT campaign_id, coalesce(tracking_id, '') AS tracking_id,
                coalesce(accepted_at, dispatches.updated_at) AS time,
                coalesce(devices.platform, device_platform, 'ios') AS platform,
                coalesce(dispatches.variant, 0) AS variant, coalesce(opened_page, -1) AS page,
                dispatches.state AS state, accepted_at, received_at, opened_at, influenced_at
            FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
            LEFT JOIN devices ON devices.id = dispatches.device_id
            WHERE sends.id = :send AND campaign_id IS NOT NULL AND device_id <= :last
        ) AS removed
        WHERE TRUE
        GROUP BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (campaign_id, quarter, tracking_id, platform, variant, page) DO UPDATE SET
            \(["sent", "direct", "total", "bounces", "received"].map {
                "\($0) = removed_variant_counts.\($0) + excluded.\($0)"
            }.joined(separator: ", ")),
            \(extreme("min", "first_sent_at", of: "removed_variant_counts"))
        """

    private static let addDelays = """
        INSERT INTO removed_open_delays (campaign_id, minutes, opens)
        SELECT campaign_id, min(\(LedgerRows.steps), (delay + 59999) / 60000) AS minutes, count(*)
        FROM (
            SELECT campaign_id, \(LedgerRows.delay) AS delay
            FROM sends CROSS JOIN dispatches ON dispatches.send_id = sends.id
            WHERE sends.id = :send AND campaign_id IS NOT NULL AND device_id <= :last
                AND \(LedgerRows.isOpened)
        ) AS removed
        WHERE TRUE
        GROUP BY 1, 2
        ON CONFLICT (campaign_id, minutes) DO UPDATE SET
            opens = removed_open_delays.opens + excluded.opens
        """
}
