import Foundation

/// A stored row that cannot be read: an older version wrote what nothing can count with, or the
/// file is damaged there. It is left out of what is shown, counted, sent and exported; the rows
/// beside it are not.
package struct UnreadableRow: Sendable, Hashable {
    package var table: String
    /// The row's number in its table.
    package var id: Int64
    package var reason: String

    package init(table: String, id: Int64, reason: String) {
        self.table = table
        self.id = id
        self.reason = reason
    }
}

package protocol UnreadableRowStore: Sendable {
    /// The rows that were met since the start and could not be read, in the order of table and
    /// number; the first thousand of them, and how many there are in all.
    func unreadableRows() -> (rows: [UnreadableRow], total: Int)
}
