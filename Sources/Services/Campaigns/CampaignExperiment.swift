import Experiments
import Foundation
import Model

/// What a campaign's groups say: the newest launches that drew their users alike.
package struct CampaignExperiment: Sendable, Hashable {
    /// What is compared. Rates are of users who did it at least once.
    package enum Measure: Sendable, Hashable {
        /// The conversion event with this index; the first is the primary one.
        case conversion(Int)
        /// What a user's primary conversions brought in.
        case revenue
        /// Direct or influenced opens.
        case opens
        case directOpens

        package var isRate: Bool { self != .revenue }
    }

    package struct Group: Sendable, Hashable {
        package var identity: ExperimentGroup
        /// The identifier of the variant; `nil` for the control group.
        package var apiID: UUID?
        package var name: String
        /// The part of all users that is drawn for it, from 0 to 1.
        package var share: Double
        package var users: Int
    }

    package struct Result: Sendable, Hashable {
        package var measure: Measure
        package var experiment: Experiment
    }

    /// The variant that users outside of a test got.
    package struct Choice: Sendable, Hashable {
        package var name: String
        package var apiID: UUID?
        /// Whether it was better than every other variant when it was chosen; `nil` if an earlier
        /// version chose it.
        package var isProven: Bool?
    }

    /// The first launch; `nil` before it.
    package var since: Date?
    package var launches: Int
    /// The control group first. Groups that nobody is drawn for are left out.
    package var groups: [Group]
    /// The one that decides first.
    package var results: [Result]
    package var smallestLift: Double
    /// `nil` for fewer than two groups.
    package var split: SplitCheck?
    /// Until when a user of the last message can still convert, if that is not over.
    package var convertsUntil: Date?
    package var choice: Choice?

    /// The measure that decides: the primary conversion, or opens where there is none.
    package var primary: Result? { results.first }

    /// Users whom it needs from a rate on; `nil` if no size can be said.
    package func requiredUsers(baseline: Double) -> RequiredSize.Users? {
        Experiment.requiredUsers(
            shares: arms(of: primary?.measure ?? .opens).map(\.share),
            baseline: baseline,
            smallestLift: smallestLift
        )
    }

    /// The groups that a measure compares: nobody opens what was not sent.
    func arms(of measure: Measure) -> [Group] {
        switch measure {
        case .opens, .directOpens: groups.filter { $0.identity != .control }
        case .conversion, .revenue: groups
        }
    }
}
