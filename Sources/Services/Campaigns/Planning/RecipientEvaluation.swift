import Foundation
import Model
import Scheduling

/// The decision of a send's rules about one user, with the data behind it.
package struct RecipientEvaluation: Sendable, Hashable {
    package var decision: RecipientDecision
    /// The workspace's current limits.
    package var limits: MessagingLimits
    /// Earlier exposures that count: all of this campaign, and those of others within the longest
    /// cap.
    package var contacts: [CampaignExposure]
    /// The time zone of the user's calendar; `nil` if the rules were not evaluated.
    package var zone: TimeZone?

    init(
        _ decision: RecipientDecision,
        limits: MessagingLimits,
        contacts: [CampaignExposure] = [],
        zone: TimeZone? = nil
    ) {
        self.decision = decision
        self.limits = limits
        self.contacts = contacts
        self.zone = zone
    }
}
