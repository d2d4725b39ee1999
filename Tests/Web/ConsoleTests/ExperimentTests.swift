import Experiments
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing
import WebPages

@testable import Campaigns
@testable import Console

@Suite("What the page says of an experiment")
struct ExperimentTests {
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)

    private func content(_ change: (inout CampaignContent) -> Void = { _ in }) -> CampaignContent {
        var content = CampaignContent(
            name: "Morning tea",
            variants: ["A", "B"].enumerated().map { number, name in
                var variant = CampaignVariant(
                    apiID: UUID(),
                    name: name,
                    message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                )
                variant.number = number + 5
                return variant
            }
        )
        content.conversions = [
            ConversionEvent(event: EventMatch(.custom(name: "bought")), window: 3_600)
        ]
        change(&content)
        return content
    }

    private func part(
        _ groups: [Int?: (users: Int, converted: Int)],
        _ content: CampaignContent,
        choice: ExperimentRecord.Choice? = nil,
        language: Language = .english
    ) throws -> CampaignExperimentPart {
        let record = ExperimentRecord(
            design: ExperimentDesign(content),
            since: Self.start,
            launches: 1,
            lastDueAt: Self.start,
            groups: groups.mapValues {
                ExperimentRecord.Group(users: $0.users, converted: [$0.converted])
            },
            choice: choice
        )
        let words = try Localizations(console: .embedded)[language]
        return try #require(
            CampaignExperimentPart(
                CampaignExperiment(
                    content,
                    record,
                    texts: [],
                    smallestLift: 0.1,
                    at: Self.start.addingTimeInterval(60)
                ),
                of: content,
                words: words
            ) { _ in "noon" }
        )
    }

    @Test("which one is better stands in a sentence, with how much and how sure")
    func winner() throws {
        let groups: [Int?: (users: Int, converted: Int)] = [
            5: (10_000, 1_000), 6: (10_000, 1_300),
        ]
        let english = try part(groups, content())
        #expect(english.answer.hasPrefix("B converts better than A: +30% (between +"))
        #expect(english.notes == ["Users can still convert until noon."])
        #expect(english.alarm == nil)
        #expect(english.primary.groups.map(\.rate) == ["10%", "13%"])
        #expect(english.primary.comparisons.map(\.outcome) == ["Better"])
        // The picture agrees with the figures: all of the interval is right of no difference.
        let picture = try #require(english.primary.comparisons[0].picture)
        let places = [picture.zero ?? "", picture.low, picture.value, picture.high]
            .compactMap(Double.init)
        #expect(places.count == 4 && places == places.sorted())
        let japanese = try part(groups, content(), language: .japanese)
        #expect(japanese.answer.hasPrefix("BはAよりコンバージョン率が高いです：+30%（+"))
        let portuguese = try part(groups, content(), language: .portuguese)
        #expect(portuguese.answer.hasPrefix("B converte melhor do que A: +30"))
    }

    @Test("what is not known says what is missing, and no difference is an answer")
    func others() throws {
        let early = try part([5: (100, 10), 6: (100, 12)], content())
        #expect(early.answer == "It is not known yet which is better.")
        #expect(
            early.notes.first?.hasSuffix("more users are needed to find a lift of 10%.") == true
        )
        let none = try part([5: (400_000, 40_000), 6: (400_000, 40_100)], content())
        #expect(none.answer.hasPrefix("There is no difference worth having"))
    }

    @Test("sending nothing can be what is better")
    func control() throws {
        let withControl = content { $0.controlShare = 50 }
        let part = try part(
            [nil: (20_000, 3_000), 5: (10_000, 1_000), 6: (10_000, 1_010)],
            withControl
        )
        #expect(part.answer == "Control group converts better than every other group.")
        // Nobody opens what was not sent.
        #expect(part.others.first?.groups.map(\.name) == ["A", "B"])
    }

    @Test("a split that is not as drawn is said before anybody believes the rest")
    func split() throws {
        let part = try part([5: (6_000, 600), 6: (4_000, 400)], content())
        let alarm = try #require(part.alarm)
        #expect(alarm.contains("A has 60% in place of 50%"))
    }

    @Test("where everybody is in the control group nothing is compared, and no variant is a group")
    func onlyControl() throws {
        let content = content { $0.controlShare = 100 }
        let experiment = CampaignExperiment(
            content,
            ExperimentRecord(
                design: ExperimentDesign(content),
                since: Self.start,
                launches: 1,
                groups: [nil: ExperimentRecord.Group(users: 20, converted: [20])]
            ),
            texts: [],
            smallestLift: 0.1,
            at: Self.start
        )
        #expect(experiment.groups.map(\.identity) == [.control])
        #expect(experiment.split == nil)
        #expect(experiment.requiredUsers(baseline: 0.1) == nil)
        #expect(experiment.primary?.experiment.verdict == .nothingToCompare)
        let words = try Localizations(console: .embedded)[.english]
        #expect(CampaignExperimentPart(experiment, of: content, words: words) { _ in "" } == nil)
    }

    @Test("refunds and a group in which everybody did it are drawn with figures")
    func extremes() throws {
        let content = content {
            $0.controlShare = 10
            $0.conversions = [
                ConversionEvent(event: EventMatch(.purchase(product: nil)), window: 3_600)
            ]
        }
        let record = ExperimentRecord(
            design: ExperimentDesign(content),
            since: Self.start,
            launches: 1,
            lastDueAt: Self.start,
            groups: [
                nil: .init(users: 1, converted: [1], revenue: -20, squaredRevenue: 400),
                5: .init(users: 40, converted: [40], revenue: 0, squaredRevenue: 800),
                6: .init(users: 0, converted: [0]),
            ]
        )
        let experiment = CampaignExperiment(
            content,
            record,
            texts: [],
            smallestLift: 0.1,
            at: Self.start
        )
        let words = try Localizations(console: .embedded)[.english]
        let part = try #require(
            CampaignExperimentPart(experiment, of: content, words: words) { _ in "noon" }
        )
        #expect(part.primary.groups.map(\.rate) == ["100%", "100%", "–"])
        #expect(part.others[0].groups.map(\.rate) == ["-20", "0", "–"])
        let pictures = ([part.primary] + part.others).flatMap { measure in
            measure.groups.compactMap(\.picture) + measure.comparisons.compactMap(\.picture)
        }
        for picture in pictures {
            let places = [picture.low, picture.value, picture.high].compactMap(Double.init)
            #expect(places.count == 3 && places == places.sorted(), "\(picture)")
            let areInside = places.allSatisfy { (0...100).contains($0) }
            #expect(areInside, "\(picture)")
        }
    }

    @Test("what the rest of a test got is shown, and whether that was proved")
    func choice() throws {
        for (isProven, end) in [
            (true, "which won the test."), (false, "a difference was not proved."),
            (nil, "All others got B."),
        ] as [(Bool?, String)] {
            let part = try part(
                [5: (100, 10), 6: (100, 12)],
                content(),
                choice: .init(variant: 6, isProven: isProven)
            )
            #expect(part.notes.contains { $0.hasSuffix(end) }, "\(part.notes)")
        }
    }

    @Test("a campaign's page draws it, with a table behind each picture")
    func page() async throws {
        try await ConsoleBrowser.open { browser, store in
            let id = CampaignID(4)
            _ = try await store.transitionCampaign(
                id,
                from: [.paused],
                to: .active,
                nextDueAt: nil,
                now: SampleWorkspace.now
            )
            let campaign = try #require(try await store.campaign(id))
            try await launch(campaign, store)
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.campaign("4").path)
            #expect(page.status == .ok)
            for text in [
                "It is not known yet which is better.", "table_reserved", "class=\"interval\"",
                "A against Control group", "B against A", "Users needed",
            ] { #expect(page.text.contains(text), "\(text)") }
        }
    }

    /// Plans a launch whose users take turns in the two variants and the control group.
    private func launch(_ campaign: Campaign, _ store: any Store) async throws {
        let now = SampleWorkspace.now.addingTimeInterval(-60)
        let outcome = try await store.launch(
            LaunchRequest(
                campaign: campaign.id,
                key: "a",
                dueAt: now,
                content: campaign.launchContent("a"),
                scheduledAt: now
            ),
            now: now
        )
        guard case .launched(let send) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        _ = try await store.startPlanningDueSends(now: now)
        let users = try await store.profiles(in: campaign.workspace, after: nil, limit: 100)
        let recipients = try await store.recipients(
            users,
            in: campaign.workspace,
            reaching: DeviceTargeting(),
            campaign: campaign.id,
            contactsSince: now,
            before: nil
        ).filter { !$0.devices.isEmpty }
        #expect(recipients.count > 3)
        let isPlanned = try await store.commitPlan(
            RecipientBatch(
                campaign: campaign.id,
                countsForCaps: true,
                origin: nil,
                end: users.last,
                entries: recipients.enumerated().map { number, recipient in
                    let isControl = number % 3 == 2
                    return RecipientBatch.Entry(
                        profile: recipient.profile,
                        devices: isControl ? [] : recipient.devices,
                        variant: isControl ? nil : campaign.content.number(ofVariantAt: number % 3),
                        isControl: isControl,
                        dueAt: now
                    )
                },
                isComplete: true
            ),
            of: send.id,
            now: now
        )
        #expect(isPlanned)
    }
}
