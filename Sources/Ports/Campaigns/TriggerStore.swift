import Foundation
import Model
import NoroshiWire

/// Events that trigger campaigns. They are read in the order in which they were stored, from a
/// cursor that moves in the same transaction as their effects.
package protocol TriggerStore: Sendable {
    func triggerCursor() async throws -> Int64
    /// Stored events with these names after `cursor`. Scans at most `limit` rows, so a page can be
    /// empty while `hasMore` is `true`.
    func events(
        after cursor: Int64,
        named names: [WorkspaceID: Set<String>],
        limit: Int
    ) async throws -> TriggerPage
    /// Makes the changes and moves the cursor, if it is still at `origin`.
    ///
    /// - Returns: `false` if the cursor has moved; nothing is changed then.
    func commitTriggers(
        _ changes: [TriggerChange],
        from origin: Int64,
        to end: Int64
    ) async throws -> Bool
    /// Due triggers of active campaigns, the earliest first.
    func dueTriggers(now: Date, limit: Int) async throws -> [PendingTrigger]
    /// Number of users who wait for a delayed message of a campaign.
    func pendingTriggerCount(of campaign: CampaignID) async throws -> Int
    /// The pending triggers of one user, the earliest first.
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
    /// The last row that was scanned.
    package var end: Int64
    /// Whether more rows than the limit exist.
    package var hasMore: Bool

    package init(events: [Event], end: Int64, hasMore: Bool) {
        self.events = events
        self.end = end
        self.hasMore = hasMore
    }
}

package enum TriggerChange: Sendable, Hashable {
    case add(NewTrigger)
    /// Cancels the messages that events of this user before `time` have triggered.
    case cancel(campaign: CampaignID, profile: ProfileID, before: Date)
}
