import Foundation

/// The outcome of updating a campaign.
package enum CampaignUpdate: Sendable, Hashable {
    case updated
    /// The campaign is no longer in the state in which it was read.
    case moved
    /// One of the scheduled sends has started or was cancelled meanwhile.
    case sendMoved
}
