import Foundation

/// A value as both databases store it.
package enum DatabaseValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case bytes(Data)

    package var isNull: Bool { self == .null }
}

extension DatabaseValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .text(let value): value
        case .bytes(let value): "\(value.count) bytes"
        }
    }
}
