import Foundation

/// What a store throws when it cannot do its work.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The database cannot be opened, reached or written; the same again later may work.
        case unavailable
        /// Another server has the database.
        case taken
        /// A row with this unique value exists already.
        case exists
        /// Somebody else has changed it since it was read.
        case changed
        /// What is stored cannot be read; the file is damaged or from a newer version.
        case unreadable
        /// The store is not what answers this.
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
