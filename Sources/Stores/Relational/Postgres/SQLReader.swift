/// Takes a statement apart. Comments are left out.
struct SQLReader {
    private let text: [UInt8]
    private var position = 0

    private init(_ sql: String) { text = Array(sql.utf8) }

    static func pieces(of sql: String) -> [SQLPiece] {
        var reader = SQLReader(sql)
        return reader.pieces()
    }

    /// The pieces up to the end or to the parenthesis that closes a group.
    private mutating func pieces() -> [SQLPiece] {
        var pieces: [SQLPiece] = []
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "("):
                position += 1
                pieces.append(.group(self.pieces()))
            case UInt8(ascii: ")"):
                position += 1
                return pieces
            default: pieces.append(token(from: byte))
            }
        }
        return pieces
    }

    /// The byte that a token begins with.
    private mutating func next() -> UInt8? {
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
                position += 1
            } else if byte == UInt8(ascii: "-"), peek(1) == UInt8(ascii: "-") {
                skip { $0 != UInt8(ascii: "\n") }
            } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                position += 2
                while position < text.count,
                    !(text[position] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/"))
                { position += 1 }
                position += 2
            } else {
                return byte
            }
        }
        return nil
    }

    private mutating func token(from byte: UInt8) -> SQLPiece {
        switch byte {
        case UInt8(ascii: "'"): SQLPiece(kind: .text, text: quoted(byte))
        case UInt8(ascii: "\""): SQLPiece(kind: .quotedName, text: quoted(byte))
        case UInt8(ascii: "x") where peek(1) == UInt8(ascii: "'"),
            UInt8(ascii: "X") where peek(1) == UInt8(ascii: "'"):
            bytes()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): number()
        case UInt8(ascii: "?"): parameter(Self.isDigit)
        case UInt8(ascii: ":"): parameter(Self.isLetterOrDigit)
        default: Self.isLetterOrDigit(byte) ? word() : mark()
        }
    }

    private func peek(_ distance: Int) -> UInt8? {
        position + distance < text.count ? text[position + distance] : nil
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while position < text.count, condition(text[position]) { position += 1 }
    }

    private func read(from start: Int) -> String {
        String(decoding: text[start..<min(position, text.count)], as: UTF8.self)
    }

    /// With its quotation marks; a doubled one stands for itself.
    private mutating func quoted(_ mark: UInt8) -> String {
        let start = position
        position += 1
        while position < text.count {
            if text[position] == mark {
                guard peek(1) == mark else { break }
                position += 1
            }
            position += 1
        }
        position += 1
        return read(from: start)
    }

    private mutating func bytes() -> SQLPiece {
        position += 1
        let digits = quoted(UInt8(ascii: "'")).dropFirst()
        return SQLPiece(kind: .bytes, text: "'\\x\(digits)::bytea")
    }

    private mutating func number() -> SQLPiece {
        let start = position
        skip { Self.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }
        if let byte = peek(0), byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = peek(0), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                position += 1
            }
            skip(while: Self.isDigit)
        }
        return SQLPiece(kind: .number, text: read(from: start))
    }

    private mutating func parameter(_ isPart: (UInt8) -> Bool) -> SQLPiece {
        let start = position
        position += 1
        skip(while: isPart)
        return SQLPiece(kind: .parameter, text: read(from: start))
    }

    private mutating func word() -> SQLPiece {
        let start = position
        skip(while: Self.isLetterOrDigit)
        return .word(read(from: start))
    }

    private static let longMarks: [[UInt8]] = [
        "->>", "->", "||", "<>", "!=", "<=", ">=", "==", "<<", ">>",
    ]
    .map { Array($0.utf8) }

    private mutating func mark() -> SQLPiece {
        let start = position
        let long = Self.longMarks.first { text[position...].starts(with: $0) }
        position += long?.count ?? 1
        return .mark(read(from: start))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
