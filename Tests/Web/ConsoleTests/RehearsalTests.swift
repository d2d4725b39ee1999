import Console
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing
import WebPages

@Suite("Rehearsals in the console")
struct RehearsalTests {
    /// Every Monday from 24 December on, and paused.
    private static let weekly = ConsolePath.rehearsal(.campaign, "4").path

    /// Begins one and waits for its end.
    private func rehearse(
        _ browser: inout ConsoleBrowser,
        _ path: String,
        _ fields: [(name: String, value: String)]
    ) async throws -> ConsoleBrowser.Page {
        let csrf = try await browser.get(path).field("csrf") ?? ""
        let begun = try await browser.post(path, [("csrf", csrf)] + fields)
        #expect(begun.status == .seeOther, "\(begun.text)")
        #expect(begun.location == path)
        while true {
            let page = try await browser.get(path)
            guard page.text.contains("data-refresh=\"0\"") else {
                try await Task.sleep(for: .milliseconds(20))
                continue
            }
            return page
        }
    }

    @Test(
        "a campaign is rehearsed from its page, in the console's language, also by a viewer",
        arguments: [
            ("en", "Messages by day"), ("ja", "日別のメッセージ"), ("pt-BR", "Mensagens por dia"),
        ]
    )
    func campaign(language: String, heading: String) async throws {
        try await ConsoleBrowser.open(.small) { browser, store in
            browser.language = language
            try await browser.logIn("viewer@example.com")
            let detail = try await browser.get(ConsolePath.campaign("4").path)
            #expect(detail.text.contains("href=\"\(Self.weekly)\""))
            let before = try await store.campaigns(in: .init(1), matching: .init(limit: 10))
            let page = try await rehearse(
                &browser,
                Self.weekly,
                [("from", "2026-12-20T00:00"), ("days", "14"), ("seed", "1")]
            )
            #expect(page.text.contains("<h2>\(heading)</h2>"))
            #expect(page.text.contains("class=\"rehearsal-day\""))
            #expect(page.text.contains("<title>Weekly menu"))
            #expect(!page.text.contains("style=\"") && !page.text.contains("⟦"))
            #expect(page.text.utf8.count < 300_000)
            // The text is that of the command, and everybody's.
            let text = try await browser.get(ConsolePath.rehearsalText(.campaign, "4").path)
            #expect(text.text.hasPrefix("Rehearsal of 14 days from 2026-12-"))
            #expect(text.text.contains("campaign 'Weekly menu': "))
            #expect(text.headers[.contentDisposition]?.contains("attachment") == true)
            // Nothing of it happened.
            let after = try await store.campaigns(in: .init(1), matching: .init(limit: 10))
            #expect(after.campaigns == before.campaigns)
            let (records, _) = try await store.audit(in: .init(1), matching: .init(limit: 50))
            #expect(records.contains { $0.action == "campaign_rehearsed" })
        }
    }

    @Test("a journey is rehearsed from its page")
    func journey() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let path = ConsolePath.rehearsal(.journey, "1").path
            #expect(try await browser.get(ConsolePath.journey("1").path).text.contains(path))
            let page = try await rehearse(&browser, path, [("days", "3")])
            #expect(page.text.contains("<h2>Messages by day</h2>"))
            #expect(page.text.contains("3 days from"))
            // One that begins after the days that are played.
            let weekly = try await rehearse(
                &browser,
                Self.weekly,
                [("from", "2026-03-02T00:00"), ("days", "7")]
            )
            #expect(
                weekly.text.contains("“Weekly menu” itself sends nothing in these days.")
                    || weekly.text.contains("Nobody gets anything.")
            )
        }
    }

    @Test("what cannot be rehearsed is said at its field, and nothing begins")
    func faults() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(Self.weekly).field("csrf") ?? ""
            for (fields, text) in [
                ([("days", "61")], "60"), ([("days", "0")], "60"), ([("days", "x")], "60"),
                ([("from", "2036-01-01T00:00")], "within a year"),
                ([("from", "soon")], "within a year"),
                ([("seed", "-1")], "whole number"),
            ] {
                let page = try await browser.post(Self.weekly, [("csrf", csrf)] + fields)
                #expect(page.status == .unprocessableContent, "\(fields)")
                #expect(page.text.contains("aria-invalid=\"true\""), "\(fields)")
                #expect(page.text.contains(text), "\(fields)")
                #expect(page.text.contains("data-refresh=\"0\""))
            }
            for path in [
                ConsolePath.rehearsal(.campaign, "4711").path,
                ConsolePath.rehearsal(.journey, "4711").path,
                ConsolePath.rehearsal(.campaign, "x").path,
                ConsolePath.rehearsalText(.campaign, "4").path,
            ] {
                #expect(try await browser.get(path).status == .notFound, "\(path)")
            }
        }
    }

    @Test("while one is played it can be stopped, and another one is refused")
    func stopped() async throws {
        try await ConsoleBrowser.open(.large) { browser in
            try await browser.logIn()
            let csrf = try await browser.get(Self.weekly).field("csrf") ?? ""
            _ = try await browser.post(Self.weekly, [("csrf", csrf), ("days", "60")])
            let other = ConsolePath.rehearsal(.campaign, "1").path
            let refused = try await browser.post(other, [("csrf", csrf)])
            #expect(refused.text.contains("Another rehearsal is being played"))
            #expect(refused.text.contains("“Weekly menu” is being rehearsed now"))
            let playing = try await browser.get(Self.weekly)
            #expect(playing.text.contains("data-refresh=\"2\""))
            #expect(playing.text.contains("<progress"))
            let stop = ConsolePath.stopRehearsal(.campaign, "4").path
            #expect(try await browser.post(stop, [("csrf", csrf)]).location == Self.weekly)
            while true {
                let page = try await browser.get(Self.weekly)
                guard page.text.contains("data-refresh=\"0\"") else {
                    try await Task.sleep(for: .milliseconds(20))
                    continue
                }
                #expect(page.text.contains("The rehearsal was stopped."))
                break
            }
        }
    }

    @Test("a draft that is not saved is said to be left out")
    func drafts() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let note = "changes that are not saved"
            #expect(try await !browser.get(Self.weekly).text.contains(note))
            let editor = try await browser.get(ConsolePath.editCampaign("4").path)
            let draft = try #require(editor.field("draft"))
            let kept = try await browser.post(
                ConsolePath.draft(.campaign, draft).path,
                [
                    ("csrf", editor.field("csrf") ?? ""), ("draft", draft), ("subject", "4"),
                    ("name", "Weekly menu!"),
                ]
            )
            #expect(kept.status == .ok, "\(kept.text)")
            #expect(try await browser.get(Self.weekly).text.contains(note))
        }
    }
}
