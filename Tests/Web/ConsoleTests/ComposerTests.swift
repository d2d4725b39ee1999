import Console
import ConsoleSamples
import HTTPTypes
import Testing
import WebPages

@Suite struct ComposerTests {
    private typealias Fields = [(name: String, value: String)]

    private static func fields(_ csrf: String?, _ more: Fields) -> Fields {
        [("csrf", csrf ?? "")] + more
    }

    @Test("write, review, send: the push is in the history")
    func send() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            let push: Fields = [
                ("title", "Café <b>"), ("message", "Hi {{${first_name}}}"),
                ("url", "aoi://menu"), ("key", "screen"), ("value", "menu"), ("badge", "clear"),
                ("audience", "user"), ("user", "yuki"), ("timing", "now"),
            ]
            let review = try await browser.post(
                ConsolePath.reviewPush.path,
                Self.fields(csrf, push)
            )
            #expect(review.status == .ok)
            #expect(review.text.contains("Send to 1 user<"))
            #expect(review.text.contains("Café &lt;b&gt;"))
            #expect(review.text.contains("screen = menu") || review.text.contains("screen &#x3D;"))
            let sent = try await browser.post(ConsolePath.sendPush.path, Self.fields(csrf, push))
            #expect(sent.location == "/console/push/13?notice=push-sent")
            let detail = try await browser.get(sent.location ?? "")
            #expect(detail.text.contains("The push is on its way."))
            let history = try await browser.get(ConsolePath.pushHistory.path)
            #expect(history.text.contains("Café &lt;b&gt;"))
        }
    }

    @Test("a form with mistakes comes back as typed, each field marked and linked from the top")
    func mistakes() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            let page = try await browser.post(
                ConsolePath.reviewPush.path,
                Self.fields(
                    csrf,
                    [
                        ("title", "Kept"), ("message", " "), ("url", "no scheme"),
                        ("key", "aps"), ("value", "1"), ("badge", "set"), ("badgeNumber", "many"),
                        ("audience", "user"), ("user", ""), ("timing", "later"),
                        ("deliverAt", "2020-01-01T10:00"), ("customJSON", "{not json"),
                    ]
                )
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("value=\"Kept\""))
            #expect(page.text.contains("{not json"))
            let fields = ["message", "url", "pairs", "badge", "user", "deliverAt", "customJSON"]
            for field in fields {
                #expect(page.text.contains("<a href=\"#\(field)\">"), "\(field)")
                #expect(page.text.contains("id=\"\(field)\""), "\(field)")
            }
            #expect(page.text.contains("Choose a time in the future."))
        }
    }

    @Test("the renderer's complaint stands at the message")
    func renderer() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            let page = try await browser.post(
                ConsolePath.reviewPush.path,
                Self.fields(csrf, [("message", "Hi {{${first_name}"), ("audience", "everyone")])
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("the variable is not closed"))
        }
    }

    @Test("a form without the session's token, or from another site, changes nothing")
    func forgery() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            let push: Fields = [("message", "x"), ("audience", "everyone")]
            let bare = try await browser.post(ConsolePath.sendPush.path, push)
            #expect(bare.status == .forbidden)
            let name = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let foreign = try await browser.post(
                ConsolePath.sendPush.path,
                Self.fields(csrf, push),
                headers: [name: "cross-site"]
            )
            #expect(foreign.status == .forbidden)
            let history = try await browser.get(ConsolePath.pushHistory.path)
            #expect(!history.text.contains("/console/push/13"))
        }
    }

    @Test("a reserved push can be cancelled, a done one cannot")
    func cancel() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.push(12).path)
            let fields: Fields = [("csrf", page.field("csrf") ?? "")]
            let cancelled = try await browser.post(ConsolePath.cancelPush("12").path, fields)
            #expect(cancelled.location?.hasSuffix("push-cancelled") == true)
            let late = try await browser.post(ConsolePath.cancelPush("9").path, fields)
            #expect(late.location?.hasSuffix("push-too-late") == true)
        }
    }

    @Test("a copy carries the content, not the time")
    func duplicate() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.duplicatePush("9").path)
            #expect(page.status == .ok)
            #expect(page.text.contains("https://aoi.example/menu/9"))
            #expect(page.text.contains("name=\"timing\" value=\"now\" checked"))
        }
    }

    @Test("the reach of a segment that there is not is a fault of the form, not of the server")
    func reach() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            for (segment, status) in [
                ("1", HTTPResponse.Status.ok), ("9223372036854775807", .unprocessableContent),
            ] {
                let page = try await browser.post(
                    ConsolePath.pushReach.path,
                    Self.fields(csrf, [("audience", "segment"), ("segment", segment)])
                )
                #expect(page.status == status)
                #expect(page.headers[.contentType] == "application/json")
            }
        }
    }

    @Test("the preview answers with the drawn texts and the size")
    func preview() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            let page = try await browser.post(
                ConsolePath.previewPush.path,
                Self.fields(csrf, [("message", "Hi {{${first_name}}}"), ("previewUser", "yuki")])
            )
            #expect(page.headers[.contentType] == "application/json")
            #expect(page.text.contains("\"message\":\"Hi Yuki\""))
            #expect(page.text.contains("of 4,096 bytes"))
        }
    }
}
