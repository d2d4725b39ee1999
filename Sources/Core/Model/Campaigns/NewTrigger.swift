import Foundation
import NoroshiWire

/// A message that an event has triggered.
package struct NewTrigger: Sendable, Hashable {
    package var campaign: CampaignID
    package var profile: ProfileID
    /// The event, which identifies the trigger together with the campaign and the user.
    package var event: Int64
    package var triggeredAt: Date
    package var dueAt: Date
    package var properties: [String: JSONValue]

    package init(
        campaign: CampaignID,
        profile: ProfileID,
        event: Int64,
        triggeredAt: Date,
        dueAt: Date,
        properties: [String: JSONValue]
    ) {
        self.campaign = campaign
        self.profile = profile
        self.event = event
        self.triggeredAt = triggeredAt
        self.dueAt = dueAt
        self.properties = properties
    }
}
