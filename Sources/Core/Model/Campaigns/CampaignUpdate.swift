import Foundation

/// What became of a campaign's update.
package enum CampaignUpdate: Sendable, Hashable {
    case updated
    /// The campaign is in another state than the one it was read in.
    case moved
    /// One of the reserved sends has begun or was cancelled meanwhile.
    case sendMoved
}
