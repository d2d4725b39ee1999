/// The index by which the events of a user are found.
///
/// It follows what comes: the last events are found without it, more slowly the more they are.
package protocol UserEventIndexStore: Sendable {
    /// Takes the next events into the index, if there are so many.
    ///
    /// - Parameter count: How many of them.
    /// - Returns: Whether there were, so that there may be more.
    func indexEvents(_ count: Int) async throws -> Bool
}
