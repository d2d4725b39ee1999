import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Testing
import WebPages

@testable import Console

@Suite("Goals with conditions") struct GoalFormTests {
    private static let stored = [
        ConversionEvent(
            event: EventMatch(
                .purchase(product: "sencha"),
                conditions: [
                    PropertyCondition("price", .greaterThan, .integer(9_007_199_254_740_993)),
                    PropertyCondition("coupon", .doesNotExist, .null),
                ]
            ),
            window: 123_456
        ),
        ConversionEvent(event: EventMatch(.custom(name: "rated"))),
        ConversionEvent(
            event: EventMatch(
                .custom(name: "rated"),
                conditions: [PropertyCondition("stars", .equals, .string("5"))]
            )
        ),
    ]

    @Test("a form that is saved as it was opened keeps every goal as it was")
    func untouched() throws {
        try #require(CampaignForm.conversionLimit > Self.stored.count)
        let goals = Self.stored.map(GoalForm.init)
        let fields: [(name: String, value: String)] = (goals + [GoalForm()]).flatMap { goal in
            [("conversionEvent", goal.event), ("conversionDays", goal.days)]
                + (goal.conditions + [JourneyPropertyRow()]).flatMap {
                    [
                        ("conversion.property", $0.property),
                        ("conversion.comparison", $0.comparison.rawValue),
                        ("conversion.propertyValue", $0.value),
                    ]
                }
        }
        let read = GoalForm.all(FormFields(fields), name: "conversion")
        #expect(read == goals + [GoalForm()])
        for (goal, stored) in zip(read, Self.stored) {
            #expect(goal.goal(changing: stored, days: Int(goal.days) ?? 0) == stored)
        }
    }

    @Test("a changed goal keeps what its fields do not show")
    func changed() {
        var form = GoalForm(Self.stored[0])
        form.conditions.removeLast()
        let changed = form.goal(changing: Self.stored[0], days: 1)
        #expect(changed.event.kind == .purchase(product: "sencha"))
        #expect(changed.event.conditions == [Self.stored[0].event.conditions[0]])
        #expect(changed.window == 123_456)
        form.event = "rated"
        form.days = "2"
        let other = form.goal(changing: Self.stored[0], days: 2)
        #expect(other.event.kind == .custom(name: "rated"))
        #expect(other.window == 172_800)
    }

    @Test("a campaign's conversions have conditions, which its review and its page say")
    func campaign() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.newCampaign.path).field("csrf") ?? ""
            func fields(_ value: String) -> [(name: String, value: String)] {
                [
                    ("csrf", csrf), ("draft", "7C1C2F0E-52A7-4B0C-9A57-0F3E1B0A9D12"),
                    ("name", "Autumn"), ("v0.message", "Leaves fall"), ("audience", "everyone"),
                    ("delivery", "api"), ("conversionEvent", "bought"), ("conversionDays", "2"),
                    ("conversion.property", "price"),
                    ("conversion.comparison", "greater_than"),
                    ("conversion.propertyValue", value), ("conversion.property", ""),
                    ("conversion.comparison", "equals"), ("conversion.propertyValue", ""),
                ]
            }
            let wrong = try await browser.post(ConsolePath.reviewCampaign.path, fields(""))
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("Enter a value for “price”."))
            let kept = try await browser.post(ConsolePath.reviewCampaign.path, fields("10"))
            let review = try await browser.get(kept.location ?? "")
            #expect(review.text.contains("bought (price is more than 10) · 2 days"))
            #expect(review.field("conversion.propertyValue") == "10")
            _ = try await browser.post(
                ConsolePath.saveCampaign.path,
                fields("10") + [("step", "save")]
            )
            let workspace = try #require(try await store.workspaces().first).id
            let saved = try #require(
                try await store.campaigns(in: workspace, matching: .init(limit: 100)).campaigns
                    .first { $0.content.name == "Autumn" }
            )
            #expect(
                saved.content.conversions.first?.event.conditions
                    == [PropertyCondition("price", .greaterThan, .integer(10))]
            )
            let page = try await browser.get(ConsolePath.editCampaign("\(saved.id)").path)
            #expect(page.text.contains("name=\"conversion.property\" value=\"price\""))
        }
    }

    @Test("an in-app message's goal has conditions, and stays as it was")
    func inApp() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            let id = SampleWorkspace.id(1)
            var stored = try #require(try await store.inAppMessage(id, in: workspace))
            stored.goal = Self.stored[0]
            #expect(try await store.updateInAppMessage(stored))
            let page = try await browser.get(ConsolePath.editInApp(id.uuidString).path)
            let same = try await browser.post(
                ConsolePath.saveInApp.path,
                page.form(ConsolePath.saveInApp.path) + [("step", "save")]
            )
            #expect(same.status == .seeOther)
            #expect(try await store.inAppMessage(id, in: workspace)?.goal == Self.stored[0])
            let again = try await browser.get(ConsolePath.editInApp(id.uuidString).path)
            var changed = again.form(ConsolePath.saveInApp.path)
            let field = try #require(changed.firstIndex { $0.name == "goal.propertyValue" })
            changed[field].value = "12.5"
            let answer = try await browser.post(
                ConsolePath.saveInApp.path,
                changed + [("step", "save")]
            )
            #expect(answer.status == .seeOther)
            let goal = try await store.inAppMessage(id, in: workspace)?.goal
            #expect(goal?.event.conditions.first?.value == .number(12.5))
            #expect(goal?.event.kind == .purchase(product: "sencha"))
        }
    }
}
