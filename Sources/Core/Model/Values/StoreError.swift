import Foundation

/// An error of a store.
package struct StoreError: Error, Sendable, CustomStringConvertible {
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

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
