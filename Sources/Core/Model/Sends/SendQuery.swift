import Foundation

/// Which sends a list shows.
package struct SendQuery: Sendable, Hashable {
    /// In the title or the message, or the `dispatch_id` or `schedule_id` of the REST API.
    package var text: String
    /// All of them when empty.
    package var states: Set<SendState>
    /// Only what people are told to stand there; all of them when `nil`.
    package var phase: SendPhase?
    package var limit: Int
    package var offset: Int

    package init(
        text: String = "",
        states: Set<SendState> = [],
        phase: SendPhase? = nil,
        limit: Int = 25,
        offset: Int = 0
    ) {
        self.text = text
        self.states = states
        self.phase = phase
        self.limit = limit
        self.offset = offset
    }
}
