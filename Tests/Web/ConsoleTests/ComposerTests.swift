import Console
import Foundation
import HTTPTypes
import Model
import Ports
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
            let form = try await browser.get(ConsolePath.newPush.path)
            let csrf = form.field("csrf")
            let draft = try #require(form.field("draft"))
            let push: Fields = [
                ("draft", draft), ("title", "Café <b>"), ("message", "Hi {{${first_name}}}"),
                ("url", "aoi://menu"), ("key", "screen"), ("value", "menu"), ("badge", "clear"),
                ("audience", "user"), ("user", "yuki"), ("timing", "now"),
            ]
            let kept = try await browser.post(
                ConsolePath.reviewPush.path,
                Self.fields(csrf, push)
            )
            #expect(kept.location == ConsolePath.reviewDraft(.push, draft).path)
            let review = try await browser.get(kept.location ?? "")
            #expect(review.status == .ok)
            #expect(!review.text.contains("autofocus"))
            #expect(review.text.contains("Send to 1 user<"))
            #expect(review.text.contains("Café &lt;b&gt;"))
            #expect(review.text.contains("screen = menu") || review.text.contains("screen &#x3D;"))
            let sent = try await browser.post(ConsolePath.sendPush.path, Self.fields(csrf, push))
            #expect(sent.location == "/console/push/13?notice=push-sent")
            // Again, from another window, from the history of the browser: it is the same push.
            let again = try await browser.post(ConsolePath.sendPush.path, Self.fields(csrf, push))
            #expect(again.location == "/console/push/13")
            for path in [ConsolePath.draft(.push, draft), .reviewDraft(.push, draft)] {
                #expect(try await browser.get(path.path).location == "/console/push/13")
            }
            let detail = try await browser.get(sent.location ?? "")
            #expect(detail.text.contains("The push is released."))
            let history = try await browser.get(ConsolePath.pushHistory.path)
            #expect(history.text.contains("Café &lt;b&gt;"))
        }
    }

    @Test("a push story is written page by page, reviewed, sent and shown with its pages")
    func story() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn("marketer@example.com")
            let form = try await browser.get(ConsolePath.newPush.path)
            func push(_ pages: Int, _ more: Fields = []) -> Fields {
                let draft: Fields = [("draft", form.field("draft") ?? "")]
                let text: Fields = [
                    ("title", "Teas"), ("message", "Three of them"), ("audience", "user"),
                    ("user", "yuki"), ("timing", "now"), ("badge", "unchanged"),
                ]
                let rows = (0..<10).flatMap { index -> Fields in
                    let isThere = index < pages
                    return [
                        ("storyImage", isThere ? "https://example.com/\(index).png" : ""),
                        ("storyTitle", isThere ? "Tea {{${first_name}}} \(index)" : ""),
                        ("storySubtitle", ""), ("storyURL", isThere ? "tea://\(index)" : ""),
                    ]
                }
                return Self.fields(form.field("csrf"), draft + text + rows + more)
            }
            for wrong in [push(2), push(3, [("buttons", "more")])] {
                let refused = try await browser.post(ConsolePath.reviewPush.path, wrong)
                #expect(refused.status == .unprocessableContent)
                #expect(refused.text.contains("href=\"#story\""))
            }
            let review = try await browser.post(ConsolePath.reviewPush.path, push(3))
            #expect(
                try await browser.get(review.location ?? "").text.contains(
                    "https://example.com/2.png"
                )
            )
            let sent = try await browser.post(ConsolePath.sendPush.path, push(3))
            let page = try await browser.get(sent.location ?? "")
            #expect(page.text.contains("Opens by page"))
            #expect(page.text.contains("data-story-page=\"3\""))
            #expect(!page.text.contains("data-story-page=\"4\""))
            let last = try #require(sent.location?.split(separator: "/").last)
            let number = try #require(Int64(last.prefix { $0 != "?" }))
            let send = try #require(try await store.send(SendID(number)))
            #expect(send.content.message.story?.map(\.uri) == ["tea://0", "tea://1", "tea://2"])
            #expect(send.content.message.category == nil)
            // Opened again, the form shows the pages as they are.
            let copy = try await browser.get(ConsolePath.duplicatePush(String(number)).path)
            #expect(copy.text.contains("value=\"https://example.com/2.png\""))
        }
    }

    @Test("what is written is kept, and found again under its address until it is discarded")
    func draft() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let form = try await browser.get(ConsolePath.newPush.path)
            let draft = try #require(form.field("draft"))
            let address = ConsolePath.draft(.push, draft).path
            let push: Fields = [
                ("draft", draft), ("title", "Half a tho"), ("message", ""),
                ("audience", "user"), ("user", "yuki"),
            ]
            let saved = try await browser.post(address, Self.fields(form.field("csrf"), push))
            #expect(saved.status == .ok)
            #expect(saved.text.contains("Draft saved at"))
            let history = try await browser.get(ConsolePath.pushHistory.path)
            #expect(history.text.contains("Half a tho"))
            let page = try await browser.get(address)
            #expect(page.text.contains("value=\"Half a tho\""))
            // A review of what is not complete says what is missing.
            let review = try await browser.get(ConsolePath.reviewDraft(.push, draft).path)
            #expect(review.status == .unprocessableContent)
            let discarded = try await browser.post(
                ConsolePath.discardDraft(.push, draft).path,
                Self.fields(form.field("csrf"), [])
            )
            #expect(discarded.location == "/console/push?notice=draft-discarded")
            #expect(try await browser.get(address).status == .notFound)
        }
    }

    @Test("what was changed after its review is reviewed again before it is sent")
    func changedDraft() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let form = try await browser.get(ConsolePath.newPush.path)
            let draft = try #require(form.field("draft"))
            let csrf = form.field("csrf")
            var push: Fields = [
                ("draft", draft), ("message", "Reviewed"), ("audience", "everyone"),
            ]
            _ = try await browser.post(ConsolePath.reviewPush.path, Self.fields(csrf, push))
            let reviewed = push
            push[1].value = "Changed in another window"
            _ = try await browser.post(
                ConsolePath.draft(.push, draft).path,
                Self.fields(csrf, push)
            )
            let sent = try await browser.post(
                ConsolePath.sendPush.path,
                Self.fields(csrf, reviewed)
            )
            #expect(
                sent.location
                    == ConsolePath.reviewDraft(.push, draft).path + "?notice=draft-changed"
            )
            let history = try await browser.get(ConsolePath.pushHistory.path)
            #expect(!history.text.contains("/console/push/13"))
        }
    }

    @Test("lines are lines, whether a script has stored them or a browser sends them")
    func lineEnds() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn("marketer@example.com")
            let form = try await browser.get(ConsolePath.newPush.path)
            let draft = try #require(form.field("draft"))
            func push(_ message: String) -> Fields {
                Self.fields(
                    form.field("csrf"),
                    [("draft", draft), ("message", message), ("audience", "everyone")]
                )
            }
            let stored = ConsolePath.draft(.push, draft).path
            _ = try await browser.post(stored, push("One\n\nTwo"))
            let review = try await browser.get(ConsolePath.reviewDraft(.push, draft).path)
            #expect(review.field("message") == "One\n\nTwo")
            let sent = try await browser.post(ConsolePath.sendPush.path, push("One\r\n\r\nTwo"))
            #expect(sent.location == "/console/push/13?notice=push-sent")
            let send = try #require(try await store.send(SendID(13)))
            #expect(send.content.message.body == "One\n\nTwo")
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

    @Test(
        "an address that a page would run and no app can open is refused",
        arguments: ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x"]
    )
    func runnable(address: String) async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            let page = try await browser.post(
                ConsolePath.reviewPush.path,
                Self.fields(
                    csrf,
                    [("message", "Tea"), ("url", address), ("audience", "everyone")]
                )
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("<a href=\"#url\">"))
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
            #expect(page.text.contains("” does not end with }}"))
        }
    }

    @Test(
        "segment and filters are one choice, which without its kind is never everyone",
        arguments: [
            ("contacts", "menu_viewed", 303), ("contacts", "", 422), ("filter", "", 422),
            ("", "", 422), ("everyone", "", 422),
        ]
    )
    func matching(kind: String, event: String, status: Int) async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            let page = try await browser.post(
                ConsolePath.reviewPush.path,
                Self.fields(
                    csrf,
                    [
                        ("message", "Tea"), ("audience", "matching"), ("filterBy", kind),
                        ("eventName", event),
                    ]
                )
            )
            #expect(page.status.code == status)
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
            #expect(late.location?.hasSuffix("push-moved") == true)
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
            for (segment, isKnown) in [("1", true), ("9223372036854775807", false)] {
                let page = try await browser.post(
                    ConsolePath.pushReach.path,
                    Self.fields(csrf, [("audience", "segment"), ("segment", segment)])
                )
                #expect(page.status == .ok)
                #expect(page.headers[.contentType] == "application/json")
                #expect(page.text.contains("\"action\"") == isKnown)
                #expect(page.text.contains("\"faults\"") != isKnown)
            }
        }
    }

    @Test("a push in several languages is written in tabs, reviewed, sent and copied")
    func languages() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let settings = try await browser.get(ConsolePath.workspace.path)
            let changed = settings.form(ConsolePath.workspace.path).map {
                name,
                value -> (name: String, value: String) in
                (name, name == "languages" ? "en ja" : value)
            }
            #expect(changed.contains { $0.value == "en ja" })
            _ = try await browser.post(ConsolePath.workspace.path, changed)
            let form = try await browser.get(ConsolePath.newPush.path)
            #expect(form.text.contains("name=\"lang.ja.message\""))
            #expect(form.text.contains("日本語"))
            let csrf = form.field("csrf")
            let push: Fields = [
                ("draft", form.field("draft") ?? ""), ("title", "Tea"), ("message", "Hello"),
                ("lang.ja.title", "お茶"), ("lang.ja.message", "{{${first_name}}}さん"),
                ("lang.en.message", ""), ("lang.pt.message", "Olá"), ("shownLanguage", "ja"),
                ("audience", "user"), ("user", "yuki"), ("timing", "now"), ("badge", "unchanged"),
                ("previewUser", "yuki"),
            ]
            let preview = try await browser.post(
                ConsolePath.previewPush.path,
                Self.fields(csrf, push)
            )
            #expect(preview.text.contains("\"message\":\"Yukiさん\""))
            let every = try await browser.post(
                ConsolePath.everyPreview.path,
                Self.fields(csrf, push + [("platform", "android")])
            )
            for text in ["English", "日本語", "Português", "Yukiさん", "Olá", "every android"] {
                #expect(every.text.contains(text), "\(text)")
            }
            let kept = try await browser.post(
                ConsolePath.reviewPush.path,
                Self.fields(csrf, push)
            )
            let review = try await browser.get(kept.location ?? "")
            #expect(review.text.contains("日本語 · Português"))
            #expect(review.field("lang.ja.title") == "お茶")
            _ = try await browser.post(ConsolePath.sendPush.path, Self.fields(csrf, push))
            let send = try #require(try await store.send(SendID(13)))
            #expect(
                send.content.message.translations == [
                    "ja": PushTranslation(title: "お茶", body: "{{${first_name}}}さん"),
                    "pt": PushTranslation(body: "Olá"),
                ]
            )
            let copy = try await browser.get(ConsolePath.duplicatePush("13").path)
            #expect(copy.text.contains("{{${first_name}}}さん"))
        }
    }

    @Test("the preview names what the user lacks, and users to look through come from the audience")
    func sampled() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf")
            func preview(_ message: String) async throws -> String {
                let page = try await browser.post(
                    ConsolePath.previewPush.path,
                    Self.fields(csrf, [("message", message), ("previewUser", "yuki")])
                )
                return page.text
            }
            #expect(try await preview("Hi {{${gender}}}").contains("This user has no gender."))
            for whole in ["{{${first_name}}}", "{{${gender} | default: 'you'}}", "Tea"] {
                #expect(try await !preview(whole).contains("This user has no"), "\(whole)")
            }
            struct User: Decodable {
                let value: String
                let name: String
            }
            func users(_ seed: String, _ audience: Fields) async throws -> [User] {
                let answer = try await browser.post(
                    ConsolePath.pushSample.path,
                    Self.fields(csrf, [("seed", seed)] + audience)
                )
                return try JSONDecoder().decode([User].self, from: Data(answer.text.utf8))
            }
            let everyone: Fields = [("audience", "everyone")]
            let first = try await users("0.1", everyone)
            #expect(first.count > 1 && Set(first.map(\.value)).count == first.count)
            #expect(try await users("0.1", everyone).map(\.value) == first.map(\.value))
            let yuki: Fields = [("audience", "filter"), ("filter", #"external_id = "yuki""#)]
            for seed in ["0", "0.5", "0.999", "nonsense", "-7"] {
                #expect(try await users(seed, yuki).map(\.value) == ["yuki"])
            }
            #expect(try await users("0", [("audience", "filter"), ("filter", "(")]).isEmpty)
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
