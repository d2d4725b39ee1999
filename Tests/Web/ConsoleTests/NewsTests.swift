import Console
import HTTPTypes
import SampleWorkspace
import Testing
import WebPages

@Suite struct NewsPageTests {
    @Test("a written item is published, listed, and its Push button fills in the composer")
    func publish() async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newNews.path).field("csrf") ?? ""
            let saved = try await browser.post(
                ConsolePath.newNews.path,
                [
                    ("csrf", csrf), ("title", "We are open"), ("text", "From Monday on"),
                    ("url", "teahouse://open"), ("tenant", "shop"), ("tags", "tea, 東京、cake"),
                    ("publication", "now"),
                ]
            )
            #expect(saved.status == .seeOther)
            #expect(saved.headers[.location]?.hasSuffix("notice=news-published") == true)
            let list = try await browser.get(ConsolePath.news.path)
            #expect(list.text.contains("We are open"))
            let item = try await browser.get(ConsolePath.newsItem("1").path)
            #expect(item.field("tags") == "tea, 東京, cake")
            let push = try await browser.get(
                ConsolePath.newPush.query(
                    FormFields([
                        ("newsID", "1"), ("newsTenant", "shop"), ("message", "We are open"),
                    ])
                )
            )
            #expect(item.text.contains("newsID=1&amp;newsTenant=shop&amp;message=We%20are%20open"))
            #expect(push.field("newsID") == "1")
            #expect(push.field("newsTenant") == "shop")
        }
    }

    @Test("what is wrong is said at its field, and what was typed stays")
    func faults() async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            browser.language = "ja"
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newNews.path).field("csrf") ?? ""
            let page = try await browser.post(
                ConsolePath.newNews.path,
                [
                    ("csrf", csrf), ("title", ""), ("attributes", "[1]"), ("text", "Typed"),
                    ("publication", "later"), ("releaseFrom", ""), ("releaseEnd", "x"),
                ]
            )
            #expect(page.status == .unprocessableContent)
            for text in ["タイトルを入力してください。", "日時を指定してください。", "Typed", "JSON オブジェクト"] {
                #expect(page.text.contains(text))
            }
        }
    }

    @Test("every change is in the log with its author")
    func audit() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newNews.path).field("csrf") ?? ""
            _ = try await browser.post(
                ConsolePath.newNews.path,
                [("csrf", csrf), ("title", "Logged item"), ("publication", "draft")]
            )
            _ = try await browser.post(
                ConsolePath.deleteNews("2").path,
                [("csrf", csrf)]
            )
            let log = try await browser.get(ConsolePath.auditLog.path)
            #expect(log.text.contains("Logged item"))
            #expect(log.text.contains("News deleted"))
            #expect(log.text.contains("messages.send"))
            let query = FormFields([("author", "shop backend")])
            let filtered = try await browser.get(ConsolePath.auditLog.query(query))
            #expect(!filtered.text.contains("Logged item"))
            #expect(filtered.text.contains("messages.send"))
        }
    }
}
