import Console
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Testing
import WebPages

@Suite("Saved reports in the console")
struct SavedReportTests {
    private static let question = [
        ("unit", "day"), ("length", "30"), ("step", "session"), ("stepProperty", ""),
        ("stepTest", "is"), ("stepValue", ""), ("step", "event:menu_viewed"),
        ("stepProperty", "shelf"), ("stepTest", "is"), ("stepValue", "tea"), ("window", "2"),
        ("windowUnit", "day"), ("exclude", "purchase"), ("excludeAfter", "1"),
        ("excludeBefore", "2"), ("constant", ""), ("by", "country"),
    ].map { (name: $0.0, value: $0.1) }

    private func save(
        _ fields: [(name: String, value: String)],
        _ browser: inout ConsoleBrowser
    ) async throws -> ConsoleBrowser.Page {
        let page = try await browser.get(ConsolePath.saveReport.query(FormFields(fields)))
        #expect(page.status == .ok)
        let shown = page.form(ConsolePath.saveReport.path)
        let typed = Set(fields.map(\.name))
        return try await browser.post(
            ConsolePath.saveReport.path,
            shown.filter { !typed.contains($0.name) || $0.name == "kind" }
                + fields.filter { $0.name != "kind" }
        )
    }

    @Test("a funnel is saved with all that its form says, and opened as it was")
    func funnel() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let fields =
                [(name: "kind", value: "funnel"), (name: "name", value: "To the menu")]
                + Self.question
            let answer = try await save(fields, &browser)
            #expect(answer.status == .seeOther, "\(answer.text)")
            let workspace = try #require(try await store.workspaces().first).id
            let report = try #require(try await store.savedReports(in: workspace).first)
            let content = report.content
            #expect(content.kind == "funnel")
            #expect(content.question["window_seconds"] == 172_800)
            #expect(
                content.question["steps"] == [
                    ["session": true],
                    [
                        "event": "menu_viewed",
                        "where": [["property": "shelf", "test": "equal", "value": "tea"]],
                    ],
                ]
            )
            #expect(
                content.question["exclusions"]
                    == [["purchase": [], "after_step": 1, "before_step": 2]]
            )
            let id = report.id.uuidString.lowercased()
            let opened = try await browser.get(ConsolePath.savedReport(id).path)
            #expect(opened.status == .seeOther)
            let page = try await browser.get(try #require(opened.location))
            #expect(page.status == .ok)
            #expect(page.text.contains("name=\"stepProperty\" value=\"shelf\""))
            #expect(page.text.contains("<option value=\"purchase\" selected>"))
            let list = try await browser.get(ConsolePath.savedReports.path)
            #expect(list.text.contains("To the menu"))
            for (format, beginning) in [("csv", "\u{FEFF}group_kind"), ("json", "{\"columns\":")] {
                let file = try await browser.get(ConsolePath.savedReportFile(id, format).path)
                #expect(file.text.hasPrefix(beginning), "\(format): \(file.text.prefix(40))")
            }
        }
    }

    @Test("what the form cannot show is a table, and a change of its name keeps the question")
    func beyond() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            let now = SampleWorkspace.now
            let report = SavedReport(
                id: SampleWorkspace.id(7),
                workspace: workspace,
                content: SavedReport.Content(
                    name: "Many",
                    kind: "retention",
                    question: [
                        "unit": "day", "length": 3, "intervals": 60, "first": ["session": true],
                        "returning": ["session": true],
                    ]
                ),
                author: "Ada",
                createdAt: now,
                updatedAt: now
            )
            try await store.saveReport(report, noting: nil)
            let id = report.id.uuidString.lowercased()
            let page = try await browser.get(ConsolePath.savedReport(id).path)
            #expect(page.status == .ok)
            #expect(page.text.contains("This report asks for more than the form shows."))
            #expect(page.text.contains("<th scope=\"col\">interval_60</th>"))
            let answer = try await save(
                [(name: "saved", value: id), (name: "name", value: "Very many")],
                &browser
            )
            #expect(answer.status == .seeOther, "\(answer.text)")
            let kept = try #require(try await store.savedReport(report.id, in: workspace))
            #expect(kept.content.name == "Very many")
            #expect(kept.content.question == report.content.question)
            let form = try await browser.get(ConsolePath.savedReports.path)
                .form(ConsolePath.deleteReport(id).path)
            let deleted = try await browser.post(ConsolePath.deleteReport(id).path, form)
            #expect(deleted.status == .seeOther)
            #expect(try await store.savedReports(in: workspace).isEmpty)
        }
    }

    @Test("a report on the overview shows its figure; what cannot be saved stays in the form")
    func overview() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let fields = [
                ("kind", "series"), ("name", "Visits"), ("figure", "session"), ("length", "400"),
                ("onOverview", "yes"),
            ].map { (name: $0.0, value: $0.1) }
            #expect(try await save(fields, &browser).status == .seeOther)
            let overview = try await browser.get(ConsolePath.overview.path)
            #expect(overview.text.contains("Visits</a></dt>"))
            let again = try await save(fields + [(name: "address", value: "no address")], &browser)
            #expect(again.status == .unprocessableContent)
            #expect(again.text.contains("value=\"no address\""))
            let taken = try await save(fields, &browser)
            #expect(taken.status == .unprocessableContent)
            #expect(taken.text.contains("value=\"Visits\""))
            #expect(taken.text.contains("name=\"figure\" value=\"session\""))
        }
    }
}
