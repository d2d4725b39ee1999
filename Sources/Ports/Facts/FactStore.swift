import Foundation
import Model

/// What happened, as readers outside the server get it: in one order that never changes.
package protocol FactStore: Sendable {
    /// Gives numbers to facts that have none yet, in one transaction. What comes later, or is
    /// committed later, gets greater numbers.
    ///
    /// - Returns: Whether any fact got a number.
    func numberFacts() async throws -> Bool
    /// The last number that was given; 0 if there is none.
    func lastFactNumber() async throws -> Int64
    /// Facts that have a number, in the order of these.
    ///
    /// A page may have fewer facts than `limit`, or none, although others follow: only so many rows
    /// are looked at.
    ///
    /// - Parameter kinds: Those that are wanted.
    func facts(
        in workspace: WorkspaceID,
        after number: Int64,
        kinds: Set<Fact.Kind>,
        limit: Int
    ) async throws -> FactPage
    /// Leaves out numbers, so that those that were given after the copy was made from which this
    /// database was restored are not given to other facts.
    func skipFactNumbers() async throws
}
