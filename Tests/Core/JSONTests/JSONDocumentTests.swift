import Foundation
import JSON
import NoroshiWire
import Testing

@Suite("A JSON document that is not copied out")
struct JSONDocumentTests {
    private func root(_ text: String) throws -> JSONNode {
        try JSONDocument(Array(text.utf8)).root
    }

    @Test("members and elements are found in their places")
    func structure() throws {
        let node = try root(#"{"a": {"deep": [1, [2], {}]}, "b": "x", "c": null}"#)
        #expect(node["a"]?["deep"]?.elements.map(\.kind) == [.number, .array, .object])
        #expect(node["b"]?.string == "x")
        #expect(node["c"]?.isNull == true)
        #expect(node.present("c") == nil)
        #expect(node["d"] == nil)
        #expect(node.members.map { $0.key.string } == ["a", "b", "c"])
        let text = try #require(node["b"])
        #expect(Array(text.elements).isEmpty)
    }

    @Test("of a key that is there twice the last value counts, however it is written")
    func repeatedKeys() throws {
        let node = try root(#"{"a": 1, "\u0061": 2}"#)
        #expect(node["a"]?.number == 2)
        #expect(node.value == ["a": 2])
        #expect(node.mayRepeatKeys)
        #expect(try root(#"[{"x": {"a": 1, "a": 2}}]"#).mayRepeatKeys)
        #expect(try !root(#"[{"a": 1, "b": {"a": 2}}]"#).mayRepeatKeys)
        let many = (0..<40).map { "\"k\($0 % 39)\":\($0)" }.joined(separator: ",")
        #expect(try root("{\(many)}").mayRepeatKeys)
    }

    @Test("the bytes of a value are those that were sent")
    func bytes() throws {
        let node = try root(#"{"p": { "price": 1.50, "名": "お茶" }}"#)
        let text = node["p"]?.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text == #"{ "price": 1.50, "名": "お茶" }"#)
    }

    @Test(
        "an error names the byte",
        arguments: [
            (#"{"a": tru}"#, 6), (#"{"a": 1,}"#, 8), (#"["ab"#, 4), ("[1 2]", 3), ("[1] x", 4),
            ("", 0), ("[01]", 3), ("{\"a\":\"\u{1}\"}", 6),
        ]
    )
    func offsets(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try root(text) }
        #expect(error?.offset == offset)
    }

    @Test("bytes that are not UTF-8 are refused with their place, wherever they stand")
    func invalidUTF8() {
        let bad: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE3, 0x81],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ]
        for bytes in bad {
            for padding in 0..<17 {
                let start = Array(repeating: UInt8(ascii: "x"), count: padding)
                let text = [UInt8(ascii: "\"")] + start + bytes + Array("tail of it\"".utf8)
                let error = #expect(throws: JSONError.self) { try JSONDocument(text) }
                #expect(error?.offset == padding + 1)
            }
        }
    }

    @Test(
        "a string that is no text is refused by the name of its field",
        arguments: [
            (#"{"users": [{"name": "a"}, {"name": "b\u0000c"}]}"#, "users.1.name"),
            (#"{"a": {"b\u0000": 1}}"#, "a.b␀"), (#"["\ud800"]"#, "0"), (#"["\udc00x"]"#, "0"),
            (#"{"a": "\ud83d\u0041"}"#, "a"), (#"{"a": "\ud83d\ud83d\ude00"}"#, "a"),
            (#"{"a": "x\ud83d"}"#, "a"), (#""\u0000""#, ""),
        ]
    )
    func flaws(text: String, path: String) throws {
        let error = #expect(throws: JSONError.self) { try root(text) }
        #expect(error?.path == path)
        let kept = try JSONDocument(Array(text.utf8), flawedStrings: .kept).root
        #expect(kept.flaw?.path == path)
    }

    @Test("kept flaws are known of the value that has them, and of no other")
    func keptFlaws() throws {
        let text = #"[{"a": "ok"}, {"a": ["x", "y\u0000"]}, "\ud800\u0041", {"b": "\ud83d\ude00"}]"#
        let elements = Array(try JSONDocument(Array(text.utf8), flawedStrings: .kept).root.elements)
        #expect(elements.map { $0.flaw?.path } == [nil, "a.1", "", nil])
        #expect(elements[2].string == "\u{FFFD}A")
        #expect(elements[1].value == ["a": ["x", "y\0"]])
        #expect(elements[3]["b"]?.string == "😀")
    }

    @Test("a quote, an escape or a control character is seen at every place of a word")
    func wordPlaces() throws {
        for padding in 0..<24 {
            let plain = String(repeating: "z", count: padding)
            #expect(try root("\"\(plain)\"").string == plain)
            #expect(try root("\"\(plain)\\n~\"").string == plain + "\n~")
            #expect(try root("\"\(plain)狼煙\u{7F}\"").string == plain + "狼煙\u{7F}")
            #expect(throws: JSONError.self) { try root("\"\(plain)\u{1F}\"") }
        }
    }

    @Test("what is written reads back as it was, in one text for one value")
    func writing() throws {
        let value: JSONValue = [
            "b": [1, -2.5, 1e300, true, nil, "a\"\\\n\u{1}\u{7F}狼煙😀"], "a": [:],
            "c": .integer(.min),
        ]
        let text = JSONWriter.text(value)
        #expect(try JSONReader.read(text.utf8) == value)
        #expect(text.hasPrefix(#"{"a":{},"b":[1,-2.5,"#))
    }

    @Test("what the fuzzer has found is read as Foundation reads it")
    func corpus() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Corpus/found.base64")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 100)
        for line in lines {
            let bytes = try #require(Data(base64Encoded: String(line)))
            #expect(throws: Never.self) { try JSONFuzzer.run(Array(bytes)) }
        }
    }
}
