import Foundation

/// A filter on the news items of a list.
package struct NewsQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable {
        case newestFirst, oldestFirst
    }

    /// A text in the title or the body.
    package var text: String
    /// `nil` means all states.
    package var state: NewsState?
    /// The time at which the state is determined.
    package var now: Date
    package var order: Order
    package var limit: Int
    package var offset: Int

    package init(
        text: String = "",
        state: NewsState? = nil,
        now: Date,
        order: Order = .newestFirst,
        limit: Int = 25,
        offset: Int = 0
    ) {
        self.text = text
        self.state = state
        self.now = now
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
