import Foundation

/// When a session counts as an influenced open: no longer after the receipt of a push than 30
/// minutes, or half the user's average time between sessions where that is longer.
package enum InfluencedOpenRule {
    package static let shortestWindow: TimeInterval = 30 * 60

    package static func window(for profile: Profile) -> TimeInterval {
        guard profile.sessionCount > 1, let first = profile.firstSessionAt,
            let last = profile.lastSessionAt
        else { return shortestWindow }
        let average = last.timeIntervalSince(first) / Double(profile.sessionCount - 1)
        return max(shortestWindow, average / 2)
    }
}
