import Foundation
import Model
import Rehearsals
import Testing

@Suite("The text of a rehearsal")
struct RehearsalTextTests {
    private static let people = ["external_id,language,time_zone", "ada,en,UTC", "ben,<b>,UTC"]

    @Test("is compared line by line, with what stands around a difference")
    func difference() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            try await fixture.campaign("Tea & <cake>", try RehearsalFixture.daily("10:00"))
            let text = RehearsalText(try await fixture.play(days: 3).result)
            #expect(text.difference(from: text.text).isEmpty)
            let changed = text.text.replacing(
                "campaign 'Tea & <cake>': 6",
                with: "campaign 'Tea & <cake>': 5"
            )
            let lines = text.difference(from: changed, context: 1)
            #expect(lines.contains("- campaign 'Tea & <cake>': 5 messages"))
            #expect(lines.contains("+ campaign 'Tea & <cake>': 6 messages"))
            #expect(lines.filter { $0.hasPrefix("  ") }.count == 2)
            #expect(lines.first == "…" && lines.last == "…")
            #expect(text.difference(from: "").count > 10)
        }
    }

    @Test("says day by day what is sent to whom, in the order of time")
    func days() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            try await fixture.campaign("Late", try RehearsalFixture.daily("18:00"))
            try await fixture.campaign("Early", try RehearsalFixture.daily("10:00"))
            let text = try await fixture.play(days: 1).text
            let day = try #require(text.range(of: "2026-03-02\n"))
            let rest = text[day.upperBound...]
            let early = try #require(rest.range(of: "10:00  campaign 'Early'"))
            let late = try #require(rest.range(of: "18:00  campaign 'Late'"))
            #expect(early.lowerBound < late.lowerBound)
            #expect(rest.contains("sent 2: <b> 1, en 1; ios 2"))
            #expect(rest.contains("ada: Tea is ready"))
        }
    }

    @Test("and its page show what people have written as text, never as markup")
    func page() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            try await fixture.campaign(
                "Tea & <cake>",
                try RehearsalFixture.daily("10:00"),
                [RehearsalFixture.variant("A", "<script>alert(1)</script>")]
            )
            let page = RehearsalPage(try await fixture.play(days: 3).result).html
            #expect(
                !page.contains("<script>") && !page.contains("<cake>") && !page.contains("<b> ")
            )
            #expect(page.contains("Tea &amp; &lt;cake&gt;, 2026-03-03: 2"))
            #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        }
    }
}
