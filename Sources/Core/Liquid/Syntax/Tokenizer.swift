/// Splits a template into text, outputs and tags.
///
/// Mismatched delimiters are treated as in the reference: an output ends at its first `}}` (or lone
/// `}`), and one that runs into a tag becomes part of that tag.
struct Tokenizer {
    enum Token {
        /// Bytes from and to.
        case text(Int, Int)
        /// Including its braces.
        case output(Int, Int)
        /// Including its braces.
        case tag(Int, Int)
    }

    let bytes: [UInt8]
    let dialect: Template.Dialect
    var position = 0
    /// The ends of the last closing brace and of the last tag. Nothing is searched after them, or a
    /// template of open braces would take quadratic time.
    private let lastCloseBrace: Int
    private let lastTagEnd: Int
    /// Number of bytes that the search for nested outputs may still read, for the same reason.
    private var nestedBudget: Int

    init(_ bytes: [UInt8], dialect: Template.Dialect) {
        self.bytes = bytes
        self.dialect = dialect
        lastCloseBrace = bytes.lastIndex(of: Byte.closeBrace) ?? -1
        var end = lastCloseBrace
        while end > 0, bytes[end] != Byte.closeBrace || bytes[end - 1] != Byte.percent { end -= 1 }
        lastTagEnd = end - 1
        nestedBudget = bytes.count * 4 + 4096
    }

    mutating func next() -> Token? {
        let count = bytes.count
        guard position < count else { return nil }
        let start = position
        if bytes[start] == Byte.openBrace, start + 1 < count {
            if bytes[start + 1] == Byte.percent {
                return tag(from: start, searchingFrom: start + 2)
            }
            if bytes[start + 1] == Byte.openBrace { return output(from: start) }
        }
        var index = start
        while index < count {
            if bytes[index] == Byte.openBrace, index + 1 < count, index > start,
                bytes[index + 1] == Byte.percent || bytes[index + 1] == Byte.openBrace
            {
                break
            }
            index += 1
        }
        position = index
        return .text(start, index)
    }

    private mutating func tag(from start: Int, searchingFrom from: Int) -> Token {
        var index = from
        while index <= lastTagEnd {
            if bytes[index] == Byte.percent, bytes[index + 1] == Byte.closeBrace {
                position = index + 2
                return .tag(start, index + 2)
            }
            index += 1
        }
        position = from
        return .tag(start, start + 2)
    }

    private mutating func output(from start: Int) -> Token {
        if dialect == .messaging, let end = nestedOutputEnd(from: start) {
            position = end
            return .output(start, end)
        }
        let count = bytes.count
        var index = start + 2
        while index <= lastCloseBrace {
            let byte = bytes[index]
            if byte == Byte.closeBrace {
                let end = index + 1 < count && bytes[index + 1] == Byte.closeBrace ? 2 : 1
                position = index + end
                return .output(start, position)
            }
            if byte == Byte.openBrace, index + 1 < count, bytes[index + 1] == Byte.percent {
                return tagInsideOutput(from: start, searchingFrom: index + 2)
            }
            index += 1
        }
        position = start + 2
        return .output(start, start + 2)
    }

    private mutating func tagInsideOutput(from start: Int, searchingFrom from: Int) -> Token {
        guard case .tag(_, let end) = tag(from: start, searchingFrom: from), end > start + 2 else {
            position = from
            return .output(start, start + 2)
        }
        return .output(start, end)
    }

    /// The end of an output whose text contains `${name}` or further outputs; `nil` if it contains
    /// none or they are not balanced.
    private mutating func nestedOutputEnd(from start: Int) -> Int? {
        var depth = 1
        var isNested = false
        var quote: UInt8 = 0
        var index = start + 2
        defer { nestedBudget -= index - start }
        while index < lastCloseBrace, nestedBudget > index - start {
            let byte = bytes[index]
            let next = bytes[index + 1]
            if byte == Byte.dollar, next == Byte.openBrace {
                guard let end = bytes[index...].firstIndex(of: Byte.closeBrace) else { return nil }
                isNested = true
                index = end + 1
            } else if byte == Byte.closeBrace, next == Byte.closeBrace {
                depth -= 1
                index += 2
                if depth == 0 { return isNested ? index : nil }
            } else if byte == Byte.openBrace, next == Byte.openBrace, quote == 0 {
                depth += 1
                isNested = true
                index += 2
            } else {
                if byte == Byte.openBrace, next == Byte.percent { return nil }
                if byte == Byte.closeBrace, !isNested { return nil }
                if quote == 0, byte == Byte.quote || byte == Byte.apostrophe {
                    quote = byte
                } else if byte == quote {
                    quote = 0
                }
                index += 1
            }
        }
        return nil
    }
}
