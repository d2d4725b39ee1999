import Foundation

/// A stored count that differs from the rows.
package struct CountMismatch: Sendable, Hashable {
    package var name: String
    package var kept: Int
    package var counted: Int

    package init(name: String, kept: Int, counted: Int) {
        self.name = name
        self.kept = kept
        self.counted = counted
    }
}
