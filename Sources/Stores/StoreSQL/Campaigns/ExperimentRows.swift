import Foundation
import Model
import Ports
import Relational

/// Counts the users of a campaign's newest experiment.
struct ExperimentRows {
    private static let controlCode: Int64 = 0

    private let campaign: CampaignID
    private let now: Date
    private let database: Database

    init(_ campaign: CampaignID, at now: Date, _ database: Database) {
        self.campaign = campaign
        self.now = now
        self.database = database
    }

    func record(_ conversions: [ConversionEvent]) throws -> ExperimentRecord? {
        guard var record = try launches() else { return nil }
        let first = record.first
        try count(&record.record, from: first)
        for (index, conversion) in conversions.enumerated() {
            try count(
                conversion,
                at: index,
                of: conversions.count,
                &record.record,
                from: first
            )
        }
        return record.record
    }

    // MARK: Launches

    /// What a launch has of its campaign. One of before has it in its own text.
    private static let rules = """
        coalesce(
            (SELECT launch_contents.content FROM launch_contents
                WHERE launch_contents.id = launch_content_id),
            sends.content -> '$.launch.content')
        """

    /// The drawing of a launch, as one text that is the same for equal ones.
    private static let drawing = """
        CAST(rules ->> '$.controlShare' AS INTEGER) AS control_share,
        (SELECT json_group_array(json_array(
                CAST(coalesce(value ->> '$.number', key) AS INTEGER),
                CAST(value ->> '$.weight' AS INTEGER)))
            FROM json_each(rules, '$.variants')) AS variants
        """

    /// Launches whose users were drawn.
    private static let drawn = """
        campaign_id = :campaign
            AND (launch_content_id IS NOT NULL OR json_type(content, '$.launch.content') = 'object')
            AND json_type(content, '$.launch.part.rest') IS NULL
        """

    private func launches() throws -> (record: ExperimentRecord, first: SendID)? {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT id, scheduled_at, \(Self.drawing) FROM (
                    SELECT id, scheduled_at, \(Self.rules) AS rules FROM sends
                    WHERE \(Self.drawn))
                ORDER BY id DESC
                """,
            arguments: ["campaign": campaign.rawValue]
        )
        var found: (record: ExperimentRecord, first: SendID, drawing: String)?
        while let row = try rows.next() {
            let variants: String = row["variants"]
            let controlShare: Int = row["control_share"]
            let drawing = "\(controlShare) \(variants)"
            guard found == nil || found?.drawing == drawing else { break }
            let pairs = try JSONDecoder().decode([[Int]].self, from: Data(variants.utf8))
            var record =
                found?.record
                ?? ExperimentRecord(
                    design: ExperimentDesign(
                        variants: pairs.map { .init(number: $0[0], weight: $0[1]) },
                        controlShare: controlShare
                    ),
                    since: .distantFuture,
                    launches: 0
                )
            record.since = min(record.since, Date(milliseconds: row["scheduled_at"]))
            record.launches += 1
            found = (record, SendID(row["id"]), drawing)
        }
        guard var found else { return nil }
        found.record.choice = try choice(after: found.first)
        return (found.record, found.first)
    }

    /// What users outside of a test got.
    private func choice(after first: SendID) throws -> ExperimentRecord.Choice? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT is_proven, CAST(coalesce(
                    rules ->> ('$.variants[' || place || '].number'), place
                ) AS INTEGER) AS number
                FROM (SELECT \(Self.rules) AS rules, content ->> '$.launch.part.rest.winner' AS place,
                        CAST(content ->> '$.launch.part.rest.isProven' AS INTEGER) AS is_proven
                    FROM sends WHERE campaign_id = ? AND id > ?
                        AND json_type(\(Self.rules), '$.winner') = 'object'
                        AND json_type(content, '$.launch.part.rest') IS NOT NULL
                    ORDER BY id DESC LIMIT 1)
                """,
            arguments: [campaign.rawValue, first.rawValue]
        )
        return row.map { .init(variant: $0["number"], isProven: $0["is_proven"]) }
    }

    // MARK: Users

    /// A person is in the group of the first launch: the least of numbers that begin with the launch
    /// and end with the group.
    private static let groupOfFirst = """
        min(entries.send_id * 1048576
            + CASE WHEN is_control THEN 0 ELSE coalesce(entries.variant, 0) + 1 END) % 1048576
        """

    private static let chosen = """
        chosen AS MATERIALIZED (SELECT id FROM sends WHERE id >= :first AND \(drawn))
        """

    private func arguments(_ first: SendID) -> StatementArguments {
        [
            "campaign": campaign.rawValue, "first": first.rawValue, "now": now.milliseconds,
        ]
    }

    private static func group(_ code: Int64) -> Int? {
        code == controlCode ? nil : Int(code) - 1
    }

    private func count(_ record: inout ExperimentRecord, from first: SendID) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                WITH \(Self.chosen), persons AS (
                    SELECT profile_id, \(Self.groupOfFirst) AS code, max(due_at) AS due_at,
                        max(opened) AS opened, max(tapped) AS tapped
                    FROM (
                        SELECT entries.*, iif(opened_at IS NOT NULL, 1, 0) AS tapped,
                            iif(coalesce(opened_at, influenced_at) IS NOT NULL, 1, 0) AS opened
                        FROM chosen CROSS JOIN dispatches ON dispatches.send_id = chosen.id
                        CROSS JOIN campaign_entries AS entries
                            ON entries.profile_id = dispatches.profile_id
                            AND entries.send_id = dispatches.send_id
                        WHERE entries.due_at <= :now
                        UNION ALL
                        SELECT entries.*, iif(opened_at IS NOT NULL, 1, 0),
                            iif(coalesce(opened_at, influenced_at) IS NOT NULL, 1, 0)
                        FROM chosen CROSS JOIN removed_recipients AS removed
                            ON removed.send_id = chosen.id
                        CROSS JOIN campaign_entries AS entries
                            ON entries.profile_id = removed.profile_id
                            AND entries.send_id = removed.send_id
                        WHERE entries.due_at <= :now
                        UNION ALL
                        SELECT entries.*, 0, 0
                        FROM campaign_entries AS entries INDEXED BY campaign_entries_control
                        WHERE campaign_id = :campaign AND is_control AND due_at <= :now
                            AND send_id IN (SELECT id FROM chosen)
                    ) AS entries
                    GROUP BY profile_id
                )
                SELECT code, count(*) AS users, sum(opened) AS opened, sum(tapped) AS tapped,
                    max(due_at) AS last_due_at
                FROM persons GROUP BY code
                """,
            arguments: arguments(first)
        )
        while let row = try rows.next() {
            let last = Date(milliseconds: row["last_due_at"])
            record.lastDueAt = max(record.lastDueAt ?? last, last)
            record.groups[Self.group(row["code"])] = ExperimentRecord.Group(
                users: row["users"],
                opened: row["opened"],
                tapped: row["tapped"]
            )
        }
    }

    // MARK: Conversions

    /// Adds the users who converted. One whom the message did not reach converts by the time at
    /// which it was due, as the control group does: its members have such devices too.
    private func count(
        _ conversion: ConversionEvent,
        at index: Int,
        of events: Int,
        _ record: inout ExperimentRecord,
        from first: SendID
    ) throws {
        for group in record.groups.keys where index == 0 {
            record.groups[group]?.converted = Array(repeating: 0, count: events)
        }
        let chosen = try Set(
            Int64.fetchAll(
                database,
                sql: "WITH \(Self.chosen) SELECT id FROM chosen",
                arguments: [
                    "campaign": campaign.rawValue, "first": first.rawValue,
                ]
            )
        )
        var found = ConversionRows(database: database)
        found.countsUnreached = true
        var sums: [Int64: Double] = [:]
        for one in try found.conversions(
            of: campaign,
            by: conversion.event,
            within: conversion.window
        ) where chosen.contains(one.conversion.send.rawValue) && one.conversion.sentAt <= now {
            sums[one.conversion.profile.rawValue, default: 0] += one.conversion.revenue
        }
        for (profile, code) in try groups(of: Array(sums.keys), from: first) {
            guard let sum = sums[profile].map(Self.amount) else { continue }
            let group = Self.group(code)
            record.groups[group]?.converted[index] += 1
            guard index == 0 else { continue }
            record.groups[group]?.revenue += sum
            record.groups[group]?.squaredRevenue += sum * sum
        }
        for group in record.groups.keys where index == 0 {
            // A sum of amounts in whole millionths is one, too.
            let sum = record.groups[group]?.revenue ?? 0
            record.groups[group]?.revenue = Self.amount(sum)
        }
    }

    /// An amount in whole millionths, as everywhere: of smaller ones the squares could not be told
    /// from 0, and sums that should be 0 would be a little more.
    private static func amount(_ value: Double) -> Double {
        (value * 1_000_000).rounded() / 1_000_000
    }

    private func groups(
        of profiles: [Int64],
        from first: SendID
    ) throws -> [(profile: Int64, code: Int64)] {
        // In order, so that sums are added alike each time.
        let rows = try Row.fetchAll(
            database,
            sql: """
                WITH \(Self.chosen)
                SELECT entries.profile_id AS profile_id, \(Self.groupOfFirst) AS code
                FROM json_each(:profiles) AS wanted
                CROSS JOIN campaign_entries AS entries
                    ON entries.profile_id = CAST(wanted.value AS INTEGER)
                WHERE campaign_id = :campaign AND due_at <= :now
                    AND send_id IN (SELECT id FROM chosen)
                GROUP BY entries.profile_id ORDER BY entries.profile_id
                """,
            arguments: arguments(first) + ["profiles": try StoredJSON.text(profiles)]
        )
        return rows.map { ($0["profile_id"], $0["code"]) }
    }
}
