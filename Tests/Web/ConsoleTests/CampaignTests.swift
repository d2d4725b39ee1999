import Console
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing
import WebPages

@Suite struct CampaignEditorPageTests {
    private func fields(_ more: [(String, String)] = []) -> [(name: String, value: String)] {
        [
            ("name", "Autumn"), ("v0.name", "A"), ("v0.weight", "2"), ("v0.title", "Hello"),
            ("v0.message", "Leaves fall"), ("v0.android.message", "Leaves!"),
            ("v1.name", "B"), ("v1.message", "Tea is warm"), ("audience", "everyone"),
            ("badge", "unchanged"), ("controlShare", "10"), ("conversionEvent", "bought"),
            ("conversionDays", "2"), ("delivery", "scheduled"), ("day", "2027-01-31"),
            ("time", "09:30"), ("clock", "local"), ("repeats", "weekly"), ("weekday", "1"),
            ("weekday", "5"), ("again", "after"), ("againDays", "7"), ("quietHours", "drop"),
        ] + more.map { (name: $0.0, value: $0.1) }
    }

    private static let draft = "7C1C2F0E-52A7-4B0C-9A57-0F3E1B0A9D11"

    @Test("a campaign is reviewed, saved and activated with everything that was chosen")
    func wizard() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            let kept = try await browser.post(
                ConsolePath.reviewCampaign.path,
                [("csrf", csrf), ("draft", Self.draft)] + fields()
            )
            #expect(kept.location == ConsolePath.reviewDraft(.campaign, Self.draft).path)
            let review = try await browser.get(kept.location ?? "")
            #expect(review.status == .ok)
            for text in [
                "Leaves fall", "Tea is warm", "A 66.7% · B 33.3%", "10%", "Jan 31, 2027",
                "User’s local time", "bought · 2 days", "don’t send", "iOS 32",
                "Japanese 26", "about 29 users",
            ] {
                let plain = text.replacing("’", with: "'")
                #expect(
                    review.text.contains(text) || review.text.contains(plain)
                        || review.text.contains(plain.replacing("'", with: "&#39;")),
                    "\(text)"
                )
            }
            #expect(review.field("v0.android.message") == "Leaves!")
            // Nothing is pressed by a key that was meant for the page before.
            #expect(!review.text.contains("autofocus"))
            let saving = [
                ("csrf", csrf), ("draft", Self.draft), ("step", "activate"),
            ]
            // What nobody has reviewed does not begin.
            let unseen = try await browser.post(
                ConsolePath.saveCampaign.path,
                saving + fields([("rate", "10")])
            )
            #expect(unseen.location?.contains("/review?notice=draft-changed") == true)
            #expect(try await browser.get(ConsolePath.campaign("5").path).status == .notFound)
            let saved = try await browser.post(ConsolePath.saveCampaign.path, saving + fields())
            #expect(saved.location?.hasSuffix("/campaigns/5?notice=campaign-activated") == true)
            let page = try await browser.get(ConsolePath.campaign("5").path)
            #expect(page.text.contains("Active"))
            // The overview says what is on its way, and when.
            let overview = try await browser.get(ConsolePath.overview.path)
            let link = try #require(overview.text.range(of: "campaigns/5\">Autumn</a>"))
            #expect(overview.text[link.upperBound...].prefix(400).contains("2027-0"))
            let edit = try await browser.get(ConsolePath.editCampaign("5").path)
            #expect(edit.field("v0.android.message") == nil || edit.text.contains("Leaves!"))
            #expect(edit.field("day") == "2027-01-31")
            #expect(edit.field("againDays") == "7")
            let stopped = try await browser.post(
                ConsolePath.campaignStep("5", "stop").path,
                [("csrf", csrf)]
            )
            #expect(stopped.headers[.location]?.hasSuffix("notice=campaign-stopped") == true)
            #expect(
                try await browser.get(ConsolePath.overview.path).text
                    .contains("campaigns/5\">") == false
            )
            let again = try await browser.post(
                ConsolePath.campaignStep("5", "pause").path,
                [("csrf", csrf)]
            )
            #expect(again.headers[.location]?.hasSuffix("notice=campaign-moved") == true)
        }
    }

    @Test("lines are lines, whether a script has stored them or a browser sends them")
    func lineEnds() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            func campaign(_ message: String) -> [(name: String, value: String)] {
                [("csrf", csrf), ("draft", Self.draft)]
                    + fields().map { $0.name == "v0.message" ? ($0.name, message) : $0 }
            }
            let stored = ConsolePath.draft(.campaign, Self.draft).path
            _ = try await browser.post(stored, campaign("Leaves\nfall"))
            let saved = try await browser.post(
                ConsolePath.saveCampaign.path,
                campaign("Leaves\r\nfall")
            )
            #expect(saved.location?.hasSuffix("/campaigns/5?notice=campaign-saved") == true)
            let content = try #require(try await store.campaign(CampaignID(5))).content
            #expect(content.variants.first?.message.common.message.body == "Leaves\nfall")
        }
    }

    private func pages(_ prefix: String, _ name: String) -> [(String, String)] {
        (1...3).flatMap { page in
            [
                ("\(prefix)storyImage", "https://example.com/\(name)\(page).png"),
                ("\(prefix)storyTitle", ""), ("\(prefix)storySubtitle", ""),
                ("\(prefix)storyURL", ""),
            ]
        }
    }

    @Test("a variant has the story of all variants or pages of its own, and keeps what it had")
    func ownStory() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            func save(_ more: [(String, String)], _ id: String? = nil) async throws -> [[String]] {
                let answer = try await browser.post(
                    ConsolePath.saveCampaign.path,
                    [("csrf", csrf), ("step", "save")] + fields(more)
                )
                #expect(answer.location?.contains("/campaigns/5") == true, "\(answer.text)")
                let campaign = try #require(try await store.campaign(CampaignID(5)))
                return campaign.content.variants.map {
                    ($0.message.common.message.story ?? []).map {
                        String($0.image.split(separator: "/").last ?? "")
                    }
                }
            }
            let own = try await save(pages("", "all") + pages("v1.", "b"))
            #expect(
                own == [["all1.png", "all2.png", "all3.png"], ["b1.png", "b2.png", "b3.png"]]
            )
            let edit = try await browser.get(ConsolePath.editCampaign("5").path)
            #expect(edit.text.contains(#"name="v1.storyImage" value="https://example.com/b1.png""#))
            #expect(edit.text.contains(#"name="storyImage" value="https://example.com/all1.png""#))
            #expect(edit.text.contains(#"name="v0.storyImage" value="""#))
            let wrong = try await browser.post(
                ConsolePath.reviewCampaign.path,
                [("csrf", csrf), ("draft", Self.draft)]
                    + fields(Array(pages("v1.", "b").prefix(8)))
            )
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("href=\"#v1.story\""))
        }
    }

    @Test("a stored campaign begins only through its review, and once")
    func activation() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            _ = try await browser.post(ConsolePath.saveCampaign.path, [("csrf", csrf)] + fields())
            let review = ConsolePath.activateCampaign("5").path
            for path in [ConsolePath.campaignStep("5", "activate").path, review] {
                let answer = try await browser.post(path, [("csrf", csrf)])
                #expect(answer.location == review)
            }
            let detail = try await browser.get(ConsolePath.campaign("5").path).text
            #expect(detail.contains("Draft"))
            #expect(!detail.contains("step&#x2F;activate") && !detail.contains("step/activate"))
            let page = try await browser.get(review)
            #expect(page.text.contains("32 users"))
            let version = try #require(page.field("version"))
            let stale = try await browser.post(review, [("csrf", csrf), ("version", "1")])
            #expect(stale.location == review + "?notice=draft-changed")
            for _ in 1...2 {
                let answer = try await browser.post(
                    review,
                    [("csrf", csrf), ("version", version)]
                )
                #expect(answer.location?.hasPrefix(ConsolePath.campaign("5").path) == true)
            }
            #expect(try await browser.get(ConsolePath.campaign("5").path).text.contains("Active"))
        }
    }

    @Test(
        "what is wrong is said at its place and everything typed stays",
        arguments: [
            ("name", "", "Enter a name."), ("v1.message", " ", "Enter a message."),
            ("v0.url", "nowhere", "Start with a scheme"), ("controlShare", "100", "from 0 to 99"),
            ("day", "", "Choose a date and time."), ("againDays", "x", "from 0 to 366"),
            ("conversionDays", "31", "from 1 to 30"), ("v0.weight", "-1", "from 0 to 1,000"),
        ]
    )
    func faults(field: String, value: String, text: String) async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            let changed = fields().map { $0.name == field ? (field, value) : ($0.name, $0.value) }
            let all = changed.contains { $0.0 == field } ? changed : changed + [(field, value)]
            let page = try await browser.post(
                ConsolePath.reviewCampaign.path,
                [("csrf", csrf)] + all
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains(text))
            #expect(page.text.contains("Leaves fall"))
            #expect(page.text.contains("Leaves!"))
        }
    }

    @Test("a test goes to the user of the preview at once, or says what is missing")
    func test() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf") ?? ""
            let sent = try await browser.post(
                ConsolePath.testPush.path,
                [("csrf", csrf), ("message", "Hello"), ("previewUser", "yuki")]
            )
            #expect(sent.text.contains("\"isSent\":true"))
            #expect(try await browser.get(ConsolePath.push(13).path).text.contains("yuki"))
            let refused = try await browser.post(
                ConsolePath.testPush.path,
                [("csrf", csrf), ("message", ""), ("previewUser", "yuki")]
            )
            #expect(refused.text.contains("\"isSent\":false"))
            #expect(refused.text.contains("Enter a message."))
            let several = try await browser.post(
                ConsolePath.testPush.path,
                [("csrf", csrf), ("message", "Hello"), ("testUsers", "yuki,, ana")]
            )
            #expect(several.text.contains("on its way to ana, yuki."))
            let crowd = (1...21).map { "user-\($0)" }.joined(separator: ",")
            let limited = try await browser.post(
                ConsolePath.testPush.path,
                [("csrf", csrf), ("message", "Hello"), ("testUsers", crowd)]
            )
            #expect(limited.text.contains("up to 20 users"))
        }
    }

    @Test("a service’s refusal comes back to the wizard")
    func refused() async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            let broken = fields().map {
                $0.name == "v1.message" ? ("v1.message", "{% if") : ($0.name, $0.value)
            }
            let page = try await browser.post(
                ConsolePath.saveCampaign.path,
                [("csrf", csrf)] + broken
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("href=\"#v1.message\""))
        }
    }
}
