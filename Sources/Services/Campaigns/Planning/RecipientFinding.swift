import Foundation
import Model
import Scheduling

/// What the rules of a send say of one user, and what they looked at to say it.
package struct RecipientFinding: Sendable, Hashable {
    package var decision: RecipientDecision
    /// The workspace's, as they are now.
    package var limits: WorkspaceLimits
    /// Earlier messages of campaigns that count: all of this campaign, of others those within the
    /// longest cap.
    package var contacts: [CampaignContact]
    /// Whose midnights part the user's days; `nil` where nothing was looked at.
    package var zone: TimeZone?

    init(
        _ decision: RecipientDecision,
        limits: WorkspaceLimits,
        contacts: [CampaignContact] = [],
        zone: TimeZone? = nil
    ) {
        self.decision = decision
        self.limits = limits
        self.contacts = contacts
        self.zone = zone
    }
}
