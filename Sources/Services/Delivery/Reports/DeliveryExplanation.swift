import Foundation
import Model
import Ports

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
    }

    package struct DeviceStory: Sendable {
        package var device: Device
        package var reach: Reach
        /// The row of the ledger; `nil` when the send has none for this device.
        package var row: LedgerRow?
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
        case rejected(reason: String)
        case unknown(reason: String)
        case skipped(reason: String)
        /// The recipients are not in the ledger yet.
        case notPlanned
        /// A member of the control group, who gets nothing on purpose.
        case controlGroup
        case notInAudience
        case unsubscribed
        case noDevice
        /// No device of the user could show a push.
        case notReachable
        /// In the audience and reachable now, but not when the recipients were listed, or left out
        /// by a rule of the campaign (caps, quiet hours, re-eligibility).
        case leftOut
    }

    package var send: Send
    package var profile: Profile
    package var membership: Membership
    /// The user's place in the campaign's launch, if there is one.
    package var entry: CampaignEntry?
    package var devices: [DeviceStory]
    package var answer: Answer
}
