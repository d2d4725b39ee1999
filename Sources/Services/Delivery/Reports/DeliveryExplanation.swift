import Foundation
import Model
import Ports
import Scheduling

/// Explains why a user got a send, or did not.
package struct DeliveryExplanation: Sendable {
    package enum Membership: Sendable, Hashable {
        case member
        case notMember
        /// Unknown at present, for this reason.
        case unknown(String)
    }

    /// Whether a device can show a push now.
    package enum Reach: Sendable, Hashable {
        case reachable
        case noToken
        /// The user has not allowed notifications; the system's authorization.
        case notAllowed(PushAuthorization)
        /// The device was deleted, or another user uses it.
        case notTheirs
    }

    package struct DeviceHistory: Sendable {
        package var id: DeviceID
        /// `nil` if the device no longer belongs to this user.
        package var device: Device?
        package var reach: Reach
        /// The dispatch; `nil` if the send has none for this device.
        package var row: LedgerRow?
    }

    /// A rule of the campaign that excluded a user, with the data behind it.
    package struct Rule: Sendable, Hashable {
        package var reason: ExclusionReason
        /// The workspace's current frequency caps and quiet hours.
        package var limits: MessagingLimits
        package var reeligibility: Reeligibility
        /// The user's earlier messages that the rule counts, the newest first: those of this
        /// campaign for `notEligible`, those within the caps for `frequencyCap`.
        package var contacts: [CampaignExposure]
    }

    /// The summary: the furthest state of the user's dispatches, or the reason why the user has
    /// none.
    package enum Answer: Sendable, Hashable {
        case opened(Date)
        case received(Date)
        /// The provider accepted it; the device has not reported it.
        case accepted(Date)
        case onItsWay
        /// Waits for its time or its next attempt, with the reason of the last one.
        case waiting(reason: String?, until: Date)
        /// Waits until the send is resumed.
        case paused(due: Date)
        /// The provider rejected it.
        case rejected(reason: String)
        case unknown(reason: String)
        /// Skipped: `Aborted: …`, `LiquidError: …`, `Unsubscribed`, `Expired`, `Cancelled` and the
        /// like.
        case skipped(reason: String)
        /// The dispatches are not written yet.
        case notPlanned
        /// The send was stopped before the user was planned.
        case stopped
        /// In the control group, which gets no message.
        case controlGroup
        case notInAudience
        case unsubscribed
        /// The send is limited to users who have opted in.
        case notOptedIn
        case noDevice
        /// No device of the user could show a push.
        case notReachable
        /// Excluded by a rule: caps, quiet hours, re-eligibility, the test for a winner, or a local
        /// time that had passed. `DeliveryExplanation.rule` has the data behind it.
        case excluded(ExclusionReason)
        /// The workspace no longer keeps who got it.
        case rowsRemoved
        /// In the audience and reachable now, but not when the recipients were determined.
        case leftOut
    }

    package var send: Send
    package var profile: Profile
    package var membership: Membership
    /// The user's exposure to the campaign's launch, if there is one.
    package var entry: CampaignParticipation?
    package var devices: [DeviceHistory]
    package var answer: Answer
    /// Set for the answer `excluded`.
    package var rule: Rule?

    /// The name of the campaign's variant that the user got or would have got.
    package var variant: String? {
        entry?.variant.flatMap { send.content.launch?.content.variant(numbered: $0)?.name }
    }
}

/// The history of a campaign for one user, launch by launch.
package struct CampaignHistory: Sendable {
    package enum Answer: Sendable, Hashable {
        /// The furthest answer of any launch, or the reason why the latest one left out the user.
        case launched(DeliveryExplanation.Answer)
        /// The user has triggered it; the message is due then.
        case waitsAfterEvent(until: Date)
        /// Launched for others, but never for this user: the event has not occurred, or the request
        /// did not name the user.
        case notTriggered
        /// Not launched yet; `next` is the next time if the campaign has a schedule.
        case notLaunched(CampaignState, next: Date?)
    }

    package var campaign: Campaign
    package var profile: Profile
    package var answer: Answer
    /// The launches that concern the user, the newest first.
    package var launches: [DeliveryExplanation]
    /// Delayed messages, the earliest first.
    package var waiting: [NewTrigger]
    /// Occurrences that were skipped for all users, the newest first, each with its reason.
    package var passedOver: [CampaignOccurrence]
}
