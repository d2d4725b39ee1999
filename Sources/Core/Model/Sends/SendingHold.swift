import Foundation

/// Nothing is sent and no campaign is launched until an operator says so, as after a restore: the
/// server from which the backup is may have sent, and may go on sending, what is due here.
package struct SendingHold: Sendable, Hashable {
    /// When it began.
    package var since: Date
    /// `nil` while it lasts.
    package var releasedAt: Date?
    /// Whether launches that were due before `since` are passed over.
    package var skipsMissed: Bool

    package init(since: Date, releasedAt: Date? = nil, skipsMissed: Bool = false) {
        self.since = since
        self.releasedAt = releasedAt
        self.skipsMissed = skipsMissed
    }

    package var isActive: Bool { releasedAt == nil }

    /// Launches due before it are passed over; `nil` if none is.
    package var skippedBefore: Date? { skipsMissed && !isActive ? since : nil }
}
