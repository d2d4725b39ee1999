import Foundation

/// The fields of a form or a query, in order; a name may occur several times.
package struct FormFields: Sendable, Hashable {
    private let pairs: [(name: String, value: String)]

    package init(_ pairs: [(name: String, value: String)]) {
        self.pairs = pairs
    }

    /// Parses `application/x-www-form-urlencoded`, the encoding of queries and simple forms.
    package init(urlEncoded text: String) {
        pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let name = Self.decode(parts[0])
            return (name, parts.count > 1 ? Self.decode(parts[1]) : "")
        }
    }

    /// The first value of a name; empty if it is missing.
    package subscript(_ name: String) -> String {
        pairs.first { $0.name == name }?.value ?? ""
    }

    /// The first value of a name without the white space around it; empty if it is missing.
    package func trimmed(_ name: String) -> String {
        self[name].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The first value of a name; `nil` if it is missing.
    package func value(_ name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    package func all(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }

    /// All fields, in order.
    package var entries: [(name: String, value: String)] { pairs }

    package func has(_ name: String) -> Bool {
        pairs.contains { $0.name == name }
    }

    /// The same with one line feed at every end of a line. A browser that submits a form sends CR LF,
    /// a script that reads the same form LF (HTML, "Constructing the entry list").
    package var withLineFeeds: FormFields {
        FormFields(pairs.map { ($0.name, $0.value.withLineFeeds) })
    }

    /// The first field with U+0000 in its name or value, at which databases end a text; `nil` if
    /// there is none.
    package var fieldWithNull: String? {
        pairs.first { $0.name.utf8.contains(0) || $0.value.utf8.contains(0) }?.name
    }

    package var urlEncoded: String {
        pairs.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
    }

    /// A copy with a single value for a name, or none if the value is empty.
    package func setting(_ name: String, to value: String) -> FormFields {
        let others = pairs.filter { $0.name != name }
        return FormFields(value.isEmpty ? others : others + [(name, value)])
    }

    package static func == (left: FormFields, right: FormFields) -> Bool {
        left.urlEncoded == right.urlEncoded
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(urlEncoded)
    }

    private static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                if let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default:
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    )

    package static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if unreserved.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

extension String {
    /// The same with one line feed at every end of a line.
    package var withLineFeeds: String {
        guard utf8.contains(UInt8(ascii: "\r")) else { return self }
        return replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    /// The same without the ends of lines, as a field of one line shows it (HTML, "Value
    /// sanitization algorithm").
    package var inOneLine: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            return self
        }
        return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\n" && $0 != "\r" }))
    }

    /// What is to be stored after this was written in a field that showed `stored`: that, with its
    /// own ends of lines, if nothing was changed.
    package func written(over stored: String) -> String {
        self == stored.withLineFeeds || self == stored.inOneLine ? stored : self
    }
}
