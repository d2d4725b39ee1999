import Foundation

/// A filter on a list of what has a name, tags and a state, such as campaigns.
package struct ContentQuery<State: Sendable & Hashable, Ordering: ContentOrder>:
    Sendable, Hashable
{
    package typealias Order = Ordering

    /// A text in the name or a tag.
    package var text: String
    /// Empty means all except archived ones.
    package var states: Set<State>
    package var editedAfter: Date?
    package var order: Ordering
    package var limit: Int
    package var offset: Int

    package init(
        text: String = "",
        states: Set<State> = [],
        editedAfter: Date? = nil,
        order: Ordering = .newestFirst,
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

/// An order of such a list.
package protocol ContentOrder: Sendable, Hashable {
    static var newestFirst: Self { get }
}
