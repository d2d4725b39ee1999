import Foundation
import Model

/// The groups of users that campaigns compare, counted from the raw rows.
package protocol ExperimentStore: Sendable {
    /// The newest experiment of a campaign at one moment; `nil` before the first launch.
    ///
    /// - Parameter conversions: The events whose users are counted, the primary one first.
    func experiment(
        of campaign: CampaignID,
        conversions: [ConversionEvent],
        at now: Date
    ) async throws -> ExperimentRecord?
}

/// How the users of a launch are spread over its texts.
package struct ExperimentDesign: Sendable, Hashable {
    package struct Variant: Sendable, Hashable {
        package var number: Int
        package var weight: Int

        package init(number: Int, weight: Int) {
            self.number = number
            self.weight = weight
        }
    }

    package var variants: [Variant]
    package var controlShare: Int

    package init(variants: [Variant], controlShare: Int) {
        self.variants = variants
        self.controlShare = controlShare
    }

    package init(_ content: CampaignContent) {
        self.init(
            variants: content.variants.indices.map {
                Variant(
                    number: content.number(ofVariantAt: $0),
                    weight: content.variants[$0].weight
                )
            },
            controlShare: content.controlShare
        )
    }
}

/// What the rows know of the launches that drew their users alike: the newest one and those before
/// it, as far back as texts, weights and control group are the same. Launches of one variant for
/// everybody are left out.
package struct ExperimentRecord: Sendable, Hashable {
    /// One group of users. A user of several launches is one, in the group of the first of them.
    package struct Group: Sendable, Hashable {
        /// Users whose message, or its absence, was due.
        package var users: Int
        /// Users with a direct or influenced open.
        package var opened: Int
        /// Users with a direct open.
        package var tapped: Int
        /// Users with a conversion, by event.
        package var converted: [Int]
        /// What the primary conversions brought in, and the sum of the squares of the users' sums.
        package var revenue: Double
        package var squaredRevenue: Double

        package init(
            users: Int = 0,
            opened: Int = 0,
            tapped: Int = 0,
            converted: [Int] = [],
            revenue: Double = 0,
            squaredRevenue: Double = 0
        ) {
            self.users = users
            self.opened = opened
            self.tapped = tapped
            self.converted = converted
            self.revenue = revenue
            self.squaredRevenue = squaredRevenue
        }
    }

    /// The variant that users outside of the test got.
    package struct Choice: Sendable, Hashable {
        /// The number of its text.
        package var variant: Int
        /// Whether it was better than every other variant; `nil` if an earlier version chose it.
        package var isProven: Bool?

        package init(variant: Int, isProven: Bool?) {
            self.variant = variant
            self.isProven = isProven
        }
    }

    package var design: ExperimentDesign
    /// The time of the first launch.
    package var since: Date
    package var launches: Int
    /// When the last message so far was due; `nil` if there is none.
    package var lastDueAt: Date?
    /// By the number of the text; `nil` is the control group. Only groups with users.
    package var groups: [Int?: Group]
    package var choice: Choice?

    package init(
        design: ExperimentDesign,
        since: Date,
        launches: Int,
        lastDueAt: Date? = nil,
        groups: [Int?: Group] = [:],
        choice: Choice? = nil
    ) {
        self.design = design
        self.since = since
        self.launches = launches
        self.lastDueAt = lastDueAt
        self.groups = groups
        self.choice = choice
    }
}
