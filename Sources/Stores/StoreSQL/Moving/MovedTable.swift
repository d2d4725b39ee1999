import Relational

/// A table that two databases have.
struct MovedTable {
    let source: TableLayout
    let target: TableLayout

    /// - Returns: `nil` if the columns of the two differ.
    init?(from source: TableLayout, to target: TableLayout) {
        guard Set(source.columns) == Set(target.columns) else { return nil }
        self.source = source
        self.target = target
    }

    var name: String { target.name }
    var columns: [TableLayout.Column] { target.columns }

    /// The rows of the source in its order, which the target so gets too.
    var query: String { source.query(columns.map(\.name)) }

    /// Tells which row of the query it is.
    func place(of row: RawRows) -> String {
        source.order.enumerated().map { index, name in
            "\(name) \(row.withValue(columns.count + index) { $0.words })"
        }.joined(separator: ", ")
    }
}

extension RawValue {
    /// For people; of bytes only how many there are.
    var words: String {
        switch self {
        case .null: "nothing"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .text(let bytes):
            Self.text(bytes).map { $0.count > 60 ? "\($0.prefix(60))…" : $0 }
                ?? "\(bytes.count) bytes that are no text in UTF-8"
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }

    /// The value as a column of a kind keeps it. SQLite stores any value in any column; where nothing is lost,
    /// it becomes what the column is for.
    ///
    /// - Returns: `nil` if something would be lost.
    func fitting(_ kind: TableLayout.Kind) -> RawValue? {
        switch (kind, self) {
        // SQLite has no such number: it would become nothing.
        case (.double, .double(let value)) where value.isNaN: return nil
        case (_, .null), (.integer, .integer), (.double, .double), (.bytes, .bytes),
            (.text, .string):
            return self
        case (.text, .text(let bytes)), (.text, .bytes(let bytes)):
            return Self.isText(bytes) ? .text(bytes) : nil
        case (.bytes, .text(let bytes)): return .bytes(bytes)
        case (.text, .integer(let value)): return .string("\(value)")
        case (.integer, .double(let value)): return Int64(exactly: value).map { .integer($0) }
        case (.double, .integer(let value)): return Double(exactly: value).map { .double($0) }
        case (.integer, .text(let bytes)):
            guard let text = Self.text(bytes), let value = Int64(text), "\(value)" == text else {
                return nil
            }
            return .integer(value)
        default: return nil
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// Nearly all texts have only letters of ASCII, which is seen by eight at a time.
    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            guard
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080
                    == 0
            else { return text(bytes) != nil }
            index += 8
        }
        return bytes[index...].allSatisfy { $0 < 0x80 } || text(bytes) != nil
    }
}

extension TableLayout.Kind {
    /// For people.
    var words: String {
        switch self {
        case .integer: "an integer"
        case .double: "a number"
        case .text: "a text"
        case .bytes: "bytes"
        }
    }
}
