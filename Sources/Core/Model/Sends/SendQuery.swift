import Foundation

/// A filter on the sends of a list.
package struct SendQuery: Sendable, Hashable {
    /// A text in the title or the message, or the `dispatch_id` or `schedule_id` of the REST API.
    package var text: String
    /// Empty means all states.
    package var states: Set<SendState>
    /// Only sends in this phase; `nil` means all of them.
    package var phase: SendPhase?
    /// Whether the sends of journeys are among them.
    package var includesJourneys = false
    /// Whether those that were sent as a test are among them.
    package var includesTests = true
    /// Only sends that are for this moment or a later one; `nil` means all of them.
    package var start: Date?
    /// Only sends that are for an earlier moment; `nil` means all of them.
    package var end: Date?
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
