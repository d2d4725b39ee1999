import Foundation

/// The recently used provider tokens, to detect senders that create new ones too often.
struct ProviderTokenHistory {
    private struct Use {
        var token: String
        var first: Date
    }

    /// Apple's guide: no more than one new token in twenty minutes.
    private static let window: TimeInterval = 20 * 60
    /// Maximum lifetime of a token.
    private static let maxUse: TimeInterval = 2 * 3600

    /// The newest last; at most as many as the limit allows within `maxUse`.
    private var uses: [Use] = []

    /// Whether the token may be used: it is already known, or the limit is not reached.
    mutating func admit(_ token: String, limit: Int, now: Date) -> Bool {
        if uses.contains(where: { $0.token == token }) { return true }
        uses.removeAll { now.timeIntervalSince($0.first) > Self.maxUse }
        let recent = uses.count { now.timeIntervalSince($0.first) < Self.window }
        guard recent < limit else { return false }
        uses.append(Use(token: token, first: now))
        return true
    }
}
