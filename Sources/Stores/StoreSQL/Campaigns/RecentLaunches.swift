import Foundation
import Model
import Relational

/// The launches of a campaign whose messages may have been due since a time.
struct RecentLaunches {
    /// More launches than these are looked for user by user no faster than each user's history is read.
    private static let most = 16
    /// Messages of a launch are due before it is over. Whoever is in the control group has got a time, too,
    /// which may be that many seconds later: another zone's morning, after quiet hours.
    private static let lateness: TimeInterval = 4 * 86_400

    /// Those of which anybody may have got a message since.
    private(set) var ofAll: [Int64] = []
    /// If there are others, of which only the control group may have had its time since: the first of all.
    private(set) var ofControl: Int64?

    /// - Returns: `nil` if they are many.
    init?(of campaign: CampaignID, since time: Date, _ database: Database) throws {
        let found = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, finished_at FROM sends
                        WHERE campaign_id = :campaign AND finished_at IS NULL
                    UNION ALL
                    SELECT id, finished_at FROM sends WHERE campaign_id = :campaign
                        AND finished_at >= CASE WHEN EXISTS (SELECT TRUE FROM campaign_entries
                            WHERE campaign_id = :campaign AND is_control) THEN :end ELSE :own END
                    LIMIT :limit
                    """
            ),
            arguments: [
                "campaign": campaign.rawValue,
                "end": time.addingTimeInterval(-Self.lateness).milliseconds,
                "own": time.milliseconds,
                "limit": Self.most + 1,
            ]
        )
        guard found.count <= Self.most else { return nil }
        for row in found {
            if let end: Int64 = row[1], end < time.milliseconds {
                ofControl = min(row[0], ofControl ?? .max)
            } else {
                ofAll.append(row[0])
            }
        }
        if let first = ofControl { ofControl = min(first, ofAll.min() ?? first) }
    }
}
