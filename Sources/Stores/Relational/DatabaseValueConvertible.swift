import Foundation
import GRDB

/// What can be bound to a statement and read from a column.
package protocol DatabaseValueConvertible {
    var databaseValue: DatabaseValue { get }

    /// - Returns: `nil` if the value is of another kind.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self?

    /// Reads a column where a statement of SQLite stands; `nil` for `NULL`.
    static func value(_ statement: OpaquePointer, _ column: Int32) -> Self?
}

extension DatabaseValueConvertible {
    /// The value of a column that always has one: another kind of value is an error of the program or
    /// damage that the database has not found.
    static func required(_ value: DatabaseValue, _ column: @autoclosure () -> String) -> Self {
        guard let result = fromDatabaseValue(value) else {
            preconditionFailure("\(column()) holds \(value), which is no \(Self.self)")
        }
        return result
    }

    static func optional(_ value: DatabaseValue, _ column: @autoclosure () -> String) -> Self? {
        value.isNull ? nil : required(value, column())
    }
}

extension DatabaseValue: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { self }
    package static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }
}

extension Int64: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(self) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Int64? {
        switch value {
        case .integer(let integer): integer
        case .double(let double): Int64(exactly: double.rounded(.towardZero))
        case .null, .text, .bytes: nil
        }
    }
}

extension Int: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Int? {
        Int64.fromDatabaseValue(value).flatMap { Int(exactly: $0) }
    }
}

extension Int32: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Int32? {
        Int64.fromDatabaseValue(value).flatMap { Int32(exactly: $0) }
    }
}

extension UInt32: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> UInt32? {
        Int64.fromDatabaseValue(value).flatMap { UInt32(exactly: $0) }
    }
}

extension Bool: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
        switch value {
        case .integer(let integer): integer != 0
        case .double(let double): double != 0
        case .null, .text, .bytes: nil
        }
    }
}

extension Double: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .double(self) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        case .null, .text, .bytes: nil
        }
    }
}

extension String: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .text(self) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
        switch value {
        case .text(let text): text
        // SQLite stores what a damaged file or another program has put there.
        case .bytes(let bytes): String(data: bytes, encoding: .utf8)
        case .null, .integer, .double: nil
        }
    }
}

extension Data: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue { .bytes(self) }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> Data? {
        switch value {
        case .bytes(let bytes): bytes
        case .text(let text): Data(text.utf8)
        case .null, .integer, .double: nil
        }
    }
}

extension UUID: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue {
        .bytes(withUnsafeBytes(of: uuid) { Data($0) })
    }

    /// Of sixteen bytes, or of a UUID's text.
    package static func fromDatabaseValue(_ value: DatabaseValue) -> UUID? {
        switch value {
        case .bytes(let bytes) where bytes.count == 16:
            bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case .text(let text): UUID(uuidString: text)
        case .null, .integer, .double, .bytes: nil
        }
    }
}
