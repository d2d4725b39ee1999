import ContentFiles
import ContentFolders
import Foundation
import Model
import NoroshiWire
import Ports
import StoreSQL
import Testing

@Suite("A folder of what is written")
struct ContentFolderTests {
    typealias Site = ContentFileTests.Site

    /// A folder that belongs to a site.
    struct Desk {
        let root: URL
        let site: Site

        var folder: ContentFolder {
            ContentFolder(
                root,
                service: site.service,
                actor: .commandLine(account: "ada", site.workspace)
            )
        }

        func read(_ path: String) throws -> String {
            try String(contentsOf: root.appending(path: path), encoding: .utf8)
        }

        func write(_ path: String, _ text: String) throws {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: true, encoding: .utf8)
        }

        func change(_ path: String, _ old: String, _ new: String) throws {
            let text = try read(path)
            try #require(text.contains(old), "\(text)")
            try write(path, text.replacing(old, with: new))
        }

        /// All files by their paths.
        func files() throws -> [String: String] {
            var files: [String: String] = [:]
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path)
            where path.contains(".") { files[path] = try read(path) }
            return files
        }

        func onlyCampaign() async throws -> Campaign {
            let found = try await site.store.campaigns(
                in: site.workspace,
                matching: CampaignQuery()
            )
            return try #require(found.campaigns.first)
        }

        func apply() async throws -> FolderPlan? { try await folder.apply(folder.plan().id) }

        /// What is said of the files.
        func complaint() async throws -> String {
            do {
                _ = try await folder.plan()
                return ""
            } catch let error as FolderError {
                return error.description
            }
        }
    }

    static func withDesks(_ count: Int = 1, _ body: ([Desk]) async throws -> Void) async throws {
        try await ContentFileTests.withSites(count) { sites in
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "noroshi-folder-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            var desks: [Desk] = []
            for (number, site) in sites.enumerated() {
                let root = folder.appending(path: "\(number)")
                try FileManager.default.createDirectory(
                    at: root,
                    withIntermediateDirectories: true
                )
                desks.append(Desk(root: root, site: site))
            }
            try await body(desks)
        }
    }

    private static func fill(_ site: Site, seed: Int) async throws {
        var content = RandomContent(
            seed: UInt64(seed),
            site.store,
            site.workspace,
            now: ContentFileTests.now
        )
        try await content.write()
    }

    private static func copyLists(from site: Site, to other: Site) async throws {
        for list in try await site.store.userLists(in: site.workspace) {
            _ = try await other.store.saveUserList(
                named: list.name,
                profiles: [],
                author: "Ada",
                in: other.workspace,
                noting: nil,
                now: ContentFileTests.now
            )
        }
    }

    @Test(
        "what was pulled says what the server says, whatever people have written",
        arguments: 1...12
    )
    func pulled(seed: Int) async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try await Self.fill(desk.site, seed: seed)
            let first = try await desk.folder.pull()
            #expect(first.written.count > 8)
            let plan = try await desk.folder.plan()
            #expect(plan.entries.map(\.path) == [] && plan.rows == [])
            #expect(plan.onlyOnServer == [])
            let files = try desk.files()
            let second = try await desk.folder.pull()
            #expect(second.written == [] && second.removed == [] && second.waiting == [])
            #expect(try desk.files() == files)
        }
    }

    @Test("applied to an empty server, files come out of it as they went in", arguments: 21...28)
    func elsewhere(seed: Int) async throws {
        try await Self.withDesks(2) { desks in
            try await Self.fill(desks[0].site, seed: seed)
            _ = try await desks[0].folder.pull()
            try await Self.copyLists(from: desks[0].site, to: desks[1].site)
            for (path, text) in try desks[0].files() { try desks[1].write(path, text) }
            let plan = try #require(try await desks[1].apply())
            #expect(plan.entries.count > 5)
            #expect(try await desks[1].folder.plan().isEmpty)
            #expect(try await desks[1].folder.pull().written == [])
            #expect(try desks[1].files() == desks[0].files())
            // The order of a file is that in which rows were made, here that of the files.
            let former = Set(try await desks[0].site.export().split(separator: "\n"))
            #expect(try await Set(desks[1].site.export().split(separator: "\n")) == former)
        }
    }

    static let block = """
        # What stands below every message.
        state: active
        name: footer   # the same in all languages
        content: "Bye, {{ ${first_name} }}"

        """

    @Test("comments and order stay over pull, edit, apply and pull")
    func comments() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try desk.write("content-blocks/footer.yaml", Self.block)
            _ = try #require(try await desk.apply())
            #expect(
                try await desk.folder.pull().written.sorted() == ["limits.yaml", "settings.yaml"]
            )
            #expect(try desk.read("content-blocks/footer.yaml") == Self.block)
            try desk.change("content-blocks/footer.yaml", "Bye", "Farewell")
            let plan = try await desk.folder.plan()
            #expect(
                plan.entries.map(\.differences) == [
                    [
                        #"content: "Bye, {{ ${first_name} }}" → "Farewell, {{ ${first_name} }}""#
                    ]
                ]
            )
            #expect(try await desk.folder.apply(plan.id) != nil)
            #expect(try await desk.folder.pull().written == [])
            #expect(
                try desk.read("content-blocks/footer.yaml")
                    == Self.block.replacing("Bye", with: "Farewell")
            )
        }
    }

    @Test("identifiers are in the lock file, so that a row may get another name, and its file too")
    func names() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try await Self.fill(desk.site, seed: 3)
            _ = try await desk.folder.pull()
            let files = try desk.files()
            for (path, text) in files where path.hasSuffix(".yaml") {
                #expect(!text.contains("api_id"), "\(path)")
            }
            let path = try #require(
                files.keys.sorted().first {
                    $0.hasPrefix("content-blocks/") && $0.hasSuffix(".yaml")
                }
            )
            let name = try #require(files[path]?.split(separator: "\n").first?.dropFirst(6))
            try desk.change(path, "name: \(name)", "name: masthead")
            let plan = try await desk.folder.plan()
            #expect(plan.entries.map(\.isNew) == [false])
            #expect(plan.entries.first?.differences == ["name: \"\(name)\" → \"masthead\""])
        }
    }

    @Test("only the plan that was looked at is applied")
    func stale() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try desk.write("content-blocks/footer.yaml", Self.block)
            let plan = try await desk.folder.plan()
            try desk.change("content-blocks/footer.yaml", "Bye", "Farewell")
            let before = try await desk.site.export()
            #expect(try await desk.folder.apply(plan.id) == nil)
            #expect(try await desk.site.export() == before)
            #expect(try await desk.folder.apply(try await desk.folder.plan().id) != nil)
            #expect(try await desk.site.export() != before)
        }
    }

    @Test(
        "what was changed on both sides is named, and no file is touched; what was edited here waits"
    )
    func bothSides() async throws {
        try await Self.withDesks(2) { desks in
            let desk = desks[0]
            let other = Desk(root: desks[1].root, site: desk.site)
            try desk.write("content-blocks/footer.yaml", Self.block)
            _ = try #require(try await desk.apply())
            _ = try await desk.folder.pull()
            _ = try await other.folder.pull()
            try desk.change("content-blocks/footer.yaml", "Bye", "Farewell")
            #expect(try await desk.folder.pull().waiting == ["content-blocks/footer.yaml"])
            try other.change("content-blocks/footer.yaml", "Bye", "So long")
            _ = try #require(try await other.apply())
            #expect(try await desk.folder.plan().entries.map(\.takesBack) == [true])
            let files = try desk.files()
            await #expect(throws: FolderError.self) { try await desk.folder.pull() }
            #expect(try desk.files() == files)
            _ = try await desk.folder.pull(overwrites: true)
            #expect(try desk.read("content-blocks/footer.yaml").contains("So long"))
            #expect(try await desk.folder.plan().isEmpty)
        }
    }

    @Test("a long text has a file of its own, and its mistakes are named there")
    func texts() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            let page = "<p>Tea</p>\n" + String(repeating: "<p>More {{ ${city} }}</p>\n", count: 20)
            try desk.write("content-blocks/long.yaml", "name: long\ncontent: {file: long.html}\n")
            try desk.write("content-blocks/long.html", page)
            _ = try #require(try await desk.apply())
            _ = try await desk.folder.pull()
            #expect(try desk.read("content-blocks/long.html") == page)
            try desk.write("content-blocks/long.html", page + "{% if %}")
            #expect(try await desk.complaint().hasPrefix("content-blocks/long.html: "))
            try desk.write(
                "content-blocks/long.yaml",
                "name: long\ncontent: {file: ../noroshi.lock}\n"
            )
            #expect(
                try await desk.complaint().hasPrefix(
                    "content-blocks/long.yaml:2:11: names '../noroshi.lock', which lies outside"
                )
            )
        }
    }

    @Test(
        "every mistake is named by file, line and column, and nothing is stored",
        arguments: [
            ("segments/a.yaml", "name: a\nfilter:\n  all: [\n", "segments/a.yaml:4:1: is no YAML"),
            (
                "segments/a.yaml", "name: a\nfiltre: {all: []}\n",
                "segments/a.yaml:2:1: filtre is not"
            ),
            ("segments/a.yaml", "name: a\n", "segments/a.yaml:1:1: filter is missing"),
            (
                "segments/a.yaml", "name: a\nname: b\n",
                "segments/a.yaml:1:1: says the same twice: name"
            ),
            ("segments/a.yaml", "- a\n", "segments/a.yaml:1:1: is a list"),
            (
                "segments/a.yaml", "name: a\nfilter: *n\n",
                "segments/a.yaml:2:9: is no YAML: found undefined alias"
            ),
            ("segment/a.yaml", "name: a\n", "segment/a.yaml: belongs to nothing"),
            (
                "limits.yaml", "caps:\n- {messages: many, days: 1}\n",
                "limits.yaml:2:4: caps.0.messages"
            ),
            ("settings.yaml", "time_zone: Mars/North\n", "settings.yaml:1:1: time_zone"),
            (
                "campaigns/a.yaml",
                "name: a\nvariants:\n  - name: A\n    message:\n      common:\n        message: {body: 1}\n",
                "campaigns/a.yaml:6:19: variants.0.message.common.message.body"
            ),
            ("content-blocks/a.liquid", "Tea", "content-blocks/a.liquid: belongs to nothing"),
            ("noroshi.lock", "[]", "noroshi.lock: cannot be read"),
            (
                "segments/a.yaml", "kind: campaign\nname: a\n",
                "segments/a.yaml:1:1: kind is segment"
            ),
            ("segments/a.yaml", "id: 5\nname: a\n", "segments/a.yaml:1:1: id"),
            ("segments/a.yaml", "name: \"a\\0\"\nfilter: {all: []}\n", "segments/a.yaml:"),
            (
                "limits.yaml", "caps: [{messages: 1e308, days: 1}]\n",
                "limits.yaml:1:9: caps.0.messages"
            ),
            (
                "limits.yaml", "caps: [{messages: 9223372036854775808, days: 1}]\n",
                "limits.yaml:1:9: caps.0.messages"
            ),
        ]
    )
    func mistakes(path: String, text: String, said: String) async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            let before = try await desk.site.export()
            try desk.write(path, text)
            let complaint = try await desk.complaint()
            #expect(complaint.hasPrefix(said), "\(complaint)")
            #expect(try await desk.site.export() == before)
        }
    }

    @Test("rows of a catalog come from its CSV file, and mistakes in them are named by their line")
    func rows() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            let fields =
                "[{name: id, type: string}, {name: title, type: string}, {name: price, type: number}]"
            try desk.write("catalogs/teas.yaml", "name: teas\nfields: \(fields)\n")
            try desk.write(
                "catalogs/teas.csv",
                "id,title,price\n1,\"Sencha, first\nflush\",4.5\n2,,\n"
            )
            let plan = try #require(try await desk.apply())
            #expect(plan.rows == [FolderPlan.Rows(path: "catalogs/teas.csv", added: 2)])
            #expect(try await desk.folder.plan().isEmpty)
            #expect(try await desk.folder.pull().written.contains("catalogs/teas.csv") == false)
            for (text, said) in [
                ("id,title,price\n1,Sencha,4.5\n2,Hojicha\n", "catalogs/teas.csv:3:1: has 2 cells"),
                ("id,title,price\n1,Sencha,dear\n", "catalogs/teas.csv:2:1: values"),
                ("id,taste\n", "catalogs/teas.csv:1:1: has the column 'taste'"),
                ("title\n", "catalogs/teas.csv:1:1: begins with a header"),
                ("id\n1\n2\n1\n", "catalogs/teas.csv:4:1: describes what catalogs/teas.csv:2"),
                ("id\n\"\"\n", "catalogs/teas.csv:2:1: values the id"),
            ] {
                try desk.write("catalogs/teas.csv", text)
                let complaint = try await desk.complaint()
                #expect(complaint.hasPrefix(said), "\(complaint)")
            }
        }
    }

    @Test("a row that is gone from the server loses its file, unless that was edited here")
    func gone() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try desk.write("content-blocks/footer.yaml", Self.block)
            _ = try #require(try await desk.apply())
            let content = try #require(
                try await desk.site.store.writtenContent(of: desk.site.workspace)
            )
            let block = try #require(content.blocks.first { $0.name == "footer" })
            _ = try await desk.site.store.deleteContentBlock(
                block.id,
                in: desk.site.workspace,
                noting: nil
            )
            #expect(try await desk.folder.pull().removed == ["content-blocks/footer.yaml"])
            #expect(try desk.files()["content-blocks/footer.yaml"] == nil)
        }
    }

    @Test("a spreadsheet's mark of the encoding is no part of a file")
    func mark() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try desk.write(
                "catalogs/teas.yaml",
                "\u{FEFF}name: teas\nfields: [{name: id, type: string}]\n"
            )
            try desk.write("catalogs/teas.csv", "\u{FEFF}id\r\n1\r\n2\r\n")
            #expect(try await desk.apply()?.rows.map(\.added) == [2])
        }
    }

    @Test("a folder that is not there is named, and so is a link to a file that is not its own")
    func places() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            let missing = Desk(root: desk.root.appending(path: "misspelt"), site: desk.site)
            #expect(try await missing.complaint().hasSuffix("misspelt: is no folder"))
            try desk.write("content-blocks/a.yaml", "name: a\ncontent: {file: a.liquid}\n")
            let secret = desk.root.deletingLastPathComponent().appending(path: "secret")
            try "secret".write(to: secret, atomically: true, encoding: .utf8)
            try FileManager.default.createSymbolicLink(
                at: desk.root.appending(path: "content-blocks/a.liquid"),
                withDestinationURL: secret
            )
            #expect(
                try await desk.complaint().hasPrefix(
                    "content-blocks/a.liquid: is no file of its own"
                )
            )
        }
    }

    @Test("what is nested or repeated beyond reason is refused", arguments: ["[", "- ", "{a: "])
    func deep(opening: String) async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            let text = String(repeating: opening, count: 50_000)
            try desk.write("segments/a.yaml", "name: a\nfilter:\n  \(text)\n")
            #expect(try await desk.complaint().hasPrefix("segments/a.yaml:"))
            var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
            for level in 1...9 {
                let inner = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
                bomb += "a\(level): &a\(level) [\(inner)]\n"
            }
            try desk.write("segments/a.yaml", bomb)
            #expect(try await desk.complaint().contains("has more than 200000 values"))
        }
    }

    @Test("what runs is refused until it is stopped; in a copy it is stopped and changed")
    func running() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try desk.write(
                "campaigns/tea.yaml",
                """
                name: Tea
                delivery: api_triggered
                variants:
                - {name: A, message: {common: {message: {body: Tea is ready}}}}
                """
            )
            _ = try await desk.apply()
            let store = desk.site.store
            let draft = try await desk.onlyCampaign()
            let sends = try await store.transitionCampaign(
                draft.id,
                from: [.draft],
                to: .active,
                nextDueAt: nil,
                now: ContentFileTests.now
            )
            #expect(sends == [])
            try desk.change("campaigns/tea.yaml", "Tea is ready", "Tea is cold")
            #expect(try await desk.complaint().contains("of a campaign that runs here"))
            let copy = ContentFolder(
                desk.root,
                service: ContentFileService(
                    store: store,
                    now: { ContentFileTests.now },
                    changesWhatRuns: true
                ),
                actor: .commandLine(account: "ada", desk.site.workspace)
            )
            let lock = try desk.read("noroshi.lock")
            #expect(try await copy.apply(copy.plan().id, isCopy: true) != nil)
            let changed = try await desk.onlyCampaign()
            #expect(changed.state == .stopped)
            #expect(changed.content.variants.first?.message.common.message.body == "Tea is cold")
            #expect(try desk.read("noroshi.lock") == lock)
        }
    }

    @Test("of a plan that is applied twice at once one is stored")
    func twice() async throws {
        try await Self.withDesks { desks in
            let desk = desks[0]
            try desk.write("content-blocks/footer.yaml", Self.block)
            let id = try await desk.folder.plan().id
            async let first = desk.folder.apply(id)
            async let second = desk.folder.apply(id)
            let applied = try await [first, second].compactMap(\.self)
            #expect(applied.count == 1)
            #expect(try await desk.folder.plan().isEmpty)
            let audit = try await desk.site.store.audit(
                in: desk.site.workspace,
                matching: AuditQuery(limit: 10)
            )
            #expect(audit.total == 1)
        }
    }
}
