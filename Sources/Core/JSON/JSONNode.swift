import NoroshiWire
import Reasons

/// One value of a document.
package struct JSONNode: Sendable {
    package enum Kind: Sendable {
        case null, bool, number, string, array, object
    }

    let document: JSONDocument
    let index: Int

    private var entry: JSONEntry { document.entries[index] }

    package var kind: Kind {
        switch entry.kind {
        case .null: .null
        case .yes, .no: .bool
        case .whole, .fraction: .number
        case .string, .escapedString: .string
        case .array: .array
        case .object: .object
        }
    }

    package var isNull: Bool { entry.kind == .null }

    /// Calls `body` with the bytes of the value as they were sent; for a string, those between its
    /// quotes.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let entry = entry
        return document.bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(entry.start)..<Int(entry.end)]))
        }
    }

    /// The line of the text on which the value begins, from 1.
    package var line: Int {
        let newline = UInt8(ascii: "\n")
        return document.bytes.prefix(Int(entry.start)).count { $0 == newline } + 1
    }

    /// The value at a path of keys and indices, or the innermost one that is there.
    package func nearest(to path: String) -> JSONNode {
        var node = self
        for part in path.split(separator: ".") {
            let next =
                node.kind == .array
                ? Int(part).flatMap { index in
                    var elements = node.elements.makeIterator()
                    var found = elements.next()
                    for _ in 0..<min(max(index, 0), 1_000_000) where found != nil {
                        found = elements.next()
                    }
                    return found
                } : node[String(part)]
            guard let next else { return node }
            node = next
        }
        return node
    }

    /// Size of the value in the text, in bytes.
    package var byteCount: Int { Int(entry.end - entry.start) }

    package var string: String? {
        switch entry.kind {
        case .string: withBytes { String(decoding: $0, as: UTF8.self) }
        case .escapedString: withBytes(JSONEscape.decode)
        default: nil
        }
    }

    package var bool: Bool? {
        switch entry.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// The number, integer or not, as exact as its type allows.
    package var number: JSONValue? {
        switch entry.kind {
        case .whole: withBytes { Self.whole($0) ?? Self.floating($0) }
        case .fraction: withBytes(Self.floating)
        default: nil
        }
    }

    private static func whole(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONValue? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in isNegative ? bytes.dropFirst() : bytes[...] {
            let digit = Int64(byte &- UInt8(ascii: "0"))
            let (product, isLong) = value.multipliedReportingOverflow(by: 10)
            let (sum, isLonger) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            guard !isLong, !isLonger else { return nil }
            value = sum
        }
        return .integer(value)
    }

    private static func floating(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONValue {
        .number(Double(String(decoding: bytes, as: UTF8.self)) ?? 0)
    }

    // MARK: Flaws

    /// The first string or key in this value that is not valid text: its path from here, such as
    /// `properties.names.0`, and the problem.
    package var flaw: (path: String, reason: Reason)? {
        var (low, high) = (0, document.flaws.count)
        while low < high {
            let middle = (low + high) / 2
            if document.flaws[middle].entry < index { low = middle + 1 } else { high = middle }
        }
        guard low < document.flaws.count, holds(document.flaws[low]) else { return nil }
        return (path(to: document.flaws[low]), Reason(document.flaws[low].code))
    }

    func path(to flaw: JSONFlaw) -> String {
        var parts: [String] = []
        var node = self
        descent: while node.index != flaw.entry {
            for (number, element) in node.elements.enumerated() where element.holds(flaw) {
                parts.append(String(number))
                node = element
                continue descent
            }
            for (key, value) in node.members where key.holds(flaw) || value.holds(flaw) {
                // Show the key without U+0000, so that it can be printed.
                let name = key.string ?? ""
                parts.append(String(name.map { $0 == "\0" ? "\u{2400}" : $0 }))
                node = key.holds(flaw) ? key : value
                continue descent
            }
            break
        }
        return parts.joined(separator: ".")
    }

    private func holds(_ flaw: JSONFlaw) -> Bool { (index..<Int(entry.next)).contains(flaw.entry) }

    // MARK: Arrays and objects

    /// The elements of an array; empty for other values.
    package var elements: Elements {
        Elements(
            document: document,
            position: index + 1,
            end: entry.kind == .array ? Int(entry.next) : index + 1
        )
    }

    package struct Elements: Sequence, IteratorProtocol {
        let document: JSONDocument
        var position: Int
        let end: Int

        package mutating func next() -> JSONNode? {
            guard position < end else { return nil }
            defer { position = Int(document.entries[position].next) }
            return JSONNode(document: document, index: position)
        }
    }

    /// The members of an object in order, including repeated keys; empty for other values.
    package var members: Members {
        Members(
            document: document,
            position: index + 1,
            end: entry.kind == .object ? Int(entry.next) : index + 1
        )
    }

    package struct Members: Sequence, IteratorProtocol {
        let document: JSONDocument
        var position: Int
        let end: Int

        package mutating func next() -> (key: JSONNode, value: JSONNode)? {
            guard position < end else { return nil }
            let key = JSONNode(document: document, index: position)
            let value = JSONNode(document: document, index: position + 1)
            position = Int(document.entries[position + 1].next)
            return (key, value)
        }
    }

    /// The member `key` of an object. Of a repeated key the last one counts, as in most readers.
    package subscript(key: String) -> JSONNode? {
        var found: JSONNode?
        for member in members where member.key.isText(key) { found = member.value }
        return found
    }

    /// The member `key`, unless it is missing or `null`.
    package func present(_ key: String) -> JSONNode? {
        guard let member = self[key], !member.isNull else { return nil }
        return member
    }

    /// Whether this is a string with the given text.
    package func isText(_ text: String) -> Bool {
        let entry = entry
        switch entry.kind {
        case .string:
            let utf8 = text.utf8
            return utf8.count == byteCount && withBytes { $0.elementsEqual(utf8) }
        case .escapedString:
            return string == text
        default:
            return false
        }
    }

    /// Whether an object in this value may contain a key twice. Readers differ in which one they
    /// use, so the text would be ambiguous.
    package var mayRepeatKeys: Bool {
        switch entry.kind {
        case .array:
            return elements.contains(where: \.mayRepeatKeys)
        case .object:
            var keys: [JSONNode] = []
            for (key, value) in members {
                if key.entry.kind == .escapedString || value.mayRepeatKeys { return true }
                keys.append(key)
            }
            if keys.count > 16 { return Set(keys.compactMap(\.string)).count < keys.count }
            return keys.indices.contains { later in
                keys[..<later].contains { $0.hasSameBytes(as: keys[later]) }
            }
        default:
            return false
        }
    }

    private func hasSameBytes(as other: JSONNode) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return withBytes { mine in other.withBytes { mine.elementsEqual($0) } }
    }

    /// The value as a tree.
    package var value: JSONValue {
        switch entry.kind {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .whole, .fraction: return number ?? .null
        case .string, .escapedString: return .string(string ?? "")
        case .array: return .array(elements.map(\.value))
        case .object:
            var object: [String: JSONValue] = [:]
            for member in members { object[member.key.string ?? ""] = member.value.value }
            return .object(object)
        }
    }
}
