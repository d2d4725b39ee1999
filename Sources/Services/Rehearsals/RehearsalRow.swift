import Foundation

/// Who sends a message of a rehearsal.
package struct RehearsalSource: Sendable, Hashable, Comparable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case campaign, journey, push
        case inApp = "in-app message"
    }

    package let kind: Kind
    /// Of a journey's message its own and that of its step.
    package let name: String

    package static func < (one: Self, other: Self) -> Bool {
        (one.kind.rawValue, one.name) < (other.kind.rawValue, other.name)
    }
}

/// Somebody who got a message of a rehearsal, or did not.
package struct RehearsalRow: Sendable, Hashable, Codable {
    package enum Outcome: String, Sendable, Hashable, Codable {
        /// A push service took it.
        case sent
        /// A push service refused it.
        case refused
        /// It was decided for the device when it was to be sent.
        case skipped
        /// It was decided for the person when the launch was planned.
        case leftOut = "left out"
        /// In the control group of the campaign.
        case control
    }

    package var time: Date
    package var source: RehearsalSource
    /// The `external_id`, or the `braze_id` of somebody without a name.
    package var user: String
    package var outcome: Outcome
    /// Why it was not sent; empty if it was.
    package var reason = ""
    package var platform = ""
    package var language = ""
    package var variant = ""
    package var title = ""
    package var body = ""
    /// What else the message says, such as its link; only compared.
    package var rest = ""

    package init(time: Date, source: RehearsalSource, user: String, outcome: Outcome) {
        self.time = time
        self.source = source
        self.user = user
        self.outcome = outcome
    }

    package static let header = [
        "time", "kind", "source", "user", "platform", "language", "variant", "outcome", "reason",
        "title", "body",
    ]
}

/// Why a phone did not show an in-app message that was asked for.
package enum UnshownReason: String, Sendable, CaseIterable {
    /// One with a higher priority was shown instead.
    case anotherMessage = "AnotherMessage"
    /// The last one, or this one, was shown too short a time ago.
    case messageGap = "MessageGap"
    /// Its templates leave it out for this person.
    case notRendered = "NotRendered"
}
