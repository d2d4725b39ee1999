import Foundation
import JSON
import NoroshiWire
import Testing

@Suite("Reading JSON that a stranger sends")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test("every kind of value is read")
    func values() throws {
        let value = try read(
            #" {"a": [1, -2, 3.5, 1e3, true, false, null], "b": {"c": "d"}, "e": {}, "f": []} "#
        )
        #expect(
            value == [
                "a": [1, -2, 3.5, 1000.0, true, false, nil], "b": ["c": "d"], "e": [:], "f": [],
            ]
        )
    }

    @Test("escapes and every plane of Unicode are read")
    func strings() throws {
        #expect(try read(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00狼煙""#) == "\"\\/\u{8}\u{c}\n\r\té😀狼煙")
    }

    @Test("whole numbers stay whole up to 64 bits, larger ones become floating")
    func numbers() throws {
        #expect(try read("9223372036854775807") == .integer(.max))
        #expect(try read("-9223372036854775807") == .integer(-.max))
        #expect(try read("9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(try read("0.5") == 0.5)
    }

    @Test(
        "what is no JSON is refused with its place",
        arguments: [
            "", "{", "[1,", "[1 2]", "{\"a\" 1}", "{a: 1}", "'a'", "01", "1.", "1e", "-", "+1",
            "tru", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
            "\"\u{1}\"", "[1] 2", "1e999", "[1,]", "{\"a\":1,}", "NaN",
        ]
    )
    func refusals(text: String) {
        #expect(throws: JSONError.self) { try read(text) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func invalidUTF8() {
        let texts: [[UInt8]] = [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22],
        ]
        for bytes in texts {
            #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
        }
    }

    @Test("nesting beyond the limit is refused, not a crash")
    func depth() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try read(deep) }
        let allowed = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(throws: Never.self) { try read(allowed) }
    }

    @Test("Foundation's reader and ours agree on random documents")
    func agreement() throws {
        var generator = SystemRandomNumberGenerator()
        func random(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &generator) {
            case 0: .null
            case 1: .bool(.random(using: &generator))
            case 2: .integer(.random(in: -1_000_000...1_000_000, using: &generator))
            case 3: .number(Double.random(in: -1...1, using: &generator))
            case 4:
                .string(
                    ["é\n\"", "狼煙", "a/b\\c", "", "\u{7f}\u{2028}"].randomElement(using: &generator)
                        ?? ""
                )
            case 5: .array((0..<3).map { _ in random(depth + 1) })
            default: .object(["k": random(depth + 1), "狼": random(depth + 1)])
            }
        }
        for _ in 0..<200 {
            let value = JSONValue.array([random(0)])
            let data = try JSONEncoder().encode(value)
            #expect(try JSONReader.read(data) == value)
        }
    }
}
