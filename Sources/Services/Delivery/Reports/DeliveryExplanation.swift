import Foundation
import Model
import Ports
import Scheduling

/// Why a user got a send, or did not.
package struct DeliveryExplanation: Sendable {
    package enum Membership: Sendable, Hashable {
        case member
        case notMember
        /// It cannot be said now, for this reason.
        case unknown(String)
    }

    /// Whether a device can show a push now.
    package enum Reach: Sendable, Hashable {
        case reachable
        case noToken
        /// The user has not allowed notifications; what the system says.
        case notAllowed(PushAuthorization)
        /// The device is gone, or somebody else uses it.
        case notTheirs
    }

    package struct DeviceStory: Sendable {
        package var id: DeviceID
        /// `nil` where the device is not this user's any more.
        package var device: Device?
        package var reach: Reach
        /// The row of the ledger; `nil` when the send has none for this device.
        package var row: LedgerRow?
    }

    /// A rule of the campaign that kept a user out, and what it looked at.
    package struct Rule: Sendable, Hashable {
        package var reason: ExclusionReason
        /// The workspace's frequency caps and quiet hours, as they are now.
        package var limits: WorkspaceLimits
        package var reeligibility: Reeligibility
        /// The user's earlier messages that the rule counts, the newest first: those of this
        /// campaign for `notEligible`, those within the caps for `frequencyCap`.
        package var contacts: [CampaignContact]
    }

    /// The answer in one word: the furthest that any of the user's devices got, or what kept the
    /// user from having a row at all.
    package enum Answer: Sendable, Hashable {
        case opened(Date)
        case received(Date)
        /// The provider has it; the device has not reported it.
        case accepted(Date)
        case onItsWay
        /// Waits for its time or its next attempt, for the reason of the last one.
        case waiting(reason: String?, until: Date)
        /// Waits until somebody lets the send go on.
        case paused(due: Date)
        /// The provider refused it.
        case rejected(reason: String)
        case unknown(reason: String)
        /// Not sent on purpose: `Aborted: …`, `LiquidError: …`, `Unsubscribed`, `Expired`,
        /// `Cancelled` and the like.
        case skipped(reason: String)
        /// The recipients are not in the ledger yet.
        case notPlanned
        /// The send was stopped before the user was listed.
        case stopped
        /// A member of the control group, who gets nothing on purpose.
        case controlGroup
        case notInAudience
        case unsubscribed
        /// The send is for users who have opted in.
        case notOptedIn
        case noDevice
        /// No device of the user could show a push.
        case notReachable
        /// Kept out by a rule: caps, quiet hours, re-eligibility, the test of a winner, a local
        /// time that had passed. `DeliveryExplanation.rule` has what it looked at.
        case excluded(ExclusionReason)
        /// In the audience and reachable now, but not when the recipients were listed.
        case leftOut
    }

    package var send: Send
    package var profile: Profile
    package var membership: Membership
    /// The user's place in the campaign's launch, if there is one.
    package var entry: CampaignEntry?
    package var devices: [DeviceStory]
    package var answer: Answer
    /// With the answer `excluded`.
    package var rule: Rule?

    /// The name of the campaign's variant that the user got or would have got.
    package var variant: String? {
        entry?.variant.flatMap { send.content.launch?.content.variant(numbered: $0)?.name }
    }
}

/// What became of a campaign for one user, launch by launch.
package struct CampaignStory: Sendable {
    package enum Answer: Sendable, Hashable {
        /// The furthest that any launch got, or why the latest one left the user out.
        case launched(DeliveryExplanation.Answer)
        /// Has triggered it; the message is due then.
        case waitsAfterEvent(until: Date)
        /// Launched for others, never for this user: the event has not come, or the request did
        /// not name the user.
        case notTriggered
        /// Not launched yet; when it will be, if the clock decides that.
        case notLaunched(CampaignState, next: Date?)
    }

    package var campaign: Campaign
    package var profile: Profile
    package var answer: Answer
    /// The launches that concerned the user, the newest first.
    package var launches: [DeliveryExplanation]
    /// Messages that wait for their delay to end, the earliest first.
    package var waiting: [NewTrigger]
    /// Occurrences that were passed over for everybody, the newest first, each with its reason.
    package var passedOver: [CampaignOccurrence]
}
