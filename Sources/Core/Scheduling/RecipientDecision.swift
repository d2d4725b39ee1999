import Foundation
import Model

/// The decision of a launch about one user.
package enum RecipientDecision: Sendable, Hashable {
    /// `variant` is the number of a variant; `nil` for a send without a campaign.
    case message(variant: Int?, dueAt: Date)
    /// In the control group: gets no message and is compared with the others.
    case control(at: Date)
    /// In the workspace's control group: would have got the message at this time.
    case withheld(at: Date)
    case excluded(ExclusionReason)
}

/// The reason why a user is not a recipient of a launch. The raw values are stored and shown.
package enum ExclusionReason: String, Sendable, Hashable, CaseIterable {
    /// The user has no device that a push can reach, or has unsubscribed.
    case noDevice = "NoDevice"
    /// The user has had the campaign, and re-eligibility does not allow it again yet.
    case notEligible = "NotEligible"
    /// In the workspace's control group, which gets no campaign's messages.
    case workspaceControlGroup = "WorkspaceControlGroup"
    /// In the control group.
    case controlGroup = "ControlGroup"
    /// The user gets the winning variant later.
    case awaitsWinner = "AwaitsWinner"
    /// The user was in the test group, and has had a variant.
    case wasInTest = "WasInTest"
    /// The local time had already passed when the campaign was activated.
    case localTimePassed = "LocalTimePassed"
    case quietHours = "QuietHours"
    case frequencyCap = "FrequencyCap"
    /// The user, named by an event or a request, is not in the campaign's audience.
    case notInAudience = "NotInAudience"
}
