import Foundation
import Model
import Reasons
import Testing

@testable import Campaigns

@Suite("Content blocks that include one another")
struct ContentBlockGraphTests {
    private func block(
        _ name: String,
        including names: [String] = [],
        _ change: (inout ContentBlock) -> Void = { _ in }
    ) -> ContentBlock {
        var block = ContentBlock(
            id: UUID(),
            workspace: WorkspaceID(1),
            name: name,
            content: "\(name)" + names.map { "{{content_blocks.${\($0)}}}" }.joined(),
            createdAt: Date(timeIntervalSince1970: 0),
            updatedAt: Date(timeIntervalSince1970: 0)
        )
        change(&block)
        return block
    }

    private func set(_ names: [String], among blocks: [ContentBlock]) -> ContentBlockSet {
        ContentBlockReader.blocks(
            named: names,
            among: Dictionary(uniqueKeysWithValues: blocks.map { ($0.name, $0) })
        )
    }

    @Test("a message uses a hundred of them, those that they include among them")
    func count() {
        let names = (0..<101).map { "b\($0)" }
        let blocks = names.map { block($0) }
        let hundred = set(Array(names.dropLast()), among: blocks)
        #expect(hundred.problems.isEmpty)
        #expect(Set(hundred.templates.keys) == Set(names.dropLast()))
        let more = set(names, among: blocks)
        #expect(more.templates.isEmpty)
        #expect(Set(more.problems.keys) == Set(names))
        #expect(
            more.problems["b0"]?.description.contains("a message can use 100 content blocks")
                == true
        )
        // Sixty that are named, and as many more as the first one includes.
        for included in [40, 41] {
            let inner = (0..<included).map { "i\($0)" }
            var all = names.prefix(60).map { block($0) } + inner.map { block($0) }
            all[0] = block("b0", including: inner)
            let found = set(Array(names.prefix(60)), among: all)
            #expect(Set(found.problems.keys) == (included == 40 ? [] : Set(inner)))
            #expect(found.templates.count == (included == 40 ? 100 : 60))
        }
        // What cannot be used counts too.
        let gone = (0..<50).map { "gone\($0)" }
        let some = [block("b0", including: names.dropFirst().prefix(50).map(\.self))]
        let found = set(["b0"] + gone, among: some + names.dropFirst().map { block($0) })
        #expect(found.problems.count == 100)
        #expect(found.problems["gone0"]?.description.contains("there is none of this name") == true)
        #expect(found.problems["b1"]?.description.contains("a message can use 100") == true)
    }

    @Test("they lie five deep in one another")
    func depth() {
        func chain(_ length: Int) -> ContentBlockSet {
            set(
                ["d1"],
                among: (1...length).map { number in
                    block("d\(number)", including: number < length ? ["d\(number + 1)"] : [])
                }
            )
        }
        #expect(chain(5).problems.isEmpty)
        #expect(chain(5).templates.count == 5)
        #expect(chain(6).problems.keys.sorted() == ["d1"])
        #expect(
            chain(6).problems["d1"]?.description.contains("blocks lie more than 5 deep in it")
                == true
        )
        #expect(chain(7).problems.keys.sorted() == ["d1", "d2"])
        // The deepest of several counts, wherever it stands.
        for order in [["short", "d1"], ["d1", "short"]] {
            let blocks =
                (1...5).map { number in
                    block("d\(number)", including: number < 5 ? ["d\(number + 1)"] : [])
                } + [block("short"), block("outer", including: order)]
            #expect(set(["outer"], among: blocks).problems.keys.sorted() == ["outer"])
        }
    }

    @Test("those that include themselves are refused; who includes them is not")
    func circles() {
        let blocks = [
            block("a", including: ["b"]), block("b", including: ["c"]),
            block("c", including: ["b"]), block("self", including: ["self"]), block("plain"),
        ]
        let found = set(["a", "self", "plain"], among: blocks)
        #expect(found.problems.keys.sorted() == ["b", "c", "self"])
        #expect(found.problems["b"]?.description.contains("it includes itself, b → c → b") == true)
        #expect(
            found.problems["self"]?.description.contains("it includes itself, self → self") == true
        )
        #expect(found.templates.keys.sorted() == ["a", "plain"])
    }

    @Test("drafts, names of none and texts that are no Liquid are refused under their names")
    func refused() {
        let blocks = [
            block("draft") { $0.state = .draft }, block("broken") { $0.content = "{% if %}" },
            block("good", including: ["draft", "gone", "broken"]),
        ]
        let found = set(["good"], among: blocks)
        #expect(found.templates.keys.sorted() == ["good"])
        #expect(found.problems.keys.sorted() == ["broken", "draft", "gone"])
        #expect(found.problems["draft"]?.description.contains("it is a draft") == true)
        #expect(found.problems["gone"]?.description.contains("there is none of this name") == true)
        #expect(set([], among: blocks).problems.isEmpty)
    }
}
