import Foundation
import Model
import Ports
import Synchronization

/// Who plays a rehearsal side by side: each a share of the people, on a copy of its own.
package struct RehearsalHands: Sendable {
    let count: Int
    let leastPeople: Int
    let copy: @Sendable () async throws -> any Store

    /// - Parameters:
    ///   - count: At most so many; what they find does not depend on it.
    ///   - leastPeople: Fewer are played by one, sooner than a database is copied.
    ///   - copy: Copies the store as it is now. What it throws ends the rehearsal.
    package init(
        _ count: Int,
        leastPeople: Int = 1_000,
        copy: @escaping @Sendable () async throws -> any Store
    ) {
        self.count = count
        self.leastPeople = leastPeople
        self.copy = copy
    }
}
