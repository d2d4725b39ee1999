import Foundation
import NoroshiWire

/// An in-app message as a workspace keeps it: what devices show, when, and to whom.
package struct StoredInAppMessage: Sendable, Equatable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Being written; no device gets it.
        case draft
        case active
        /// Over: devices drop it at their next session.
        case stopped
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var name: String
    package var state: State
    /// Who is eligible; everybody when it is missing.
    package var segment: SegmentID?
    /// What devices show, with Liquid in its texts; the identifier in it is the lower-case `id`.
    package var message: InAppMessage
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        id: UUID,
        workspace: WorkspaceID,
        name: String,
        state: State,
        segment: SegmentID?,
        message: InAppMessage,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.state = state
        self.segment = segment
        self.message = message
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// What users did with an in-app message.
package struct InAppMessageCounts: Sendable, Hashable {
    package var impressions: Int
    /// Users who saw it.
    package var recipients: Int
    /// Taps on the message itself.
    package var clicks: Int
    package var dismissals: Int
    /// Taps by the button's identifier.
    package var buttonClicks: [String: Int]

    package init(
        impressions: Int = 0,
        recipients: Int = 0,
        clicks: Int = 0,
        dismissals: Int = 0,
        buttonClicks: [String: Int] = [:]
    ) {
        self.impressions = impressions
        self.recipients = recipients
        self.clicks = clicks
        self.dismissals = dismissals
        self.buttonClicks = buttonClicks
    }
}
