import Console
import ContentFiles
import ContentFolders
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing
import WebPages

@Suite("Rows that come from files, in the console")
struct FileTests {
    /// Kinds of rows with a page on which they are edited, by the folder or file of theirs.
    private static let pages: [String: String] = [
        "segments/": ConsolePath.segment("1").path,
        "campaigns/": ConsolePath.editCampaign("2").path,
        "journeys/": ConsolePath.journey("1").path,
        "in-app-messages/": ConsolePath.editInApp(SampleWorkspace.name(1)).path,
        "content-blocks/": ConsolePath.contentBlock(SampleWorkspace.name(1)).path,
        "catalogs/": ConsolePath.catalog("menu").path,
        "news/": ConsolePath.newsItem("2").path,
        "settings.yaml": ConsolePath.workspace.path,
        "limits.yaml": ConsolePath.limits.path,
    ]
    /// Those that are only edited over the API and by files.
    private static let pageless: Set<String> = ["subscription_group", "preference_center"]

    /// Applies the workspace to itself: all its rows come from files then.
    private static func own(_ store: any Store) async throws {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-files-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = ContentFolder(
            root,
            service: ContentFileService(store: store, now: { SampleWorkspace.now }),
            actor: .commandLine(account: "ada", WorkspaceID(1))
        )
        _ = try await folder.pull()
        _ = try await folder.apply(folder.plan().id)
    }

    @Test(
        "every page that edits a row says which file it comes from, in the console's language",
        arguments: [
            ("en", "comes from the file"), ("ja", "で管理されています"), ("pt-BR", "vem do arquivo"),
        ]
    )
    func owned(language: String, words: String) async throws {
        try await ConsoleBrowser.open(.small) { browser, store in
            browser.language = language
            try await browser.logIn()
            for path in Self.pages.values {
                #expect(try await !browser.get(path).text.contains("file-notice"), "\(path)")
            }
            try await Self.own(store)
            for (file, path) in Self.pages {
                let page = try await browser.get(path)
                #expect(page.text.contains("file-notice"), "\(path)")
                #expect(page.text.contains(words) && page.text.contains(file), "\(path)")
                #expect(!page.text.contains("⟦"))
            }
            // No kind of row is left out.
            let kinds = Set(
                try await store.folderFiles(in: WorkspaceID(1)).compactMap(\.row?.kind)
            )
            let known = Set(Self.pages.keys.map { $0.prefix { $0 != "/" && $0 != "." } })
            for kind in kinds.subtracting(Self.pageless) {
                let folder = kind.replacing("_", with: "-")
                #expect(
                    known.contains { $0 == folder || $0 == folder + "s" } || kind == "report",
                    "\(kind)"
                )
            }
            // Whoever may change nothing is told nothing.
            browser.forgetCookies()
            try await browser.logIn("viewer@example.com")
            let page = try await browser.get(ConsolePath.segment("1").path)
            #expect(!page.text.contains("file-notice"))
        }
    }

    @Test("after a save the page offers the patch, of which a marketer sees no settings")
    func saved() async throws {
        try await ConsoleBrowser.open(.small) { browser, store in
            try await Self.own(store)
            try await browser.logIn("marketer@example.com")
            let path = ConsolePath.segment("1").path
            let form = try await browser.get(path)
            let csrf = form.field("csrf") ?? ""
            let saved = try await browser.post(
                path,
                [("csrf", csrf), ("name", "Renamed here"), ("condition", "city = \"Kyoto\"")]
            )
            let list = try await browser.get(saved.location ?? "")
            #expect(list.text.contains("still says what was here before"))
            let row = try #require(try await store.segment(SegmentID(1)))
            let query = FormFields([
                ("kind", "segment"), ("id", row.apiID.uuidString.lowercased()),
            ])
            let one = try await browser.get(ConsolePath.files.query(query))
            #expect(one.text.contains("+name: Renamed here"), "\(one.text)")
            let file = try await browser.get(ConsolePath.filesPatch.query(query))
            #expect(file.text.hasPrefix("diff --git a/segments/"))
            #expect(file.headers[.contentDisposition]?.contains("noroshi.patch") == true)

            _ = try await store.changeWorkspace(WorkspaceID(1)) { settings in
                var settings = settings
                settings.currency = "CHF"
                let audit = AuditRecord(
                    at: SampleWorkspace.now,
                    origin: .api,
                    author: "",
                    action: "workspace_changed",
                    subject: ""
                )
                return (settings, audit)
            }
            #expect(
                try await !browser.get(ConsolePath.filesPatch.path).text.contains("settings.yaml")
            )
            let refused = try await browser.post(ConsolePath.releaseFiles.path, [("csrf", csrf)])
            #expect(refused.status == .forbidden)
            browser.forgetCookies()
            try await browser.logIn()
            let all = try await browser.get(ConsolePath.files.path)
            #expect(all.text.contains("settings.yaml") && all.text.contains("id=\"patch-all\""))
            let release = try await browser.post(
                ConsolePath.releaseFiles.path,
                [("csrf", all.field("csrf") ?? "")]
            )
            #expect(release.location?.hasPrefix(ConsolePath.files.path) == true)
            #expect(
                try await browser.get(ConsolePath.files.path).text.contains(
                    "Nothing comes from files"
                )
            )
            #expect(try await !browser.get(path).text.contains("file-notice"))
        }
    }

    @Test("a draft is that of the row which it is to change")
    func draft() async throws {
        try await ConsoleBrowser.open(.small) { browser, store in
            try await Self.own(store)
            try await browser.logIn("marketer@example.com")
            let path = ConsolePath.editCampaign("2").path
            let form = try await browser.get(path)
            let draft = try #require(form.field("draft"))
            let kept = try await browser.post(
                ConsolePath.draft(.campaign, draft).path,
                [
                    ("csrf", form.field("csrf") ?? ""), ("draft", draft),
                    ("window", form.field("window") ?? ""), ("seen", "0"), ("subject", "2"),
                    ("version", form.field("version") ?? ""), ("name", "Half written"),
                ]
            )
            #expect(kept.status.code < 300, "\(kept.text)")
            let page = try await browser.get(ConsolePath.draft(.campaign, draft).path)
            #expect(page.text.contains("campaigns/") && page.text.contains("file-notice"))
        }
    }
}
