import Console
import Foundation
import HTTPTypes
import SampleWorkspace
import Testing
import WebPages

@Suite("The calendar's page")
struct CalendarTests {
    private func month(_ text: String) -> String {
        ConsolePath.calendar.query(FormFields([("month", text)]))
    }

    @Test("shows whole weeks of a month, and leads to the ones beside it; no month is this one")
    func months() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let february = try await browser.get(month("2027-02"))
            #expect(february.text.contains("<h1>February 2027</h1>"))
            #expect(february.text.components(separatedBy: "data-day=").count == 29)
            #expect(february.text.contains("month=2027-01"))
            #expect(february.text.contains("month=2027-03"))
            let this = try await browser.get(ConsolePath.calendar.path)
            #expect(this.text.contains("aria-current=\"date\""))
            for strange in ["", "2027-13", "0000-01", "x", "99999-01", "2027-02-01"] {
                let page = try await browser.get(month(strange))
                #expect(page.status == .ok, "\(strange)")
            }
            let first = try await browser.get(month("0001-01"))
            #expect(!first.text.contains("rel=\"prev\""))
            let last = try await browser.get(month("9999-12"))
            #expect(!last.text.contains("rel=\"next\""))
        }
    }

    @Test("a push is moved to another day by its form, and stands there afterwards")
    func moved() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            // The last one of the sample is reserved.
            let number = 12
            let before = try await browser.get(month("2026-01"))
            #expect(before.text.contains("data-subject=\"push:\(number)\""))
            let csrf = before.field("csrf") ?? ""
            let answer = try await browser.post(
                ConsolePath.moveOnCalendar.path,
                [
                    ("csrf", csrf), ("subject", "push:\(number)"), ("day", "2026-01-21"),
                    ("month", "2026-01"),
                ]
            )
            #expect(answer.status == .seeOther)
            let after = try await browser.get(month("2026-01"))
            let cell = after.text.split(separator: "data-day=\"2026-01-21\"").last?
                .split(separator: "data-day=").first
            #expect(cell?.contains("push:\(number)") == true)
        }
    }

    @Test("a move that cannot be is refused in words, and moves nothing")
    func refused() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            for (subject, day) in [
                ("push:9", "2030-01-01"), ("push:99999", "2030-01-01"), ("mood:1", "2030-01-01"),
                ("campaign:x", "2030-01-01"), ("campaign:2", ""), ("", "2030-02-30"),
            ] {
                let page = try await browser.post(
                    ConsolePath.moveOnCalendar.path,
                    [
                        ("csrf", csrf), ("subject", subject), ("day", day),
                        ("month", "2027-02"),
                    ]
                )
                #expect(page.status == .ok, "\(subject)")
                #expect(page.text.contains("role=\"alert\""), "\(subject)")
                #expect(page.text.contains("<h1>February 2027</h1>"))
            }
        }
    }
}
