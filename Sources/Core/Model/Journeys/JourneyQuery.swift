import Foundation

/// A filter on the journeys of a list.
package struct JourneyQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable {
        case newestFirst, oldestFirst
        /// In the order of the alphabet, without regard to case.
        case name
        /// The one that was entered last first; those that never were come last.
        case lastEntry
        /// The one in which most people are now first.
        case inside
        /// The one with the most entries first.
        case entered
        /// The one with the highest share of entries that reached the goal first; those without a
        /// goal or an entry come last.
        case converted
    }

    /// A text in the name or a tag.
    package var text: String
    /// Empty means all except archived ones.
    package var states: Set<JourneyState>
    package var editedAfter: Date?
    package var order: Order
    package var limit: Int
    package var offset: Int

    package init(
        text: String = "",
        states: Set<JourneyState> = [],
        editedAfter: Date? = nil,
        order: Order = .newestFirst,
        limit: Int = 25,
        offset: Int = 0
    ) {
        self.text = text
        self.states = states
        self.editedAfter = editedAfter
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
