import PostgresClient

/// A value as a database stores it, without a copy of its bytes: they are valid until the next row is
/// read.
package enum RawValue {
    case null
    case integer(Int64)
    case double(Double)
    /// Text in UTF-8; of SQLite perhaps not valid.
    case text(UnsafeRawBufferPointer)
    case bytes(UnsafeRawBufferPointer)
    /// A text that the program has made.
    case string(String)

    /// - Parameter number: A value that is no text and no bytes.
    init(number: PostgresValue) {
        self =
            switch number {
            case .integer(let value): .integer(value)
            case .double(let value): .double(value)
            case .text(let value): .string(value)
            case .null, .bytes, .list: .null
            }
    }
}
