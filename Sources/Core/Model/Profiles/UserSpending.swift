import Foundation

/// The amounts that one user has paid.
package struct UserSpending: Sendable, Hashable {
    /// By currency (ISO 4217).
    package var totals: [String: Double]

    package init(totals: [String: Double]) {
        self.totals = totals
    }
}
