import Foundation
import Testing

@testable import ObjectStorage

@Suite("An answer in XML")
struct AnswerElementTests {
    private func read(_ text: String) throws -> AnswerElement {
        try AnswerElement(reading: Array(text.utf8))
    }

    @Test("has elements with texts, whatever stands between them")
    func elements() throws {
        let list = try read(
            """
            <?xml version="1.0"?>
            <!-- a > b -->
            <s3:List xmlns:s3="urn:x">
              <Key>a&amp;b&lt;&#233;&#xe9;</Key><Empty/><Key a="1"><![CDATA[<raw>&]]> end</Key>
              <Owner><ID>1</ID></Owner>
            </s3:List>
            """
        )
        #expect(list.name == "List")
        #expect(list.all("Key").map(\.text) == ["a&b<éé", "<raw>& end"])
        #expect(list.text("Empty") == "")
        #expect(list.text("Nothing") == nil)
        #expect(list.all("Owner").first?.text("ID") == "1")
        #expect(try read("<Done/>").name == "Done")
    }

    @Test(
        "that is none is refused",
        arguments: [
            "", "text", "<a>", "<a", "<a></b>", "</a>", "<a>&unknown;</a>", "<a>&#xD800;</a>",
            "<a>& b</a>", "<!DOCTYPE a><a/>", "<>", "<a><![CDATA[b</a>",
            String(repeating: "<a>", count: 1000),
        ]
    )
    func refused(_ text: String) {
        #expect(throws: AnswerElement.Unreadable.self) { try read(text) }
    }

    @Test("of any bytes ends the reading, never the process")
    func anything() {
        let pieces = [
            "<", ">", "/", "a", "&", ";", "#", "x", "<!--", "-->", "<![CDATA[", "\u{0}", "é",
        ]
        var state: UInt64 = 7
        for _ in 0..<2000 {
            var text = "<a>"
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                text += pieces[Int((state >> 33) % UInt64(pieces.count))]
            }
            _ = try? read(text)
        }
    }
}
