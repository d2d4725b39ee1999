import Foundation

/// A filter on the content blocks of a list.
package struct ContentBlockQuery: Sendable, Hashable {
    package var modifiedAfter: Date?
    package var modifiedBefore: Date?
    package var limit: Int
    package var offset: Int

    package init(
        modifiedAfter: Date? = nil,
        modifiedBefore: Date? = nil,
        limit: Int,
        offset: Int = 0
    ) {
        self.modifiedAfter = modifiedAfter
        self.modifiedBefore = modifiedBefore
        self.limit = limit
        self.offset = offset
    }
}
