import Foundation
import Model
import Reasons
import Relational

/// Identifiers as they are stored: sixteen bytes, or a UUID's text.
///
/// GRDB's own subscripts end the process where a column holds something else, which a damaged file
/// may.
enum StoredUUID {
    /// - Throws: `StoreError` with code `unreadable` if the column holds no UUID.
    static func value(_ row: Row, _ column: String) throws -> UUID {
        guard let id = try optional(row, column) else {
            throw StoreError(.unreadable, .empty, ["column": .text(column)])
        }
        return id
    }

    /// - Throws: `StoreError` with code `unreadable` if the column holds neither a UUID nor `NULL`.
    static func optional(_ row: Row, _ column: String) throws -> UUID? {
        try optional(row[column] as DatabaseValue, column)
    }

    /// - Parameter column: Names the value in the error.
    /// - Throws: As above.
    static func value(_ value: DatabaseValue, _ column: String) throws -> UUID {
        guard let id = try optional(value, column) else {
            throw StoreError(.unreadable, .empty, ["column": .text(column)])
        }
        return id
    }

    static func optional(_ value: DatabaseValue, _ column: String) throws -> UUID? {
        if value.isNull { return nil }
        guard let id = UUID.fromDatabaseValue(value) else {
            throw StoreError(.unreadable, .noUUID, ["column": .text(column)])
        }
        return id
    }
}
