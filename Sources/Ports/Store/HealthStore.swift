import Model
import Reasons

/// The reason why a store cannot be written to.
package struct StoreTrouble: Sendable, Hashable {
    /// The problem and its remedy, for an operator.
    package var reason: Reason
    /// Whether the problem lasts until it is fixed and the server is restarted.
    package var isLasting: Bool

    package init(_ reason: Reason, isLasting: Bool = false) {
        self.reason = reason
        self.isLasting = isLasting
    }

    package init(_ reason: StoreReason, _ arguments: [String: Reason.Argument] = [:]) {
        self.init(Reason(reason, arguments))
    }
}

/// Whether a store works.
package protocol HealthStore: Sendable {
    /// The problem of the last write; `nil` if it succeeded.
    var trouble: StoreTrouble? { get }
    /// Number of successful writes since the store was opened.
    var writesDone: Int { get }
    /// The room that the database takes, its log included.
    func storedBytes() async throws -> Int64
    /// Room inside the database that removed rows have left for the next ones; `nil` where the database
    /// does not tell.
    func freeBytes() async throws -> Int64?
    /// Tests the store by writing data that no reader uses.
    func probe() async -> StoreTrouble?
}
