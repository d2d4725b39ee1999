import Foundation
import Model
import Ports
import Relational

extension SQLStore: UserHistoryStore {
    package func spending(
        of profiles: [ProfileID],
        in workspace: WorkspaceID
    ) async throws -> [ProfileID: UserSpending] {
        let users = try StoredJSON.text(profiles)
        return try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT profile_id, properties ->> '$.currency' AS currency,
                        sum(CAST(properties ->> '$.price' AS REAL)
                            * CAST(properties ->> '$.quantity' AS REAL)) AS total
                    FROM event_names CROSS JOIN events ON name_id = event_names.id
                    WHERE event_names.workspace_id = ? AND name = '$purchase'
                        AND profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                        AND abs(CAST(properties ->> '$.price' AS REAL)) <= 1e12
                    GROUP BY 1, 2
                    """,
                arguments: [workspace.rawValue, users]
            )
            var found: [ProfileID: UserSpending] = [:]
            while let row = try rows.next() {
                let profile = ProfileID(row["profile_id"])
                found[profile, default: UserSpending(totals: [:])].totals[row["currency"]] =
                    row["total"]
            }
            return found
        }
    }

    package func campaignsReceived(
        by profiles: [ProfileID]
    ) async throws -> [ProfileID: [CampaignExposureSummary]] {
        let users = try StoredJSON.text(profiles)
        return try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT * FROM (
                        SELECT entries.profile_id, campaigns.id AS campaign, campaigns.name,
                            campaigns.api_id, is_control,
                            coalesce(accepted_at, removed.last_sent_at, entries.due_at) AS last,
                            max(iif(coalesce(dispatches.opened_at, removed.opened_at) IS NOT NULL,
                                1, 0)) OVER (
                                PARTITION BY entries.profile_id, campaigns.id) AS opened,
                            variants.name AS variant, variants.api_id AS variant_id,
                            row_number() OVER (
                                PARTITION BY entries.profile_id, campaigns.id
                                ORDER BY coalesce(accepted_at, removed.last_sent_at, entries.due_at) DESC
                            ) AS place
                        FROM campaign_entries AS entries
                        JOIN campaigns ON campaigns.id = entries.campaign_id
                        LEFT JOIN campaign_variants AS variants
                            ON variants.campaign_id = campaigns.id
                            AND variants.number = entries.variant
                        LEFT JOIN \(OpenSends.rowsOfUser)
                            ON dispatches.send_id = entries.send_id
                            AND dispatches.profile_id = entries.profile_id
                            AND dispatches.state = 2
                        LEFT JOIN removed_recipients AS removed
                            ON removed.send_id = entries.send_id
                            AND removed.profile_id = entries.profile_id
                        WHERE entries.profile_id
                                IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                            AND (is_control OR coalesce(accepted_at, removed.sent_at) IS NOT NULL)
                    )
                    WHERE place = 1 ORDER BY profile_id, campaign
                    """,
                arguments: [users]
            )
            var found: [ProfileID: [CampaignExposureSummary]] = [:]
            while let row = try rows.next() {
                found[ProfileID(row["profile_id"]), default: []].append(
                    CampaignExposureSummary(
                        name: row["name"],
                        campaign: row["api_id"],
                        lastReceivedAt: Date(milliseconds: row["last"]),
                        hasOpened: row["opened"],
                        isControl: row["is_control"],
                        variantName: row["variant"],
                        variant: (row["variant_id"] as String?).flatMap(UUID.init(uuidString:))
                    )
                )
            }
            return found
        }
    }
}
