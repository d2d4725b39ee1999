import Foundation
import Model
import NoroshiWire

/// Events that trigger campaigns: read in the order in which they were stored, from a cursor that
/// moves in the same transaction as what follows from them.
package protocol TriggerStore: Sendable {
    func triggerCursor() async throws -> Int64
    /// Stored events of these names behind `cursor`, at most `limit` rows looked at.
    func events(
        after cursor: Int64,
        named names: [WorkspaceID: Set<String>],
        limit: Int
    ) async throws -> TriggerPage
    /// Makes the changes and moves the cursor, if it still is at `origin`. Whether it was.
    func commitTriggers(
        _ changes: [TriggerChange],
        from origin: Int64,
        to end: Int64
    ) async throws -> Bool
    /// Triggers of active campaigns whose time has come, the earliest first.
    func dueTriggers(now: Date, limit: Int) async throws -> [PendingTrigger]
    /// How many users wait for a delayed message of a campaign.
    func pendingTriggerCount(of campaign: CampaignID) async throws -> Int
    /// What waits for one user, the earliest first.
    func pendingTriggers(
        of profile: ProfileID,
        in campaign: CampaignID
    ) async throws -> [NewTrigger]
}

package struct TriggerPage: Sendable, Hashable {
    package struct Event: Sendable, Hashable {
        package var id: Int64
        package var workspace: WorkspaceID
        package var profile: ProfileID
        package var name: String
        package var time: Date
        package var properties: [String: JSONValue]

        package init(
            id: Int64,
            workspace: WorkspaceID,
            profile: ProfileID,
            name: String,
            time: Date,
            properties: [String: JSONValue]
        ) {
            self.id = id
            self.workspace = workspace
            self.profile = profile
            self.name = name
            self.time = time
            self.properties = properties
        }
    }

    package var events: [Event]
    /// The last row that was looked at.
    package var end: Int64
    /// Whether there were more rows than the limit.
    package var hasMore: Bool

    package init(events: [Event], end: Int64, hasMore: Bool) {
        self.events = events
        self.end = end
        self.hasMore = hasMore
    }
}

package enum TriggerChange: Sendable, Hashable {
    case add(NewTrigger)
    /// Takes back what an event of this user before `time` had triggered.
    case cancel(campaign: CampaignID, profile: ProfileID, before: Date)
}
