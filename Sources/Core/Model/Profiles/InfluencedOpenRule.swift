/// When a session counts as an influenced open: no longer after a push came than 30 minutes, or
/// half the user's average time between the sessions before it where that is longer.
///
/// It only looks back from a session, so the order in which sessions and receipts are reported
/// changes nothing. All in milliseconds, whole ones.
package enum InfluencedOpenRule {
    package static let shortestWindow: Int64 = 30 * 60 * 1000

    /// How long before a session a push may have come.
    ///
    /// - Parameters:
    ///   - count: How many sessions the user had before it.
    ///   - first: The first of them.
    ///   - last: The last of them.
    package static func window(afterSessions count: Int64, from first: Int64, to last: Int64)
        -> Int64
    {
        guard count > 1 else { return shortestWindow }
        return max(shortestWindow, (last - first) / (2 * (count - 1)))
    }
}
