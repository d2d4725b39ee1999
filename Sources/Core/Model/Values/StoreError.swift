import Reasons

/// An error of a store.
package struct StoreError: ReasonedError, Sendable {
    package enum Code: String, Sendable {
        /// The database cannot be opened, reached or written; a retry may succeed.
        case unavailable
        /// Another server is using the database.
        case taken
        /// A row with this unique value exists already.
        case exists
        /// The object has changed since it was read.
        case changed
        /// The stored data cannot be read: the file is damaged or was written by a newer version.
        case unreadable
        /// The store does not support the operation.
        case unsupported
    }

    package let code: Code
    package let reason: Reason

    /// An error of the database as a whole.
    package init(
        _ code: Code,
        _ reason: StoreReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(code, Reason(reason, arguments))
    }

    /// An error of a row.
    package init(
        _ code: Code,
        _ reason: StoredRowReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(code, Reason(reason, arguments))
    }

    package init(_ code: Code, _ reason: Reason) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason.description }
}
