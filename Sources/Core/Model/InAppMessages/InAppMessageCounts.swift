import Foundation
import NoroshiWire

/// Users' interactions with an in-app message, counted.
package struct InAppMessageCounts: Sendable, Hashable {
    package var impressions: Int
    /// Users who saw it.
    package var recipients: Int
    /// Taps on the message itself.
    package var clicks: Int
    package var dismissals: Int
    /// Taps by the button's identifier.
    package var buttonClicks: [String: Int]

    /// Taps on the message and on its buttons.
    package var allClicks: Int { buttonClicks.values.reduce(clicks, +) }

    package init(
        impressions: Int = 0,
        recipients: Int = 0,
        clicks: Int = 0,
        dismissals: Int = 0,
        buttonClicks: [String: Int] = [:]
    ) {
        self.impressions = impressions
        self.recipients = recipients
        self.clicks = clicks
        self.dismissals = dismissals
        self.buttonClicks = buttonClicks
    }
}

/// Users of one group of an in-app message that is compared.
package struct InAppGroupCounts: Sendable, Hashable {
    package var users: Int
    /// Users who tapped the message or a button.
    package var clicked: Int
    /// Users who reached the goal; 0 without one.
    package var converted: Int

    package init(users: Int, clicked: Int, converted: Int = 0) {
        self.users = users
        self.clicked = clicked
        self.converted = converted
    }
}

/// Counts of an in-app message in one period.
package struct InAppMessageCountsBucket: Sendable, Hashable {
    package var start: Date
    package var impressions: Int
    /// Taps on the message and on its buttons.
    package var clicks: Int
    package var dismissals: Int

    package init(start: Date, impressions: Int = 0, clicks: Int = 0, dismissals: Int = 0) {
        self.start = start
        self.impressions = impressions
        self.clicks = clicks
        self.dismissals = dismissals
    }
}

/// One interaction of a user with an in-app message.
package struct InAppMessageEngagement: Sendable, Hashable {
    /// Increases with every report; the cursor of the list.
    package var number: Int64
    package var profile: ProfileID
    /// The user's own identifier, or the beginning of the server's.
    package var userName: String
    package var kind: SDKRecord.InAppMessageInteraction.Kind
    package var button: String?
    package var time: Date

    package init(
        number: Int64,
        profile: ProfileID,
        userName: String,
        kind: SDKRecord.InAppMessageInteraction.Kind,
        button: String?,
        time: Date
    ) {
        self.number = number
        self.profile = profile
        self.userName = userName
        self.kind = kind
        self.button = button
        self.time = time
    }
}

/// A filter on the interactions of a list.
package struct InAppMessageEngagementQuery: Sendable, Hashable {
    /// Empty means all of them.
    package var kinds: Set<SDKRecord.InAppMessageInteraction.Kind>
    /// Taps on this button only.
    package var button: String?
    /// Interactions reported before this number.
    package var before: Int64?
    package var limit: Int

    package init(
        kinds: Set<SDKRecord.InAppMessageInteraction.Kind> = [],
        button: String? = nil,
        before: Int64? = nil,
        limit: Int
    ) {
        self.kinds = kinds
        self.button = button
        self.before = before
        self.limit = limit
    }
}
