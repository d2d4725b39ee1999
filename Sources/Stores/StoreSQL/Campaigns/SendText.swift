import Foundation
import Model
import Relational

/// What is stored of a send's content: a text of its own, and of a launch that of its campaign's content, which
/// it shares with other launches.
struct SendText: Hashable, Sendable {
    struct Launch: Hashable, Sendable {
        var text: String
        var digest: UUID
    }

    var own: String
    var launch: Launch?

    init(own: String, launch: Launch? = nil) {
        self.own = own
        self.launch = launch
    }

    init(writing content: SendContent) throws {
        guard let shared = content.launch?.content, Self.isShared(shared),
            let key = CodingUserInfoKey.launchContent
        else {
            own = try StoredJSON.encoded(content)
            return
        }
        own = try StoredJSON.encoded(content, leavingOut: key)
        let text = try StoredJSON.encoded(shared)
        launch = Launch(text: text, digest: UUID(named: text.utf8))
    }

    /// A request that names users may give the launch an audience of its own, which no other launch has.
    private static func isShared(_ content: CampaignContent) -> Bool {
        if case .profiles = content.audience { false } else { true }
    }

    /// Stores the part that is shared, unless it is there.
    ///
    /// - Returns: Its number; `nil` where nothing is shared.
    func storeLaunch(of campaign: CampaignID?, _ database: Database) throws -> Int64? {
        guard let launch, let campaign else { return nil }
        let known = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM launch_contents WHERE campaign_id = ? AND digest = ?"
            ),
            arguments: [campaign.rawValue, launch.digest]
        )
        if let known { return known }
        return try Int64.fetchOnly(
            database.cachedStatement(
                sql: """
                    INSERT INTO launch_contents (campaign_id, digest, content) VALUES (?, ?, ?)
                    RETURNING id
                    """
            ),
            arguments: [campaign.rawValue, launch.digest, launch.text]
        )
    }
}
