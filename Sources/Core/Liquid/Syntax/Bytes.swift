/// Names for the bytes of the syntax.
enum Byte {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let percent = UInt8(ascii: "%")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openSquare = UInt8(ascii: "[")
    static let closeSquare = UInt8(ascii: "]")
    static let openRound = UInt8(ascii: "(")
    static let closeRound = UInt8(ascii: ")")
    static let dash = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let pipe = UInt8(ascii: "|")
    static let hash = UInt8(ascii: "#")
    static let dollar = UInt8(ascii: "$")
    static let question = UInt8(ascii: "?")
    static let equals = UInt8(ascii: "=")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let exclamation = UInt8(ascii: "!")
    static let underscore = UInt8(ascii: "_")
    static let slash = UInt8(ascii: "/")
    static let ampersand = UInt8(ascii: "&")
    static let semicolon = UInt8(ascii: ";")
    /// The first byte of a name that replaces a construct of the messaging dialect while its tag is
    /// parsed. It is a control character, so that no template uses such a name.
    static let placeholder: UInt8 = 1
}

extension UInt8 {
    /// `\s` of the reference's expressions.
    @inline(__always)
    var isWhitespace: Bool { self == 32 || (self >= 9 && self <= 13) }

    @inline(__always)
    var isDigit: Bool { self &- 48 < 10 }

    @inline(__always)
    var isLetter: Bool { (self | 32) &- 97 < 26 }

    /// `\w`
    @inline(__always)
    var isWord: Bool { isLetter || isDigit || self == Byte.underscore || self == Byte.placeholder }

    /// `[\w-]`
    @inline(__always)
    var isSegment: Bool { isWord || self == Byte.dash }
}

/// A part of a source, for example the text between a tag's name and its end.
struct Markup: Sendable {
    let bytes: [UInt8]
    var start: Int
    var end: Int
    /// The offset of the part in the template's source. It differs from `start` if the text was
    /// rewritten or comes from elsewhere.
    var offset: Int

    init(bytes: [UInt8], start: Int, end: Int, offset: Int? = nil) {
        self.bytes = bytes
        self.start = start
        self.end = end
        self.offset = offset ?? start
    }

    var text: String { String(decoding: bytes[start..<end], as: UTF8.self) }

    var isWhitespace: Bool { trimmed.start == trimmed.end }

    var trimmed: Markup {
        var part = self
        while part.start < part.end, bytes[part.start].isWhitespace { part.start += 1 }
        while part.end > part.start, bytes[part.end - 1].isWhitespace { part.end -= 1 }
        return part
    }

    func part(_ start: Int, _ end: Int) -> Markup {
        Markup(bytes: bytes, start: start, end: end, offset: offset)
    }

    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }

    func equals(_ word: StaticString, _ start: Int, _ end: Int) -> Bool {
        guard end - start == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for index in 0..<word.count where bytes[start + index] != word[index] { return false }
            return true
        }
    }
}
