/// Reads elements, texts and references; attributes, comments and declarations are passed over.
struct AnswerReader {
    private static let deepest = 32

    private let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(AnswerElement.Unreadable) -> AnswerElement {
        var open: [AnswerElement] = []
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                let text = try text()
                if !open.isEmpty { open[open.count - 1].text += text }
                continue
            }
            if skip(from: "<!--", to: "-->") || skip(from: "<?", to: "?>") { continue }
            if let data = inside(from: "<![CDATA[", to: "]]>") {
                guard !open.isEmpty else { throw unreadable("text outside of all elements") }
                open[open.count - 1].text += String(decoding: data, as: UTF8.self)
                continue
            }
            // Entities of one's own could be told to grow without end.
            if starts(with: "<!") { throw unreadable("it has a document type") }
            guard let tag = inside(from: "<", to: ">") else { throw unreadable("it is cut off") }
            if tag.first == UInt8(ascii: "/") {
                guard let element = open.popLast(), element.name == Self.name(tag.dropFirst())
                else { throw unreadable("an element does not end where it should") }
                guard !open.isEmpty else { return element }
                open[open.count - 1].children.append(element)
                continue
            }
            let element = AnswerElement(name: Self.name(tag))
            guard !element.name.isEmpty else { throw unreadable("an element has no name") }
            if tag.last == UInt8(ascii: "/") {
                guard !open.isEmpty else { return element }
                open[open.count - 1].children.append(element)
            } else {
                guard open.count < Self.deepest else { throw unreadable("it is too deep") }
                open.append(element)
            }
        }
        throw unreadable("it is cut off")
    }

    /// The text before the next element, with references replaced.
    private mutating func text() throws(AnswerElement.Unreadable) -> String {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let parts = String(decoding: bytes[position..<end], as: UTF8.self)
            .split(separator: "&", omittingEmptySubsequences: false)
        position = end
        var text = String(parts[0])
        for part in parts.dropFirst() {
            guard let semicolon = part.firstIndex(of: ";"),
                let character = Self.character(part[..<semicolon])
            else { throw unreadable("a reference cannot be read") }
            text.append(character)
            text += part[part.index(after: semicolon)...]
        }
        return text
    }

    private static func character(_ reference: Substring) -> Character? {
        switch reference {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard reference.hasPrefix("#") else { return nil }
            let digits = reference.dropFirst()
            let isHexadecimal = digits.hasPrefix("x")
            return UInt32(digits.dropFirst(isHexadecimal ? 1 : 0), radix: isHexadecimal ? 16 : 10)
                .flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }

    private static func name(_ tag: ArraySlice<UInt8>) -> String {
        let whole = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        let own = whole.lastIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
        return String(decoding: own, as: UTF8.self)
    }

    private func starts(with mark: StaticString) -> Bool {
        bytes[position...].starts(with: Array(mark.description.utf8))
    }

    private mutating func skip(from mark: StaticString, to end: StaticString) -> Bool {
        inside(from: mark, to: end) != nil
    }

    /// What is between two marks, and goes behind the second.
    private mutating func inside(
        from mark: StaticString,
        to end: StaticString
    ) -> ArraySlice<UInt8>? {
        guard starts(with: mark) else { return nil }
        let start = position + mark.utf8CodeUnitCount
        let closing = Array(end.description.utf8)
        var index = start
        while index + closing.count <= bytes.count {
            if bytes[index...].starts(with: closing) {
                position = index + closing.count
                return bytes[start..<index]
            }
            index += 1
        }
        return nil
    }

    private func unreadable(_ reason: String) -> AnswerElement.Unreadable {
        AnswerElement.Unreadable(reason: "\(reason) (at byte \(position))")
    }
}
