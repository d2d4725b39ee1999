import Audience
import Foundation
import Model

/// One push as lists show it.
package struct PushSummary: Sendable, Hashable {
    /// The `push_no`.
    package var number: Int64
    /// Empty when the app's name stands in its place.
    package var title: String
    package var message: String
    package var audience: PushAudience
    package var state: SendPhase
    package var createdAt: Date
    /// When it goes out or went out; `nil` means at once.
    package var deliverAt: Date?
    package var figures: PushFigures
    /// Until when it can be taken back; `nil` where it cannot.
    package var heldUntil: Date?

    package init(
        number: Int64,
        title: String,
        message: String,
        audience: PushAudience,
        state: SendPhase,
        createdAt: Date,
        deliverAt: Date?,
        figures: PushFigures,
        heldUntil: Date? = nil
    ) {
        self.heldUntil = heldUntil
        self.number = number
        self.title = title
        self.message = message
        self.audience = audience
        self.state = state
        self.createdAt = createdAt
        self.deliverAt = deliverAt
        self.figures = figures
    }
}

/// The counts of a push, in messages to devices.
package struct PushFigures: Sendable, Hashable {
    /// What the ledger holds for the push so far.
    package var planned = 0
    /// Accepted by the push service (配信済件数).
    package var delivered = 0
    package var rejected = 0
    /// Handed over without a clear answer.
    package var unknown = 0
    /// Confirmed by the SDK on the device.
    package var received = 0
    /// Opened by a tap on the notification or its button (part of 開封件数).
    package var directOpens = 0
    /// Opened without a tap soon after receipt.
    package var influencedOpens = 0
    package var dismissed = 0

    package init() {}

    package var opened: Int { directOpens + influencedOpens }
    package var answered: Int { delivered + rejected + unknown }
}

/// Which pushes a list shows.
package struct PushHistoryQuery: Sendable, Hashable {
    package var text = ""
    package var state: SendPhase?
    package var page = ListPage(size: 25)

    package init() {}
}

/// One page of the push history, newest first.
package struct PushHistory: Sendable, Hashable {
    package var rows: [PushSummary]
    /// How many pushes the query matches on all pages.
    package var total: Int

    package init(rows: [PushSummary], total: Int) {
        self.rows = rows
        self.total = total
    }
}
