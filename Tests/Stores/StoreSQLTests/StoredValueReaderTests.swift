import Foundation
import Segments
import Testing

@testable import StoreSQL

@Suite("A stored value that is read without a tree of JSON")
struct StoredValueReaderTests {
    private func value(_ text: String) throws -> AttributeValue? {
        let bytes = Array("{\"k\": \(text)}".utf8)
        return try bytes.withUnsafeBufferPointer { try StoredValueReader.object($0)["k"] }
    }

    /// What the number is by Foundation's reading of its text.
    private func expected(_ text: String) throws -> AttributeValue {
        if let integer = Int64(text), integer.isBeyondDouble { return .integer(integer) }
        return .number(try #require(Double(text)))
    }

    @Test(
        "numbers are what their text says, to the last bit",
        arguments: [
            "0", "-0", "7", "-7", "0.1", "-0.1", "3.5", "123456789.25", "9007199254740991",
            "9007199254740992", "9007199254740993", "-9007199254740993", "9999999999999999",
            "99999999999999999", "9223372036854775807", "-9223372036854775808", "1e3", "-1E-3",
            "1.7976931348623157e308", "5e-324", "0.000000000000001", "999999999999.999",
            "12345678901234.5", "123456789012345.25", "0.1234567890123456789",
        ]
    )
    func numbers(text: String) throws {
        #expect(try value(text) == expected(text))
        #expect(try value(" \(text) ") == expected(text))
        #expect(try value("[\(text),\(text)]") == .array([expected(text), expected(text)]))
    }

    @Test("random numbers of every length are what their text says")
    func randomNumbers() throws {
        for _ in 0..<20_000 {
            let whole = Int64.random(in: 0...Int64.max) >> Int64.random(in: 0...63)
            let digits = Int.random(in: 0...17)
            let fraction = String((0..<digits).map { _ in "0123456789".randomElement() ?? "0" })
            let text =
                (Bool.random() ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
            #expect(try value(text) == expected(text), "\(text)")
        }
    }

    @Test("words, texts and what is nested are read; null is nothing")
    func others() throws {
        #expect(try value("true") == .bool(true))
        #expect(try value("false") == .bool(false))
        #expect(try value("null") == nil)
        #expect(try value("[]") == .array([]))
        #expect(try value("{}") == .object([:]))
        #expect(try value("[null, true]") == .array([.bool(true)]))
        #expect(
            try value(#"{"a": null, "b": {"c": 1}}"#) == .object(["b": .object(["c": .number(1)])])
        )
        #expect(try value(#""tea\n\u8336 \ud83c\udf75""#) == .string("tea\n茶 🍵"))
        #expect(
            try value(#"{"$time": "1970-01-01T00:01:00Z"}"#) == value(#""1970-01-01T00:01:00Z""#)
        )
    }

    @Test("what is nested more than 62 times is refused")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + "1" + String(repeating: "]", count: count)
        }
        #expect(throws: Never.self) { try value(nested(62)) }
        #expect(throws: (any Error).self) { try value(nested(63)) }
    }

    @Test(
        "what is cut off or no JSON is refused",
        arguments: [
            "", "1,", "[1", "[1 2]", #""a"#, "tru", "nul", "-", "1.", "+1x", "{", #"{"a"}"#,
            "1:}", #""a\n"#, #""a\"#, #""\u00"#, #""\u00"}"#, #""\u00g0"}"#,
        ]
    )
    func broken(text: String) {
        #expect(throws: (any Error).self) {
            try Array("{\"k\": \(text)".utf8).withUnsafeBufferPointer {
                try StoredValueReader.object($0)
            }
        }
    }
}
