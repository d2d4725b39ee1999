/// When a session counts as an influenced open: at most 30 minutes after a push arrived, or half of
/// the user's average time between earlier sessions if that is longer.
///
/// The rule only looks back from a session, so the order in which sessions and receipts are
/// reported does not matter. All times are in whole milliseconds.
package enum InfluencedOpenRule {
    package static let minWindow: Int64 = 30 * 60 * 1000

    /// The maximum time between a push and the session, in milliseconds.
    ///
    /// - Parameters:
    ///   - count: Number of the user's earlier sessions.
    ///   - first: The first of them.
    ///   - last: The last of them.
    package static func window(afterSessions count: Int64, from first: Int64, to last: Int64)
        -> Int64
    {
        guard count > 1 else { return minWindow }
        return max(minWindow, (last - first) / (2 * (count - 1)))
    }
}
