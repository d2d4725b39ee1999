import NoroshiWire

/// What an in-app message is compared with: other contents, and nothing at all.
package struct InAppExperiment: Sendable, Equatable, Codable {
    /// The `variant` of users who get nothing and are counted where they would have seen it.
    package static let controlName = "control"

    /// The share of users, in per cent, who get nothing.
    package var controlShare: Int
    /// Of the variants relative to one another, the message's own first.
    package var weights: [Int]
    /// The contents of the variants after the first; their rules are those of the first.
    package var others: [InAppMessage]

    package init(controlShare: Int = 0, weights: [Int] = [1], others: [InAppMessage] = []) {
        self.controlShare = controlShare
        self.weights = weights
        self.others = others
    }

    /// Whether there is anything to compare.
    package var isRunning: Bool { controlShare > 0 || !others.isEmpty }
}
