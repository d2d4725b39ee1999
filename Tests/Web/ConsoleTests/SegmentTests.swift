import Console
import ConsoleSamples
import HTTPTypes
import Testing
import WebPages

@Suite struct SegmentTests {
    @Test("a segment is written, saved, used by a push and deleted")
    func life() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let csrf = try await browser.get(ConsolePath.newSegment.path).field("csrf") ?? ""
            let saved = try await browser.post(
                ConsolePath.newSegment.path,
                [("csrf", csrf), ("name", "Night owls"), ("condition", "city = \"Kyoto\"")]
            )
            #expect(saved.location == "/console/segments?notice=segment-saved")
            let review = try await browser.post(
                ConsolePath.reviewPush.path,
                [("csrf", csrf), ("message", "Hi"), ("audience", "segment"), ("segment", "3")]
            )
            #expect(review.text.contains("Night owls"))
            _ = try await browser.post(ConsolePath.deleteSegment("3").path, [("csrf", csrf)])
            #expect(try await browser.get(ConsolePath.segment("3").path).status == .notFound)
        }
    }

    @Test("a condition that cannot be read comes back with its place")
    func broken() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newSegment.path).field("csrf") ?? ""
            let fields = [
                (name: "csrf", value: csrf), (name: "name", value: "Broken"),
                (name: "condition", value: "city = \"Kyo"),
            ]
            let page = try await browser.post(ConsolePath.newSegment.path, fields)
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("line 1, column 11"))
            #expect(page.text.contains("value=\"Broken\""))
            let probe = try await browser.post(ConsolePath.probeSegment.path, fields)
            #expect(probe.text.contains("\"fault\":\"line 1"))
        }
    }

    @Test("the palette finds pages by their names and users by their ids")
    func palette() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("viewer@example.com")
            let query = FormFields([("text", "seg")])
            let pages = try await browser.get(ConsolePath.palette.query(query))
            #expect(pages.text.contains("console\\/segments"))
            #expect(!pages.text.contains("segments\\/new"))
            let users = try await browser.get(
                ConsolePath.palette.query(FormFields([("text", "yuki")]))
            )
            #expect(users.text.contains("Yuki Tanaka"))
        }
    }
}
