import Console
import ConsoleSamples
import HTTPTypes
import Testing
import WebPages

@Suite struct CampaignPageTests {
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

    @Test("a campaign is reviewed, saved and activated with everything that was chosen")
    func wizard() async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            let review = try await browser.post(
                ConsolePath.reviewCampaign.path,
                [("csrf", csrf)] + fields()
            )
            #expect(review.status == .ok)
            for text in [
                "Leaves fall", "Tea is warm", "A (2), B (1)", "10%", "2027-01-31 09:30",
                "Each user’s own time", "bought · 2 days", "it is not sent",
            ] {
                let plain = text.replacing("’", with: "'")
                #expect(
                    review.text.contains(text) || review.text.contains(plain)
                        || review.text.contains(plain.replacing("'", with: "&#39;")),
                    "\(text)"
                )
            }
            #expect(review.field("v0.android.message") == "Leaves!")
            let saved = try await browser.post(
                ConsolePath.saveCampaign.path,
                [("csrf", csrf), ("step", "activate")] + fields()
            )
            #expect(saved.status == .seeOther)
            let page = try await browser.get(ConsolePath.campaign("1").path)
            #expect(page.text.contains("Active"))
            let edit = try await browser.get(ConsolePath.editCampaign("1").path)
            #expect(edit.field("v0.android.message") == nil || edit.text.contains("Leaves!"))
            #expect(edit.field("day") == "2027-01-31")
            #expect(edit.field("againDays") == "7")
            let stopped = try await browser.post(
                ConsolePath.campaignStep("1", "stop").path,
                [("csrf", csrf)]
            )
            #expect(stopped.headers[.location]?.hasSuffix("notice=campaign-stopped") == true)
            let again = try await browser.post(
                ConsolePath.campaignStep("1", "pause").path,
                [("csrf", csrf)]
            )
            #expect(again.headers[.location]?.hasSuffix("notice=campaign-moved") == true)
        }
    }

    @Test(
        "what is wrong is said at its place and everything typed stays",
        arguments: [
            ("name", "", "Give it a name."), ("v1.message", " ", "Write a message."),
            ("v0.url", "nowhere", "Begin with a scheme"), ("controlShare", "100", "from 0 to 99"),
            ("day", "", "Choose a day and a time."), ("againDays", "x", "from 0 to 366"),
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
            #expect(try await browser.get(ConsolePath.push(13).path).text.contains("User yuki"))
            let refused = try await browser.post(
                ConsolePath.testPush.path,
                [("csrf", csrf), ("message", ""), ("previewUser", "yuki")]
            )
            #expect(refused.text.contains("\"isSent\":false"))
            #expect(refused.text.contains("Write a message."))
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
            #expect(limited.text.contains("at most 20 users"))
        }
    }

    @Test("a service’s refusal comes back to the wizard")
    func refused() async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            let taken = fields().map { $0.name == "name" ? ("name", "taken") : ($0.name, $0.value) }
            let page = try await browser.post(
                ConsolePath.saveCampaign.path,
                [("csrf", csrf)] + taken
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("is taken"))
        }
    }
}
