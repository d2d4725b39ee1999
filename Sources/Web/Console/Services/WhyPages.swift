import Foundation

/// Why a user got a push or a campaign, or did not.
package protocol WhyPages: Sendable {
    /// `nil` when there is no such user, push or campaign.
    ///
    /// - Parameter user: Anything that identifies one: external id, e-mail address, `braze_id` …
    func explain(
        _ subject: WhySubject,
        user: String,
        for member: ConsoleMember
    ) async throws -> WhyAnswer?
}

/// What a question is about.
package enum WhySubject: Sendable, Hashable {
    case push(Int64)
    case campaign(Int64)
}

package struct WhyAnswer: Sendable, Hashable {
    package var user: UserRow
    /// The push, or the newest launches of the campaign.
    package var launches: [WhyLaunch]

    package init(user: UserRow, launches: [WhyLaunch]) {
        self.user = user
        self.launches = launches
    }
}

/// What became of one launch for the user.
package struct WhyLaunch: Sendable, Hashable {
    package var number: Int64
    package var title: String
    package var at: Date
    package var verdict: WhyVerdict
    /// Whether the user is in the audience now; `nil` when that cannot be said.
    package var isInAudience: Bool?
    package var isSubscribed: Bool
    /// The name of the variant, of a campaign.
    package var variant: String?
    package var devices: [WhyDevice]

    package init(
        number: Int64,
        title: String,
        at: Date,
        verdict: WhyVerdict,
        isInAudience: Bool?,
        isSubscribed: Bool,
        variant: String?,
        devices: [WhyDevice]
    ) {
        self.number = number
        self.title = title
        self.at = at
        self.verdict = verdict
        self.isInAudience = isInAudience
        self.isSubscribed = isSubscribed
        self.variant = variant
        self.devices = devices
    }
}

package struct WhyDevice: Sendable, Hashable {
    /// `nil`, like `push`, of a device that is not the user's any more.
    package var model: String?
    package var push: DevicePush?
    /// What the ledger says; `nil` when the push has no row for the device.
    package var state: DispatchState?
    package var reason: String?

    package init(model: String?, push: DevicePush?, state: DispatchState?, reason: String?) {
        self.model = model
        self.push = push
        self.state = state
        self.reason = reason
    }
}

/// The answer, in one word.
package enum WhyVerdict: Sendable, Hashable {
    case opened(Date)
    case received(Date)
    /// The provider has it; the device has not said so.
    case accepted(Date)
    case onItsWay
    case waiting(until: Date, reason: String?)
    case rejected(reason: String)
    case unknown(reason: String)
    case skipped(reason: String)
    /// The recipients are not picked yet.
    case notPlanned
    case controlGroup
    case notInAudience
    case unsubscribed
    case noDevice
    case notReachable
    case notEligible
    case awaitsWinner
    case wasInTest
    case localTimePassed
    case quietHours
    case frequencyCap
    /// Joined the audience, or became reachable, after the recipients were picked.
    case leftOut
}
