import Foundation

/// How far a message has come, counted in different users who are still known.
package struct MessageFunnel: Sendable, Hashable {
    package enum Stage: String, Sendable, Hashable, CaseIterable {
        /// A message was planned for a device of the user.
        case targeted
        /// A provider has accepted a message.
        case delivered
        /// A device has told anything of it.
        case received
        /// Opened directly or influenced.
        case opened
        /// Did what the campaign is for.
        case converted
        /// Saw the in-app message.
        case shown
        /// Tapped the in-app message or one of its buttons.
        case clicked
    }

    package struct Step: Sendable, Hashable {
        package var stage: Stage
        package var users: Int

        package init(_ stage: Stage, _ users: Int) {
            self.stage = stage
            self.users = users
        }
    }

    /// Users who got nothing, for comparison.
    package struct Control: Sendable, Hashable {
        package var users: Int
        /// Of them, those who did all the same what the campaign is for; `nil` where that is not
        /// known.
        package var converted: Int?

        package init(users: Int, converted: Int?) {
            self.users = users
            self.converted = converted
        }
    }

    /// In the order in which they happen. A user can be in a step without the one before: a device
    /// does not tell of each arrival, and people buy what they have not opened.
    package var steps: [Step]
    package var control: Control?
    /// Users of the workspace's control group who would have got it.
    package var withheld: Int
    /// Of them, those who did all the same what the message is for; `nil` where that is not known.
    package var withheldConverted: Int?
    /// Since when conversions are counted, where what was shown before is only summed up.
    package var completeSince: Date?

    package init(
        steps: [Step],
        control: Control? = nil,
        withheld: Int = 0,
        withheldConverted: Int? = nil,
        completeSince: Date? = nil
    ) {
        self.steps = steps
        self.control = control
        self.withheld = withheld
        self.withheldConverted = withheldConverted
        self.completeSince = completeSince
    }

    /// The users at the first step.
    package var base: Int { steps.first?.users ?? 0 }
}

/// Different users who are known to have come as far as the ledger says.
package struct MessageReach: Sendable, Hashable {
    package var targeted: Int
    package var delivered: Int
    package var received: Int
    package var opened: Int
    /// Users of the control group.
    package var control: Int
    /// Users of the workspace's control group.
    package var withheld: Int

    package init(
        targeted: Int,
        delivered: Int,
        received: Int,
        opened: Int,
        control: Int,
        withheld: Int = 0
    ) {
        self.targeted = targeted
        self.delivered = delivered
        self.received = received
        self.opened = opened
        self.control = control
        self.withheld = withheld
    }
}

/// Different users of an in-app message who are still known.
package struct InAppReach: Sendable {
    package var shown: Int
    package var clicked: Int
    /// Users of the control group to whom it would have been shown.
    package var control: Int
    /// Users who reached the goal after it was shown, and those of the control group after it would
    /// have been; `nil` without a goal.
    package var converted: (shown: Int, control: Int)?
    /// Users of the workspace's control group to whom it would have been shown; nothing clicked.
    package var withheld: InAppGroupCounts
    /// Since when showings are all there, where the goal was chosen after some were summed up.
    package var completeSince: Date?

    package init(
        shown: Int,
        clicked: Int,
        control: Int,
        converted: (shown: Int, control: Int)? = nil,
        withheld: InAppGroupCounts,
        completeSince: Date? = nil
    ) {
        self.shown = shown
        self.clicked = clicked
        self.control = control
        self.converted = converted
        self.withheld = withheld
        self.completeSince = completeSince
    }
}
