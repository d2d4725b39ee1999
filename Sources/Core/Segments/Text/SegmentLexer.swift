import Reasons

/// Splits a segment's text form into tokens.
struct SegmentLexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    private static let maxTextLength = 262_144

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func tokens() throws(SegmentError) -> [SegmentToken] {
        guard scalars.count <= Self.maxTextLength else {
            throw SegmentError(
                range: 0..<1,
                .textLimit,
                ["count": "\(Self.maxTextLength)"]
            )
        }
        var tokens: [SegmentToken] = []
        while true {
            while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
            let start = position
            let kind = try nextKind()
            tokens.append(SegmentToken(kind: kind, range: start..<position))
            if kind == .end { return tokens }
        }
    }

    private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        position + ahead < scalars.count ? scalars[position + ahead] : nil
    }

    private func problem(
        _ start: Int,
        _ code: SegmentReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> SegmentError {
        SegmentError(range: start..<max(position, start + 1), code, arguments)
    }

    private mutating func nextKind() throws(SegmentError) -> SegmentToken.Kind {
        guard let scalar = peek() else { return .end }
        let start = position
        if SegmentLexer.startsWord(scalar) {
            while let next = peek(), SegmentLexer.continuesWord(next) { position += 1 }
            return .word(text(from: start))
        }
        if SegmentLexer.isDigit(scalar) {
            if let time = try time() { return time }
            return try number()
        }
        position += 1
        switch scalar {
        case "\"": return .quoted(try quoted(startingAt: start))
        case "'": return .quoted(try raw(startingAt: start))
        case "(", ")", ",", ".", "=", "+", "-": return .symbol(String(scalar))
        case "[":
            guard peek() == "]" else { throw problem(start, .elementForm) }
            position += 1
            return .symbol("[]")
        case "<", ">", "!":
            if peek() == "=" {
                position += 1
                return .symbol("\(scalar)=")
            }
            guard scalar != "!" else { throw problem(start, .notEqualForm) }
            return .symbol(String(scalar))
        default:
            throw problem(start, .meansNothing, ["symbol": "\(scalar)"])
        }
    }

    private func text(from start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<position])
        return String(view)
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func startsWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
    }

    static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        startsWord(scalar) || isDigit(scalar)
    }

    static func isWord(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, startsWord(first) else { return false }
        return text.unicodeScalars.allSatisfy(continuesWord)
    }

    /// Reads a string in double quotes with backslash escapes.
    private mutating func quoted(startingAt start: Int) throws(SegmentError) -> String {
        var value = String.UnicodeScalarView()
        while let scalar = peek() {
            position += 1
            if scalar == "\"" { return String(value) }
            guard scalar == "\\" else {
                value.append(scalar)
                continue
            }
            guard let escaped = peek() else { break }
            position += 1
            switch escaped {
            case "\"", "\\": value.append(escaped)
            case "n": value.append("\n")
            case "r": value.append("\r")
            case "t": value.append("\t")
            default:
                throw SegmentError(
                    range: (position - 2)..<position,
                    .escape
                )
            }
        }
        throw problem(start, .openString)
    }

    /// Reads a string in single quotes without escapes, which is convenient for regular
    /// expressions.
    private mutating func raw(startingAt start: Int) throws(SegmentError) -> String {
        while let scalar = peek() {
            position += 1
            if scalar == "'" {
                let closing = position
                position -= 1
                defer { position = closing }
                return text(from: start + 1)
            }
        }
        throw problem(start, .openString)
    }

    private mutating func number() throws(SegmentError) -> SegmentToken.Kind {
        let start = position
        skipDigits()
        if peek() == ".", let digit = peek(1), SegmentLexer.isDigit(digit) {
            position += 1
            skipDigits()
        }
        if peek() == "e" || peek() == "E" {
            let isSigned = peek(1) == "+" || peek(1) == "-"
            if let digit = peek(isSigned ? 2 : 1), SegmentLexer.isDigit(digit) {
                position += isSigned ? 2 : 1
                skipDigits()
            }
        }
        let text = text(from: start)
        if let whole = Int64(text), whole.isBeyondDouble { return .integer(whole) }
        guard let value = Double(text), value.isFinite else {
            throw problem(start, .numberTooLarge)
        }
        return .number(value)
    }

    private mutating func skipDigits() {
        while let scalar = peek(), SegmentLexer.isDigit(scalar) { position += 1 }
    }

    /// `2026-06-30` or `2026-06-30T08:00:00Z`; `nil` if no date starts here.
    private mutating func time() throws(SegmentError) -> SegmentToken.Kind? {
        let start = position
        guard looksLike("dddd-dd-dd") else { return nil }
        position += 10
        if peek() == "T" {
            guard looksLike("Tdd:dd:ddZ") else {
                throw problem(start, .momentForm)
            }
            position += 10
        }
        guard let point = TimeText.point(text(from: start)) else {
            throw problem(start, .noDate)
        }
        return .time(point)
    }

    private func looksLike(_ shape: String) -> Bool {
        var ahead = 0
        for expected in shape.unicodeScalars {
            guard let scalar = peek(ahead) else { return false }
            guard expected == "d" ? SegmentLexer.isDigit(scalar) : scalar == expected else {
                return false
            }
            ahead += 1
        }
        return true
    }
}
