import Model

/// One record of a CSV file (RFC 4180).
package enum CSVRecord {
    /// The fields of a record; a field in double quotes may contain commas, line ends and doubled
    /// quotes.
    ///
    /// - Throws: `FieldProblem` if a quote is not closed or is inside of an unquoted field.
    package static func fields(_ record: some Collection<UInt8>) throws(FieldProblem) -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var wasQuoted = false
        var bytes = record.makeIterator()
        var next = bytes.next()
        while let byte = next {
            next = bytes.next()
            switch byte {
            case UInt8(ascii: "\"") where isQuoted:
                if next == byte {
                    field.append(byte)
                    next = bytes.next()
                } else {
                    isQuoted = false
                }
            case UInt8(ascii: "\""):
                guard field.isEmpty, !wasQuoted else {
                    throw FieldProblem("row", .strayQuote)
                }
                isQuoted = true
                wasQuoted = true
            case UInt8(ascii: ",") where !isQuoted:
                fields.append(try text(field))
                field = []
                wasQuoted = false
            default:
                guard isQuoted || !wasQuoted else {
                    throw FieldProblem("row", .textBehindQuote)
                }
                field.append(byte)
            }
        }
        guard !isQuoted else { throw FieldProblem("row", .openQuote) }
        fields.append(try text(field))
        return fields
    }

    /// A record with the fields; quoted only where it must be.
    package static func line(_ fields: [String]) -> String {
        fields.map { field in
            guard field.utf8.contains(where: isSpecial) else { return field }
            return "\""
                + field.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"") + "\""
        }.joined(separator: ",") + "\n"
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }

    private static func text(_ bytes: [UInt8]) throws(FieldProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FieldProblem("row", .notUTF8)
        }
        return text
    }
}
