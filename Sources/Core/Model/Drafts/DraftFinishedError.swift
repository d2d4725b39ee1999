import Foundation

/// Thrown when the content of a draft would be saved a second time.
package struct DraftFinishedError: Error, Sendable, Hashable {
    /// The outcome of the draft.
    package var outcome: String

    package init(outcome: String) {
        self.outcome = outcome
    }
}
