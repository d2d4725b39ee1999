import Foundation
import Model

/// What the servers that work on one database know of each other. A database of SQLite has one server, which
/// is not listed.
package protocol ServerStore: Sendable {
    /// The servers that have given a sign of life lately, in the order in which they came.
    func servers() async throws -> [WorkingServer]

    /// Strikes off servers that do not work any more, and gives back what they had claimed: their pushes are due
    /// again, and are sent under the same ids.
    ///
    /// - Parameters:
    ///   - limit: For how many seconds of the database's clock a server may be silent.
    ///   - isGone: Whether a server is known to have ended, whatever it said a moment ago.
    /// - Returns: The servers that were struck off, and the number of pushes that are due again.
    func removeServers(
        silentFor limit: TimeInterval,
        or isGone: @escaping @Sendable (WorkingServer) -> Bool,
        now: Date
    ) async throws -> (servers: [WorkingServer], dispatches: Int)

    /// Tells the other servers of changes.
    func share(_ changes: Set<SharedChange>, from server: UUID, now: Date) async throws

    /// What other servers have told since a number, and the number of the last of them.
    ///
    /// - Parameters:
    ///   - number: `nil` for whoever begins to listen: nothing that was told before.
    ///   - server: Whose own changes are left out.
    func sharedChanges(
        after number: Int64?,
        besidesThoseOf server: UUID
    ) async throws -> (changes: Set<SharedChange>, last: Int64)

    /// Removes what was told before a moment.
    func forgetSharedChanges(before moment: Date) async throws
}
