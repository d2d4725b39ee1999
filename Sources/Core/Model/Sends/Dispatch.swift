import Foundation

/// The state of a dispatch. The raw values are stored: never renumber them.
package enum DispatchState: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Waits to be sent, now or at its next attempt.
    case queued = 0
    /// Claimed by a worker; if the lease expires without an outcome it is sent again.
    case sending = 1
    case accepted = 2
    case rejected = 3
    /// The connection ended before the response, and there is no further attempt.
    case unknown = 4
    /// Not sent: the template aborted the message, or the user cannot be reached.
    case skipped = 5

    package var isFinal: Bool {
        switch self {
        case .queued, .sending: false
        case .accepted, .rejected, .unknown, .skipped: true
        }
    }
}

/// Number of dispatches of a send by state, and of devices that reported interactions.
package struct SendCounts: Sendable, Hashable {
    package var states: [DispatchState: Int]
    /// How many of the rejected pushes were for devices that are gone; see ``GoneDevice``.
    package var gone: Int
    /// Number of devices that reported the push as received.
    package var received: Int
    /// Number of devices whose user opened the push by a tap.
    package var opened: Int
    /// Number of devices whose user started a session soon after the receipt, without a tap.
    package var influenced: Int
    /// Number of devices whose user dismissed the notification.
    package var dismissed: Int

    package init(
        states: [DispatchState: Int] = [:],
        gone: Int = 0,
        received: Int = 0,
        opened: Int = 0,
        influenced: Int = 0,
        dismissed: Int = 0
    ) {
        self.states = states
        self.gone = gone
        self.received = received
        self.opened = opened
        self.influenced = influenced
        self.dismissed = dismissed
    }

    package subscript(state: DispatchState) -> Int { states[state] ?? 0 }

    /// Direct and influenced opens: the meaning of "opened" unless stated otherwise.
    package var allOpens: Int { opened + influenced }

    package var total: Int { states.values.reduce(0, +) }
}
