/// Why a store cannot be written to.
package struct StoreTrouble: Sendable, Hashable {
    /// What is wrong and what to do, for a person.
    package var reason: String
    /// Whether it stays until somebody mends it and starts the server again.
    package var isLasting: Bool

    package init(_ reason: String, isLasting: Bool = false) {
        self.reason = reason
        self.isLasting = isLasting
    }
}

/// Whether a store works.
package protocol HealthStore: Sendable {
    /// What the last write said; `nil` when it went well.
    var trouble: StoreTrouble? { get }
    /// How many writes went well since the store was opened.
    var writesDone: Int { get }
    /// Writes something that nobody reads, to find out.
    func probe() async -> StoreTrouble?
}
