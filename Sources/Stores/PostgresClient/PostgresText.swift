import Foundation

/// Text with the character U+0000, which SQLite and JSON have and which PostgreSQL's `text` cannot hold.
///
/// It travels as two noncharacters, U+FDD0 U+FDD1, and a U+FDD0 of the text itself is doubled. Unicode keeps these
/// for the inside of programs, so text of people does not change. Equal texts stay equal; order and length are other
/// than SQLite's for a text that holds one of the two.
enum PostgresText {
    // U+FDD0 and U+FDD1 in UTF-8.
    private static let escape: (UInt8, UInt8, UInt8) = (0xEF, 0xB7, 0x90)
    private static let zero: (UInt8, UInt8, UInt8) = (0xEF, 0xB7, 0x91)

    /// Adds a text to bytes on their way to the server.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes) }
    }

    static func append(_ source: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        guard let start = source.baseAddress, !source.isEmpty else { return }
        guard memchr(start, 0, source.count) != nil || firstEscape(source, from: 0) != nil else {
            bytes.append(contentsOf: source)
            return
        }
        var index = 0
        while index < source.count {
            if source[index] == 0 {
                bytes.append(contentsOf: [escape.0, escape.1, escape.2, zero.0, zero.1, zero.2])
                index += 1
            } else if isEscape(source, index) {
                bytes.append(contentsOf: [escape.0, escape.1, escape.2])
                bytes.append(contentsOf: [escape.0, escape.1, escape.2])
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
    }

    /// The text that was sent.
    static func string(_ source: UnsafeRawBufferPointer) -> String {
        guard let escape = firstEscape(source, from: 0) else {
            return String(decoding: source, as: UTF8.self)
        }
        return String(decoding: plain(source, from: escape), as: UTF8.self)
    }

    /// The bytes of the text that was sent.
    static func withPlain<Value>(
        _ source: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        guard let escape = firstEscape(source, from: 0) else { return try body(source) }
        return try plain(source, from: escape).withUnsafeBytes(body)
    }

    private static func plain(_ source: UnsafeRawBufferPointer, from start: Int) -> [UInt8] {
        var bytes = [UInt8](source[..<start])
        var index = start
        while index < source.count {
            guard isEscape(source, index) else {
                bytes.append(source[index])
                index += 1
                continue
            }
            let second = index + 3
            if isEscape(source, second) {
                bytes.append(contentsOf: [escape.0, escape.1, escape.2])
                index = second + 3
            } else if second + 2 < source.count,
                source[second] == zero.0, source[second + 1] == zero.1,
                source[second + 2] == zero.2
            {
                bytes.append(0)
                index = second + 3
            } else {
                // Written by somebody else: as it stands.
                bytes.append(contentsOf: [escape.0, escape.1, escape.2])
                index = second
            }
        }
        return bytes
    }

    private static func isEscape(_ source: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        index + 2 < source.count && source[index] == escape.0 && source[index + 1] == escape.1
            && source[index + 2] == escape.2
    }

    /// Nearly every text has none, and this is asked for each text of each row.
    private static func firstEscape(_ source: UnsafeRawBufferPointer, from first: Int) -> Int? {
        guard let start = source.baseAddress else { return nil }
        var index = first
        while index + 2 < source.count,
            let found = memchr(start + index, Int32(escape.0), source.count - index)
        {
            index = start.distance(to: UnsafeRawPointer(found))
            if isEscape(source, index) { return index }
            index += 1
        }
        return nil
    }
}
