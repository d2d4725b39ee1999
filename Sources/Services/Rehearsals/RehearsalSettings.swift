import Foundation

/// What a rehearsal plays.
package struct RehearsalSettings: Sendable, Hashable, Codable {
    package static let days = 1...366

    package var from: Date
    package var days: Int
    /// Another number draws other people's behavior.
    package var seed: UInt64
    /// The share of pushes that are opened, from 0 to 1; `nil` takes the workspace's own of the four weeks
    /// before, and nothing where it sent none.
    package var openRate: Double?
    /// Whether people do what they did in weeks before.
    package var repeatsHistory: Bool
    /// How many people sign up each day; `nil` takes as many as did in the four weeks before.
    package var signUpsPerDay: Double?
    /// Names of the campaigns and journeys that are started; others go on as they are.
    package var starts: RehearsalStart

    package init(
        from: Date,
        days: Int,
        seed: UInt64 = 1,
        openRate: Double? = nil,
        repeatsHistory: Bool = true,
        signUpsPerDay: Double? = nil,
        starts: RehearsalStart = .nothing
    ) {
        self.from = from
        self.days = days
        self.seed = seed
        self.openRate = openRate
        self.repeatsHistory = repeatsHistory
        self.signUpsPerDay = signUpsPerDay
        self.starts = starts
    }

    package var end: Date { from.addingTimeInterval(Double(days) * 86_400) }
}

/// Which drafts and stopped rows a rehearsal starts.
package enum RehearsalStart: Sendable, Hashable, Codable {
    case nothing
    /// The campaigns, journeys and in-app messages with these names.
    case named(campaigns: Set<String>, journeys: Set<String>, inAppMessages: Set<String> = [])
    /// The one campaign or journey with this name or identifier.
    case only(String)

    var hasInAppMessages: Bool {
        if case .named(_, _, let names) = self { !names.isEmpty } else { false }
    }
}
