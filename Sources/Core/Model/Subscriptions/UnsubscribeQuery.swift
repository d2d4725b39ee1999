import Foundation

package struct UnsubscribeQuery: Sendable, Hashable {
    package var from: Date
    package var until: Date
    /// Only this address.
    package var email: String?
    package var isNewestFirst: Bool
    package var limit: Int
    package var offset: Int

    package init(
        from: Date,
        until: Date,
        email: String?,
        isNewestFirst: Bool,
        limit: Int,
        offset: Int
    ) {
        self.from = from
        self.until = until
        self.email = email
        self.isNewestFirst = isNewestFirst
        self.limit = limit
        self.offset = offset
    }
}
