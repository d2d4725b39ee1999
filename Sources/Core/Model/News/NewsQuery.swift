import Foundation

/// Which news items a list shows.
package struct NewsQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable {
        case newestFirst, oldestFirst
    }

    /// In the title or the text.
    package var text: String
    /// All of them when `nil`.
    package var state: NewsState?
    /// The moment at which an item has its state.
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
