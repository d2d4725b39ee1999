import ContentFiles
import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import StoreSQL
import Testing

@testable import ContentFolders

@Suite("What files would have to say")
struct FolderPatchTests {
    private typealias Desk = ContentFolderTests.Desk

    private static func folders(_ desk: Desk) -> FolderOwnership {
        FolderOwnership(store: desk.site.store, now: { ContentFileTests.now })
    }

    private static func patch(_ desk: Desk) async throws -> FolderPatch {
        try await folders(desk).patch(in: desk.site.workspace)
    }

    /// Puts a patch into the folder.
    private static func take(_ patch: FolderPatch, into desk: Desk) throws {
        let before = try desk.files()
        let after = try PatchedFiles(before, patch.text).files
        for (path, text) in after where before[path] != text { try desk.write(path, text) }
        for path in before.keys where after[path] == nil {
            try FileManager.default.removeItem(at: desk.root.appending(path: path))
        }
    }

    /// A workspace with a folder that was applied to it.
    private static func filled(_ desk: Desk, seed: Int) async throws {
        var content = RandomContent(
            seed: UInt64(seed),
            desk.site.store,
            desk.site.workspace,
            now: ContentFileTests.now
        )
        try await content.write()
        _ = try await desk.folder.pull()
        _ = try #require(try await desk.apply())
    }

    /// Changes something of most rows of the server.
    private static func edit(_ site: ContentFileTests.Site, seed: Int) async throws {
        var random = SeededRandom(state: UInt64(seed))
        let lines = try await site.export().split(separator: "\n").map {
            try JSONReader.read(Array($0.utf8)).objectValue ?? [:]
        }
        for (number, original) in lines.enumerated() {
            var line = original
            let kind = line["kind"]?.stringValue ?? ""
            // Rows of catalogs are files of their own kind, and there are many.
            guard kind != "catalog_item" else { continue }
            for field in ["name", "title", "description", "note", "content", "page"] {
                guard let text = line[field]?.stringValue, kind != "catalog" || field != "name",
                    Int.random(in: 0..<3, using: &random) == 0
                else { continue }
                let more = ["", " \(number)", "\nline \(number)\n", " # \(number)"]
                let end = field == "name" ? " \(number)" : more.randomElement(using: &random) ?? ""
                let isWord = kind == "content_block" && field == "name"
                line[field] = .string(text + (isWord ? "_\(number)" : end))
            }
            if case .array(let tags)? = line["tags"], tags.count < 5,
                Int.random(in: 0..<2, using: &random) == 0
            {
                line["tags"] = .array([.string("new\(number)")] + tags.dropLast())
            }
            if kind == "limits" { line["control_group"] = .object(["share": 7, "salt": "x"]) }
            if kind == "settings" { line["currency"] = "CHF" }
            guard line != original else { continue }
            // One at a time: what cannot be stored stays as it is.
            _ = try? await site.bringIn(JSONWriter.text(line))
        }
    }

    @Test(
        "whatever was changed on the server, its patch makes the files say so, and plan finds nothing",
        arguments: 1...4
    )
    func random(seed: Int) async throws {
        try await ContentFolderTests.withDesks { desks in
            let desk = desks[0]
            try await Self.filled(desk, seed: seed)
            #expect(try await Self.patch(desk).text == "")
            let before = try await desk.site.export()
            try await Self.edit(desk.site, seed: seed)
            #expect(try await desk.site.export() != before)
            let patch = try await Self.patch(desk)
            #expect(!patch.rows.isEmpty && patch.unknown.isEmpty)
            try Self.take(patch, into: desk)
            let plan = try await desk.folder.plan()
            #expect(plan.entries.map(\.differences) == [] && plan.isEmpty)
            // The lock file is what pull would write.
            let files = try desk.files()
            let pull = try await desk.folder.pull()
            #expect(pull.written == [] && pull.removed == [] && pull.waiting == [])
            #expect(try desk.files() == files)
            // Once they are applied nothing is left to say.
            _ = try #require(try await desk.apply())
            #expect(try await Self.patch(desk).text == "")
        }
    }

    /// The block with another greeting, which keeps its quotes.
    private static func said(_ greeting: String) -> String {
        ContentFolderTests.block.replacing(
            "\"Bye, {{ ${first_name} }}\"",
            with: "\"\(greeting), {{ ${first_name} }}\""
        )
    }

    @Test("a change rewrites its own line; comments and order stay")
    func comments() async throws {
        try await ContentFolderTests.withDesks { desks in
            let desk = desks[0]
            try desk.write("content-blocks/footer.yaml", ContentFolderTests.block)
            _ = try #require(try await desk.apply())
            let id = try #require(
                try await Self.folders(desk).row("content-blocks/footer.yaml", desk)
            )
            #expect(id.kind == "content_block")
            let line =
                try await desk.site.export().split(separator: "\n")
                .first { $0.contains("\"content_block\"") } ?? ""
            try await desk.site.bringIn(String(line).replacing("Bye", with: "Farewell"))
            let patch = try await Self.patch(desk)
            #expect(patch.rows.map(\.path) == ["content-blocks/footer.yaml"])
            #expect(patch.row(id)?.name == "footer")
            try Self.take(patch, into: desk)
            #expect(
                try desk.read("content-blocks/footer.yaml")
                    == Self.said("Farewell")
            )
            // Pulling does the same.
            try desk.write("content-blocks/footer.yaml", ContentFolderTests.block)
            _ = try #require(try await desk.apply())
            try await desk.site.bringIn(String(line).replacing("Bye", with: "So long"))
            #expect(try await desk.folder.pull().written.contains("content-blocks/footer.yaml"))
            #expect(
                try desk.read("content-blocks/footer.yaml")
                    == Self.said("So long")
            )
        }
    }

    @Test(
        "a row that is gone loses its file, one of another folder is no file's, release ends it all"
    )
    func ownership() async throws {
        try await ContentFolderTests.withDesks { desks in
            let desk = desks[0]
            let folders = Self.folders(desk)
            let workspace = desk.site.workspace
            try desk.write("content-blocks/footer.yaml", ContentFolderTests.block)
            try desk.write("content-blocks/head.yaml", "name: head\ncontent: Hello\n")
            _ = try #require(try await desk.apply())
            let head = try #require(try await folders.row("content-blocks/head.yaml", desk))
            let footer = try #require(try await folders.row("content-blocks/footer.yaml", desk))
            let id = try #require(UUID(uuidString: head.id))
            #expect(try await desk.site.store.deleteContentBlock(id, in: workspace, noting: nil))
            let patch = try await Self.patch(desk)
            #expect(patch.rows.map(\.isGone) == [true])
            try Self.take(patch, into: desk)
            #expect(try desk.files()["content-blocks/head.yaml"] == nil)
            #expect(try await desk.folder.plan().isEmpty)
            // What the files do not have any more is nobody's.
            _ = try await desk.apply()
            #expect(try await folders.path(of: head, in: workspace) == nil)
            #expect(try await folders.path(of: footer, in: workspace) != nil)
            let actor = Actor.commandLine(account: "ada", workspace)
            #expect(try await folders.release(by: actor) == 1)
            #expect(try await !folders.isUsed(in: workspace))
            #expect(try await Self.patch(desk).rows.isEmpty)
        }
    }

    @Test("what others may not see is in no patch of theirs, and a copy keeps no files")
    func shown() async throws {
        try await ContentFolderTests.withDesks { desks in
            let desk = desks[0]
            _ = try await desk.folder.pull()
            #expect(try await desk.folder.apply(desk.folder.plan().id, isCopy: true) != nil)
            #expect(try await !Self.folders(desk).isUsed(in: desk.site.workspace))
            _ = try #require(try await desk.apply())
            let line =
                try await desk.site.export().split(separator: "\n")
                .first { $0.contains("\"settings\"") } ?? ""
            let changed = line.replacing(/"currency":"[A-Z]+"/, with: "\"currency\":\"CHF\"")
            try await desk.site.bringIn(String(changed))
            let all = try await Self.patch(desk)
            #expect(all.rows.map(\.path) == ["settings.yaml"] && all.text.contains("CHF"))
            let some = try await Self.folders(desk).patch(in: desk.site.workspace) {
                $0 != "settings"
            }
            #expect(some.rows.isEmpty && some.text == "")
        }
    }

    // MARK: YAML

    @Test(
        "of a file only what is changed is rewritten",
        arguments: [
            ("a: 1 # one\nb: 2\n", "a: 3\nb: 2", "a: 3 # one\nb: 2\n"),
            ("a: 1\n\n# two\nb: 2\n", "a: 1", "a: 1\n\n# two\n"),
            ("b: 2\n# end\n", "a: 1\nb: 2", "b: 2\na: 1\n# end\n"),
            ("a:\n  - x # first\n  - y\n", "a: [x, z, y]", "a:\n  - x # first\n  - z\n  - y\n"),
            ("a:\n- x\n# middle\n- y\n- z\n", "a: [x, z]", "a:\n- x\n# middle\n- z\n"),
            (
                "s:\n  - name: A # first\n    n: 1\n  - name: B\n    n: 2 # two\n",
                "s: [{name: A, n: 1}, {name: B, n: 3}]",
                "s:\n  - name: A # first\n    n: 1\n  - name: B\n    n: 3 # two\n"
            ),
            (
                "t: |\n  # no comment\n  b\nu: x\n", "t: \"# no comment\\nb\\n\"\nu: y",
                "t: |\n  # no comment\n  b\nu: y\n"
            ),
            ("a: {c: 2, b: 1} # flow\n", "a: {b: 1, c: 3}", "a: {c: 3, b: 1} # flow\n"),
            ("a: \"x # y\" # z\n", "a: w", "a: \"w\" # z\n"),
            ("a: 'x' # z\n", "a: it's", "a: 'it''s' # z\n"),
            ("'a': 'x'\n", "a: \"1\\n2\"", "'a': |-\n  1\n  2\n"),
            ("a: x\n", "a: \"3\"", "a: \"3\"\n"),
            ("a: [\"x\", 'y']\n", "a: [w, z]", "a: [\"w\", 'z']\n"),
            ("a: [\"x\", \"y\"]\n", "a: [x, z, y]", "a: [\"x\", \"z\", \"y\"]\n"),
            ("a:\n- 'x' # first\n- y\n", "a: [w, y]", "a:\n- 'w' # first\n- y\n"),
            ("a:\n- 'x'\n- 'y'\n", "a: [x, w, y]", "a:\n- 'x'\n- 'w'\n- 'y'\n"),
            ("{\"b\": \"x\", \"a\": 1}\n", "a: 2\nb: x", "{\"b\": \"x\", \"a\": 2}\n"),
            ("a: 1\r\n# two\r\nb: 2\r\n", "a: 3\nb: 2", "a: 3\r\n# two\r\nb: 2\r\n"),
            ("お茶: 1 # 一\n", "お茶: 2", "お茶: 2 # 一\n"),
        ]
    )
    func edits(text: String, new: String, expected: String) throws {
        let old = try YAMLReader(text, path: "").value
        let value = try YAMLReader(new, path: "").value
        let edited = try YAMLEdit.text(text, from: old, to: value)
        #expect(try YAMLReader(edited, path: "").value == value)
        #expect(edited == expected)
    }

    @Test("a file says what it is to say, whatever it said before", arguments: 1...8)
    func randomEdits(seed: Int) throws {
        var random = SeededRandom(state: UInt64(seed))
        for _ in 0..<12 {
            let old = JSONValue.object(["name": "x", "body": Self.value(3, &random)])
            let new = JSONValue.object([
                "name": "x", "body": Self.changed(old["body"] ?? .null, 3, &random),
            ])
            // As it is written here, and in quotes on one line.
            for text in [try YAMLWriter.text(old), JSONWriter.text(old) + "\n"] {
                let said = try YAMLReader(text, path: "").value
                #expect(said == old)
                let edited = try YAMLEdit.text(text, from: said, to: new)
                #expect(try YAMLReader(edited, path: "").value == new, "\(text)\n\(edited)")
                let patch = UnifiedDiff.text("a.yaml", from: text, to: edited)
                #expect(try PatchedFiles(["a.yaml": text], patch).files == ["a.yaml": edited])
            }
        }
    }

    private static func value(_ depth: Int, _ random: inout SeededRandom) -> JSONValue {
        let texts = ["tea", "", "a # b", "line\nbreak", "- x", "{ }", "'q'", "é: x", "12", "null"]
        switch Int.random(in: depth > 0 ? 0..<6 : 0..<3, using: &random) {
        case 0: return .integer(Int64.random(in: 0..<20, using: &random))
        case 1, 2: return .string(texts.randomElement(using: &random) ?? "")
        case 3:
            return .array(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1, &random) }
            )
        default:
            return .object(
                Dictionary(
                    (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                        (
                            ["a", "b", "name", "steps", "お茶"].randomElement(using: &random) ?? "a",
                            value(depth - 1, &random)
                        )
                    },
                    uniquingKeysWith: { $1 }
                )
            )
        }
    }

    private static func changed(
        _ value: JSONValue,
        _ depth: Int,
        _ random: inout SeededRandom
    ) -> JSONValue {
        if Int.random(in: 0..<6, using: &random) == 0 { return self.value(depth, &random) }
        switch value {
        case .array(var elements):
            if !elements.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
                elements.remove(at: Int.random(in: 0..<elements.count, using: &random))
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                elements.insert(self.value(depth - 1, &random), at: elements.count / 2)
            }
            return .array(elements.map { changed($0, depth - 1, &random) })
        case .object(let members):
            var changed: [String: JSONValue] = [:]
            for (name, member) in members.sorted(by: { $0.key < $1.key })
            where Int.random(in: 0..<5, using: &random) > 0 {
                changed[name] = Self.changed(member, depth - 1, &random)
            }
            return .object(changed)
        default: return value
        }
    }
}

extension FolderOwnership {
    /// The row that a file describes.
    fileprivate func row(
        _ path: String,
        _ desk: ContentFolderTests.Desk
    ) async throws -> WrittenRow? {
        try await desk.site.store.folderFiles(in: desk.site.workspace)
            .first { $0.path == path }?.row
    }
}
