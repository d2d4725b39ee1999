import Foundation

/// Where one row of the ledger stands. The raw values are stored: never renumber them.
package enum DispatchState: Int, Sendable, Hashable, Codable, CaseIterable {
    /// To be sent, now or at its next attempt.
    case queued = 0
    /// A worker has it; when its lease ends without an outcome it is sent again.
    case sending = 1
    case accepted = 2
    case rejected = 3
    /// The connection ended before the answer and there is no further attempt.
    case unknown = 4
    /// Not sent on purpose: the template ended the message, or the user cannot be reached.
    case skipped = 5

    package var isFinal: Bool {
        switch self {
        case .queued, .sending: false
        case .accepted, .rejected, .unknown, .skipped: true
        }
    }
}

/// How many rows of a send's ledger stand where, and what the devices reported.
package struct SendCounts: Sendable, Hashable {
    package var states: [DispatchState: Int]
    /// Devices that reported the push as received.
    package var received: Int
    /// Devices whose user opened the push by a tap.
    package var opened: Int
    /// Devices whose user came to the app soon after the receipt, without a tap.
    package var influenced: Int
    /// Devices whose user dismissed the notification.
    package var dismissed: Int

    package init(
        states: [DispatchState: Int] = [:],
        received: Int = 0,
        opened: Int = 0,
        influenced: Int = 0,
        dismissed: Int = 0
    ) {
        self.states = states
        self.received = received
        self.opened = opened
        self.influenced = influenced
        self.dismissed = dismissed
    }

    package subscript(state: DispatchState) -> Int { states[state] ?? 0 }

    /// Direct and influenced opens: what is called opened wherever nothing else is said.
    package var allOpens: Int { opened + influenced }

    package var total: Int { states.values.reduce(0, +) }
}
