import Foundation
import Model

/// What a launch holds for one user.
package enum RecipientDecision: Sendable, Hashable {
    /// `variant` is the number of a variant, `nil` for a send without a campaign.
    case message(variant: Int?, dueAt: Date)
    /// Gets nothing, and is compared with those who do.
    case control(at: Date)
    case excluded(ExclusionReason)
}

/// Why a user is not among the recipients of a launch. The raw values are stored and shown.
package enum ExclusionReason: String, Sendable, Hashable, CaseIterable {
    /// No device that a push can reach, or unsubscribed.
    case noDevice = "NoDevice"
    /// Has had the campaign, and may not have it again yet.
    case notEligible = "NotEligible"
    /// In the control group.
    case controlGroup = "ControlGroup"
    /// The rest of the audience gets the winner later.
    case awaitsWinner = "AwaitsWinner"
    /// Was in the test, and has had a variant.
    case wasInTest = "WasInTest"
    /// The local time had passed when the campaign was activated.
    case localTimePassed = "LocalTimePassed"
    case quietHours = "QuietHours"
    case frequencyCap = "FrequencyCap"
    /// Not in the campaign's audience; said of a user whom an event or a request named.
    case notInAudience = "NotInAudience"
}
