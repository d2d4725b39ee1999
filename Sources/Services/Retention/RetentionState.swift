import Foundation
import Model

/// What a workspace keeps of one kind, and how far the removal of older rows has come.
package struct RetentionState: Sendable, Hashable {
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Rows are kept for ever.
        case off
        /// The first pass has not begun.
        case waiting
        case running
        case done
        /// No pass has ended for two days.
        case behind
    }

    package var kind: RetainedKind
    /// `nil` keeps rows for ever.
    package var days: Int?
    /// Rows from this moment on are all there; `nil` if none was ever removed.
    package var keptSince: Date?
    package var removed: Int
    /// The end of the latest complete pass, or the beginning of the one under way.
    package var lastRunAt: Date?
    package var phase: Phase
    /// For whom some of the rows stay, by name. None where nothing is removed.
    package var holders: [RetentionHolder]
}
