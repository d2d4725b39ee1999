import Console
import HTTPTypes
import Model
import SampleWorkspace
import Testing
import WebPages

@Suite struct PageTests {
    static let pages = [
        ConsolePath.overview.path, ConsolePath.pushHistory.path, ConsolePath.newPush.path,
        ConsolePath.push(9).path, ConsolePath.recipients("9").path, ConsolePath.users.path,
        ConsolePath.user("3").path,
        ConsolePath.campaigns.path, ConsolePath.calendar.path, ConsolePath.newCampaign.path,
        ConsolePath.campaign("2").path, ConsolePath.editCampaign("2").path,
        ConsolePath.duplicateCampaign("2").path, ConsolePath.campaign("4").path,
        ConsolePath.contentBlocks.path, ConsolePath.newContentBlock.path,
        ConsolePath.contentBlock(SampleWorkspace.name(1)).path, ConsolePath.catalogs.path,
        ConsolePath.catalog("menu").path,
        ConsolePath.activateInApp(SampleWorkspace.name(3)).path,
        ConsolePath.journeys.path, ConsolePath.newJourney.path, ConsolePath.journey("1").path,
        ConsolePath.rehearsal(.campaign, "2").path, ConsolePath.rehearsal(.journey, "1").path,
        ConsolePath.journeyPeople("1", "\(SampleWorkspace.journeyStep(3))").path,
        ConsolePath.journeyPerson("1", "3").path,
        ConsolePath.news.path, ConsolePath.newNews.path, ConsolePath.newsItem("2").path,
        ConsolePath.events.path, ConsolePath.attributes.path,
        ConsolePath.eventDetail.path + "?name=menu_viewed",
        ConsolePath.attributeDetail.path + "?name=shops",
        ConsolePath.funnelReport.path, ConsolePath.retentionReport.path,
        ConsolePath.seriesReport.path, ConsolePath.pathsReport.path,
        ConsolePath.controlGroupReport.path,
        ConsolePath.savedReports.path, ConsolePath.saveReport.path + "?kind=series",
        ConsolePath.segmentOverlap.path,
        ConsolePath.lists.path, ConsolePath.segments.path, ConsolePath.newSegment.path,
        ConsolePath.segment("1").path,
        ConsolePath.apps.path, ConsolePath.apiKeys.path, ConsolePath.facts.path,
        ConsolePath.team.path,
        ConsolePath.limits.path, ConsolePath.languages.path, ConsolePath.auditLog.path,
        ConsolePath.system.path, ConsolePath.sdkAuthentication.path, ConsolePath.account.path,
        ConsolePath.member("1").path, ConsolePath.secondFactor.path,
        ConsolePath.passkeys.path, ConsolePath.files.path, ConsolePath.singleSignOn.path,
        ConsolePath.workspaces.path,
    ]
    /// Without data these are not there.
    static let pagesOfThings = [
        ConsolePath.push(9).path, ConsolePath.user("3").path, ConsolePath.segment("1").path,
        ConsolePath.recipients("9").path, ConsolePath.newsItem("2").path,
        ConsolePath.campaign("2").path, ConsolePath.contentBlock(SampleWorkspace.name(1)).path,
        ConsolePath.catalog("menu").path, ConsolePath.activateInApp(SampleWorkspace.name(3)).path,
        ConsolePath.editCampaign("2").path, ConsolePath.duplicateCampaign("2").path,
        ConsolePath.journey("1").path, ConsolePath.journeyPerson("1", "3").path,
        ConsolePath.journeyPeople("1", "\(SampleWorkspace.journeyStep(3))").path,
        ConsolePath.rehearsal(.campaign, "2").path, ConsolePath.rehearsal(.journey, "1").path,
        ConsolePath.campaign("4").path, ConsolePath.eventDetail.path + "?name=menu_viewed",
        ConsolePath.attributeDetail.path + "?name=shops",
    ]

    @Test("every page in every language and size is complete, small and without inline code")
    func everyPage() async throws {
        for size in SampleSize.allCases {
            for language in Language.allCases {
                try await ConsoleBrowser.open(size) { browser in
                    browser.language = language.rawValue
                    try await browser.logIn()
                    for path in Self.pages {
                        let page = try await browser.get(path)
                        if size == .empty, Self.pagesOfThings.contains(path) {
                            #expect(page.status == .notFound)
                        } else {
                            #expect(page.status == .ok, "\(path)")
                        }
                        #expect(page.text.contains("<html lang=\"\(language.rawValue)\">"))
                        #expect(!page.text.contains("⟦"), "an unknown word on \(path)")
                        #expect(!page.text.contains("style=\""), "\(path)")
                        #expect(!page.text.contains("onclick"), "\(path)")
                        #expect(page.text.utf8.count < 300_000, "\(path)")
                        let policy = page.headers[.contentSecurityPolicy] ?? ""
                        #expect(policy.contains("script-src 'self'"))
                        #expect(!policy.contains("unsafe"))
                    }
                }
            }
        }
    }

    @Test(
        "an address that leads nowhere shows a page that says so, in the console's language",
        arguments: ["/nosuch", "/push/9/nosuch", "/a/b/c"]
    )
    func nowhere(tail: String) async throws {
        try await ConsoleBrowser.open { browser in
            browser.language = "ja"
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.overview.path + tail)
            #expect(page.status == .notFound)
            #expect(page.text.contains("<html lang=\"ja\">"))
            #expect(page.text.contains("href=\"\(ConsolePath.overview.path)\""))
        }
    }

    @Test("pages of any site may load the web SDK", arguments: ["noroshi.js", "worker.js"])
    func webSDK(name: String) async throws {
        try await ConsoleBrowser.open { browser in
            let file = try await browser.get("/sdk/web/" + name)
            #expect(file.status == .ok)
            #expect(file.headers[.accessControlAllowOrigin] == "*")
        }
    }

    @Test("what people typed is shown as text, never as markup")
    func escaping() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let query = FormFields([("text", "\"><script>alert(1)</script>")])
            let page = try await browser.get(ConsolePath.pushHistory.query(query))
            #expect(!page.text.contains("<script>alert"))
            #expect(page.text.contains("&lt;script&gt;"))
        }
    }

    @Test("the overview counts between two dates, whichever comes first, until today at the latest")
    func dates() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            func fields(_ query: [(String, String)]) async throws -> [String?] {
                let page = try await browser.get(ConsolePath.overview.query(FormFields(query)))
                #expect(page.status == .ok)
                return [page.field("from"), page.field("until")]
            }
            #expect(
                try await fields([("from", "2025-11-02"), ("until", "2025-09-30")])
                    == ["2025-09-30", "2025-11-02"]
            )
            // A longer time loses its beginning.
            #expect(
                try await fields([("from", "2023-01-01"), ("until", "2025-10-31")])
                    == ["2024-10-31", "2025-10-31"]
            )
            #expect(try await fields([("from", "never")]) == ["", ""])
            #expect(
                try await fields([("from", "2025-12-01"), ("until", "9999-12-31")])
                    == ["2025-12-01", "2026-01-01"]
            )
        }
    }

    @Test("a search keeps the days and the order of a list, and days keep the search")
    func keptFilter() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let query = FormFields([
                ("text", "tea"), ("state", "done"), ("from", "2026-07-04"), ("until", "never"),
                ("tests", "hidden"), ("page", "2"),
            ])
            let page = try await browser.get(ConsolePath.pushHistory.query(query))
            for (name, value, count) in [
                ("state", "done", 2), ("tests", "hidden", 2), ("from", "2026-07-04", 2),
                ("text", "tea", 2), ("until", "", 1), ("page", "2", 0),
            ] {
                let field = "name=\"\(name)\" value=\"\(value)\""
                #expect(page.text.ranges(of: field).count == count, "\(field)")
            }
        }
    }

    @Test("an unknown push is a page that says so")
    func unknown() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.push(4711).path)
            #expect(page.status == .notFound)
            #expect(page.text.contains("Page not found"))
        }
    }

    @Test("a timeline shows a session once, with how long it took")
    func sessions() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.userTimeline("3").path)
            #expect(page.text.contains("4 min, 12 sec"))
            #expect(!page.text.contains("End of a session"))
        }
    }

    @Test("a viewer reads but cannot write")
    func roles() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("viewer@example.com")
            let history = try await browser.get(ConsolePath.pushHistory.path)
            #expect(history.status == .ok)
            #expect(!history.text.contains(ConsolePath.newPush.path))
            #expect(try await browser.get(ConsolePath.newPush.path).status == .forbidden)
            let sent = try await browser.post(
                ConsolePath.sendPush.path,
                [("csrf", history.field("csrf") ?? ""), ("message", "x")]
            )
            #expect(sent.status == .forbidden)
            #expect(try await browser.get(ConsolePath.apiKeys.path).status == .forbidden)
            #expect(!history.text.contains(ConsolePath.settings.path))
        }
    }

    @Test("assets come with their type and stay in the browser's cache")
    func assets() async throws {
        try await ConsoleBrowser.open { browser in
            let files = WebFiles.embedded
            let page = try await browser.get(files.address(of: "console/console.css"))
            #expect(page.headers[.contentType] == "text/css; charset=utf-8")
            #expect(page.headers[.cacheControl]?.contains("immutable") == true)
            let old = try await browser.get("/assets/000000/console/console.css")
            #expect(old.headers[.cacheControl] == "no-store")
            #expect(try await browser.get("/assets/x/console/../x.css").status == .notFound)
        }
    }

    @Test("the export holds every push of the filter, and no formula")
    func export() async throws {
        try await ConsoleBrowser.open(.large) { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf") ?? ""
            _ = try await browser.post(
                ConsolePath.sendPush.path,
                [
                    ("csrf", csrf), ("title", "=1+1"), ("message", "a, \"b\""),
                    ("audience", "everyone"),
                ]
            )
            let file = try await browser.get(ConsolePath.exportPushes.path)
            #expect(file.headers[.contentType] == "text/csv; charset=utf-8")
            let lines = file.text.split(separator: "\r\n")
            #expect(lines.count == 242)
            #expect(lines[1].contains(",'=1+1,\"a, \"\"b\"\"\","))
            let done = try await browser.get(
                ConsolePath.exportPushes.query(FormFields([("state", "cancelled")]))
            )
            #expect(done.text.split(separator: "\r\n").count == 2)
        }
    }
}
