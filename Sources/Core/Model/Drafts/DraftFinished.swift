import Foundation

/// Thrown instead of saving the content of a draft a second time.
package struct DraftFinished: Error, Sendable, Hashable {
    /// What the draft has become.
    package var outcome: String

    package init(outcome: String) {
        self.outcome = outcome
    }
}
