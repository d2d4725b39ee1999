import Reasons

/// A stored row that cannot be read: an older version wrote a value that no calculation can use, or
/// the file is damaged. The row is not shown, counted, sent or exported; other rows are unaffected.
package struct UnreadableRow: Sendable, Hashable {
    package var table: String
    /// The row's id in its table.
    package var id: Int64
    package var reason: Reason

    package init(table: String, id: Int64, reason: Reason) {
        self.table = table
        self.id = id
        self.reason = reason
    }
}

package protocol UnreadableRowStore: Sendable {
    /// The unreadable rows met since the start, in the order of table and id: the first thousand of
    /// them, and their total number.
    func unreadableRows() -> (rows: [UnreadableRow], total: Int)
}
