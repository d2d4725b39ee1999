import Foundation
import Model
import Ports
import Relational

/// The texts of a campaign's variants, each under a number that is never reused.
struct CampaignVariantRows {
    let campaign: CampaignID
    let database: Database

    func records() throws -> [CampaignVariantRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT number, api_id, name, message FROM campaign_variants
                WHERE campaign_id = ? ORDER BY number
                """,
            arguments: [campaign.rawValue]
        ).map { row in
            guard let apiID = UUID(uuidString: row["api_id"]) else {
                throw StoreError(.unreadable, .variantWithoutID)
            }
            return CampaignVariantRecord(
                number: row["number"],
                apiID: apiID,
                name: row["name"],
                message: try StoredJSON.value(row["message"], as: CampaignMessage.self)
            )
        }
    }

    /// Numbers the variants of a content and stores new texts.
    func numbered(_ content: CampaignContent) throws -> CampaignContent {
        var content = content
        let known = try records()
        let wasLaunched =
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT TRUE FROM sends WHERE campaign_id = ?)",
                arguments: [campaign.rawValue]
            ) ?? false
        var next = (known.last?.number ?? -1) + 1
        for index in content.variants.indices {
            let variant = content.variants[index]
            let texts = known.filter { $0.apiID == variant.apiID }
            let number: Int
            if let same = texts.last(where: { $0.message == variant.message }) {
                number = same.number
            } else if let last = texts.last, !wasLaunched {
                number = last.number
            } else {
                number = next
                next += 1
            }
            content.variants[index].number = number
            try database.execute(
                sql: """
                    INSERT INTO campaign_variants (campaign_id, number, api_id, name, message)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (campaign_id, number) DO UPDATE SET api_id = excluded.api_id,
                        name = excluded.name, message = excluded.message
                    """,
                arguments: [
                    campaign.rawValue, number, variant.apiID.uuidString, variant.name,
                    try StoredJSON.text(variant.message),
                ]
            )
        }
        return content
    }
}
