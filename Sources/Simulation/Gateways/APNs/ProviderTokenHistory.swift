import Foundation

/// Which provider tokens were used lately, to tell a sender that reuses one from a sender that
/// makes them too often.
struct ProviderTokenHistory {
    private struct Use {
        var token: String
        var first: Date
    }

    /// Apple's guide: no more than one new token in twenty minutes.
    private static let window: TimeInterval = 20 * 60
    /// No token is good for longer.
    private static let longestUse: TimeInterval = 2 * 3600

    /// The newest last; never more than the limit allows within `longestUse`.
    private var uses: [Use] = []

    /// Whether the token may be used: known from before, or not one too many.
    mutating func admit(_ token: String, limit: Int, now: Date) -> Bool {
        if uses.contains(where: { $0.token == token }) { return true }
        uses.removeAll { now.timeIntervalSince($0.first) > Self.longestUse }
        let recent = uses.count { now.timeIntervalSince($0.first) < Self.window }
        guard recent < limit else { return false }
        uses.append(Use(token: token, first: now))
        return true
    }
}
