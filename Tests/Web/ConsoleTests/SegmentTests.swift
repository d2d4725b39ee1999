import Console
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
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
            let kept = try await browser.post(
                ConsolePath.reviewPush.path,
                [("csrf", csrf), ("message", "Hi"), ("audience", "segment"), ("segment", "3")]
            )
            let review = try await browser.get(kept.location ?? "")
            #expect(review.text.contains("Night owls"))
            _ = try await browser.post(ConsolePath.deleteSegment("3").path, [("csrf", csrf)])
            #expect(try await browser.get(ConsolePath.segment("3").path).status == .notFound)
        }
    }

    @Test("a segment's page draws its size over the last 90 days")
    func history() async throws {
        try await ConsoleBrowser.open(.empty) { browser, store in
            try await browser.logIn("marketer@example.com")
            let csrf = try await browser.get(ConsolePath.newSegment.path).field("csrf") ?? ""
            _ = try await browser.post(
                ConsolePath.newSegment.path,
                [("csrf", csrf), ("name", "Night owls"), ("condition", "city = \"Kyoto\"")]
            )
            let workspace = try #require(try await store.workspaces().first)
            let segment = try #require(try await store.segments(in: workspace.id).first).id
            let path = ConsolePath.segment(segment).path
            let offset = workspace.zone.secondsFromGMT(for: SampleWorkspace.now)
            let today = Int(SampleWorkspace.now.timeIntervalSince1970 + Double(offset)) / 86_400
            // Today's is counted by the server itself.
            try await store.saveSegmentSizes([segment: 12], day: today - 1)
            try await store.saveSegmentSizes([segment: 7], day: today - 89)
            // Longer ago than is shown.
            try await store.saveSegmentSizes([segment: 99], day: today - 90)
            let page = try await browser.get(path)
            #expect(page.text.contains("Size over the last 90 days"))
            #expect(page.text.contains("<td class=\"right\">12</td>"))
            #expect(page.text.contains("<td class=\"right\">7</td>"))
            #expect(!page.text.contains("<td class=\"right\">99</td>"))
            // A new one has no history.
            let new = try await browser.get(ConsolePath.newSegment.path)
            #expect(!new.text.contains("Size over"))
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
            #expect(page.text.contains("line 1, column 8"))
            #expect(page.text.contains("value=\"Broken\""))
            let probe = try await browser.post(ConsolePath.probeSegment.path, fields)
            #expect(probe.text.contains("\"fault\":\"line 1"))
        }
    }

    @Test("rows that cannot be a condition come back as typed with what is wrong")
    func brokenRows() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let csrf = try await browser.get(ConsolePath.newSegment.path).field("csrf") ?? ""
            let page = try await browser.post(
                ConsolePath.newSegment.path,
                [
                    ("csrf", csrf), ("name", "Broken"), ("eventName", "bought"),
                    ("eventDone", "done"), ("eventDays", "2026-01-31T08:30"),
                ]
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("value=\"Broken\""))
            #expect(page.text.contains("value=\"2026-01-31T08:30\""))
        }
    }

    @Test(
        "whom an unfinished audience reaches is no count and no failure",
        arguments: [ConsolePath.pushReach, .inAppReach]
    )
    func unfinishedAudience(path: ConsolePath) async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let csrf = try await browser.get(ConsolePath.newPush.path).field("csrf") ?? ""
            let answer = try await browser.post(
                path.path,
                [("csrf", csrf), ("audience", "filter")]
            )
            #expect(answer.status == .ok)
            #expect(answer.text.contains("\"faults\":[{"))
            #expect(answer.text.contains("a filter starts with a name"))
        }
    }

    @Test("the values of an attribute are suggested, those of most users first")
    func values() async throws {
        struct Value: Decodable {
            let value: String
            let users: String
        }
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("viewer@example.com")
            func asked(_ name: String) async throws -> [Value] {
                let query = FormFields([("attribute", name)])
                let answer = try await browser.get(ConsolePath.attributeValues.query(query))
                #expect(answer.status == .ok)
                return try JSONDecoder().decode([Value].self, from: Data(answer.text.utf8))
            }
            let cities = try await asked("city")
            #expect(Set(cities.map(\.value)) == ["Kyoto", "Osaka"])
            #expect(try await asked("shops").map(\.value).sorted() == ["gion", "kyoto"])
            let stamps = try await asked("stamps")
                .compactMap { Int($0.users.prefix { $0.isNumber }) }
            #expect(stamps.count > 2 && stamps == stamps.sorted(by: >))
            for name in ["", "country", "never said", "session_count", "a.b"] {
                #expect(try await asked(name).allSatisfy { !$0.value.isEmpty })
            }
            #expect(try await asked("never said").isEmpty)
            let editor = try await browser.get(ConsolePath.segment("1").path)
            #expect(editor.text.contains("data-values=\"\(ConsolePath.attributeValues.path)\""))
        }
    }

    @Test("rows and text of a condition follow each other")
    func builder() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let editor = try await browser.get(ConsolePath.segment("1").path)
            #expect(editor.text.contains("value=\"Kyoto\""))
            let csrf = editor.field("csrf") ?? ""
            let built = try await browser.post(
                ConsolePath.probeSegment.path,
                [
                    ("csrf", csrf), ("from", "rows"), ("attributeName", "country"),
                    ("attributeTest", "is"), ("attributeValue", "JP"),
                    ("eventName", "bought"), ("eventDone", "not"), ("eventDays", "7"),
                ]
            )
            #expect(
                built.text.contains(
                    #"country = \"JP\" and event bought not done in last 7 days"#
                )
            )
            let read = try await browser.post(
                ConsolePath.probeSegment.path,
                [("csrf", csrf), ("from", "text"), ("condition", #"event "bought" count >= 3"#)]
            )
            #expect(read.text.contains("bought"))
            #expect(read.text.contains("rows"))
        }
    }

    @Test("groups are drawn, saved without a script, and unknown names are marked with the nearest")
    func groups() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let csrf = try await browser.get(ConsolePath.newSegment.path).field("csrf") ?? ""
            let fields: [(name: String, value: String)] = [
                ("csrf", csrf), ("name", "Not these"), ("attributeName", "country"),
                ("attributeTest", "is"), ("attributeValue", "JP"), ("group1.join", "none"),
                ("group1.attributeName", "stampz"), ("group1.attributeTest", "at_least"),
                ("group1.attributeValue", "3"),
            ]
            let saved = try await browser.post(ConsolePath.newSegment.path, fields)
            #expect(saved.location == "/console/segments?notice=segment-saved")
            let page = try await browser.get(ConsolePath.segment("3").path)
            #expect(page.text.contains("country = &quot;JP&quot; and not stampz &gt;= 3"))
            #expect(page.text.contains("<option value=\"none\" selected>But none of these"))
            #expect(page.text.contains("name=\"group1.attributeName\" value=\"stampz\""))
            #expect(page.text.contains("Did you mean “stamps”?"))
            let probe = try await browser.post(
                ConsolePath.probeSegment.path,
                fields + [("from", "rows")]
            )
            struct Answer: Decodable {
                struct Unknown: Decodable {
                    let name: String
                    let nearest: String?
                    let event: Bool
                }
                let condition: String
                let unknown: [Unknown]
            }
            let answer = try JSONDecoder().decode(Answer.self, from: Data(probe.text.utf8))
            #expect(answer.condition == #"country = "JP" and not stampz >= 3"#)
            #expect(answer.unknown.map(\.nearest) == ["stamps"])
        }
    }

    @Test("an attribute's comparisons are those of its values")
    func comparisons() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            let query = FormFields([("condition", "stamps >= 3 and nosuch = 1")])
            let page = try await browser.get(ConsolePath.newSegment.query(query))
            #expect(page.text.contains("<option value=\"stamps\" data-kind=\"number\">"))
            #expect(page.text.contains("<option value=\"dob\" data-kind=\"date\">"))
            #expect(page.text.contains("data-kind=\"list\" hidden>"))
            // Of an unknown attribute all can be chosen, as in a browser without scripts.
            #expect(page.text.contains("data-kind=\"list\">"))
            #expect(page.text.contains("selected>is at least</option>"))
        }
    }

    @Test("a list is uploaded, renamed and deleted, and says which ids are of no user")
    func lists() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("marketer@example.com")
            #expect(
                try await browser.get(ConsolePath.segments.path).text.contains("segments/lists")
            )
            let csrf = try await browser.get(ConsolePath.lists.path).field("csrf") ?? ""
            let page = try await browser.upload(
                ConsolePath.lists.path,
                [("csrf", csrf), ("name", "Winter")],
                file: ("file", "winter.csv", "yuki\nana\nnobody\n")
            )
            #expect(page.text.contains("List uploaded with 2 users."))
            #expect(page.text.contains("1 ID doesn&#39;t match a user: nobody"))
            let empty = try await browser.upload(
                ConsolePath.lists.path,
                [("csrf", csrf), ("name", "Winter")],
                file: ("file", "winter.csv", "")
            )
            #expect(empty.status == .unprocessableContent)
            let renamed = try await browser.post(
                ConsolePath.renameList("2").path,
                [("csrf", csrf), ("name", "Winter 2026")]
            )
            #expect(renamed.location == "/console/segments/lists?notice=list-saved")
            #expect(try await browser.get(ConsolePath.lists.path).text.contains("Winter 2026"))
            let deleted = try await browser.post(
                ConsolePath.deleteList("2").path,
                [("csrf", csrf)]
            )
            #expect(deleted.location == "/console/segments/lists?notice=list-deleted")
            let again = try await browser.post(
                ConsolePath.deleteList("2").path,
                [("csrf", csrf)]
            )
            #expect(again.status == .notFound)
            try await browser.logIn("viewer@example.com")
            let refused = try await browser.upload(
                ConsolePath.lists.path,
                [("csrf", csrf), ("name", "Winter")],
                file: ("file", "winter.csv", "yuki")
            )
            #expect(refused.status == .forbidden)
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

    @Test(
        "the palette finds campaigns, in-app messages and news by what they are called",
        arguments: [
            ("クーポン", "console\\/campaigns\\/2"), ("cart rem", "console\\/campaigns\\/3"),
            ("秋の", "console\\/in-app\\/00000000-0000-4000-8000-000000000002"),
            ("sábado", "console\\/in-app\\/00000000-0000-4000-8000-000000000003"),
        ]
    )
    func writtenContent(text: String, address: String) async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("viewer@example.com")
            let hits = try await browser.get(
                ConsolePath.palette.query(FormFields([("text", text)]))
            )
            #expect(hits.text.contains(address))
        }
    }

    @Test("the palette finds a news item by its title")
    func news() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn("viewer@example.com")
            let item = try await browser.get(ConsolePath.newsItem("2").path)
            let title = try #require(item.text.firstMatch(of: /<h1>([^<]+)/)).1
            let hits = try await browser.get(
                ConsolePath.palette.query(FormFields([("text", String(title))]))
            )
            #expect(hits.text.contains("console\\/news\\/2"))
        }
    }
}
