import Campaigns
import Foundation
import GRDB
import Model
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

/// What was measured stays with the text that was sent, whatever becomes of the campaign.
@Suite("Variants have identities")
struct VariantIdentityTests {
    private func sent(
        _ campaign: Campaign,
        _ world: CampaignFixture
    ) async throws -> [String: Int] {
        let records = try await world.store.variantRecords(of: campaign.id)
        let figures = try await CampaignReports(store: world.store).figures(of: campaign).variants
        var sums: [String: Int] = [:]
        for record in records {
            let parts = figures.filter { $0.variant == record.number }
            let text = record.message.common.message.body
            sums[text, default: 0] += parts.map(\.sent).reduce(0, +)
        }
        return sums.filter { $0.value > 0 }
    }

    private func byText(_ sent: [CampaignFixture.Sent]) -> [String: Int] {
        Dictionary(grouping: sent, by: \.text).mapValues(\.count)
    }

    @Test("a variant that is taken away keeps what was sent under its text, the others theirs")
    func removed() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(40)
            let campaign = try await world.activate(
                CampaignFixture.content(.apiTriggered, variants: ["Alpha", "Beta"]) {
                    $0.reeligibility = .after(0)
                }
            )
            let trigger = CampaignTriggerRequest(audience: .everyone)
            _ = try await world.service.trigger(campaign, trigger, by: world.actor)
            var expected = byText(try await world.settle())
            #expect(expected.count == 2)
            let beta = campaign.content.variants[1]

            var content = campaign.content
            content.variants = [beta, CampaignFixture.variant("Gamma")]
            try await world.service.update(campaign, to: content, by: world.actor)
            let edited = try await world.read(campaign)
            #expect(edited.content.variants[0].apiID == beta.apiID)
            #expect(try await sent(edited, world) == expected)

            _ = try await world.service.trigger(edited, trigger, by: world.actor)
            let again = byText(try await world.settle())
            #expect(again["Alpha!"] == nil)
            expected.merge(again, uniquingKeysWith: +)
            #expect(try await sent(edited, world) == expected)
            let records = try await world.store.variantRecords(of: campaign.id)
            #expect(records.map(\.name) == ["Alpha", "Beta", "Gamma"])
            #expect(records.map(\.number) == [0, 1, 2])
        }
    }

    @Test("another text of a variant is measured apart, under the same identifier")
    func reworded() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(12)
            let campaign = try await world.activate(
                CampaignFixture.content(.apiTriggered, variants: ["Old"]) {
                    $0.reeligibility = .after(0)
                }
            )
            let trigger = CampaignTriggerRequest(audience: .everyone)
            _ = try await world.service.trigger(campaign, trigger, by: world.actor)
            _ = try await world.settle()
            var content = campaign.content
            content.variants[0].message.common.message.body = "New!"
            content.variants[0].name = "Newer"
            try await world.service.update(campaign, to: content, by: world.actor)
            let edited = try await world.read(campaign)
            _ = try await world.service.trigger(edited, trigger, by: world.actor)
            _ = try await world.settle()
            #expect(try await sent(edited, world) == ["Old!": 12, "New!": 12])
            let records = try await world.store.variantRecords(of: campaign.id)
            #expect(Set(records.map(\.apiID)) == [campaign.content.variants[0].apiID])
            // Back to the old text: that is what it is counted as.
            try await world.service.update(edited, to: campaign.content, by: world.actor)
            let back = try await world.read(campaign)
            _ = try await world.service.trigger(back, trigger, by: world.actor)
            _ = try await world.settle()
            #expect(try await sent(back, world) == ["Old!": 24, "New!": 12])
        }
    }

    @Test("a launch to one variant is shown under that variant's text")
    func shown() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(20)
            let campaign = try await world.activate(
                CampaignFixture.content(.immediately, variants: ["Alpha", "Beta"]) {
                    $0.variants[0].weight = 0
                    $0.winner = WinnerRule(testShare: 50, duration: 3_600)
                }
            )
            _ = try await world.settle()
            world.advance(3_601)
            _ = try await world.settle()
            let sends = try await world.store.sends(of: campaign.id, limit: 5, offset: 0)
            let rest = try #require(sends.first)
            guard case .rest(let winner, _)? = rest.content.launch?.part else {
                Issue.record("the newest launch is not that of the rest")
                return
            }
            let text = campaign.content.variants[winner].message.common.message.body
            #expect(rest.content.message.body == text)
            #expect(rest.content.sentMessages.map(\.body) == [text])
        }
    }

    @Test("of equals the first one wins that somebody was to get")
    func equals() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(20)
            let campaign = try await world.activate(
                CampaignFixture.content(.immediately, variants: ["Nobody", "Alpha", "Beta"]) {
                    $0.variants[0].weight = 0
                    $0.winner = WinnerRule(testShare: 50, duration: 3_600)
                }
            )
            _ = try await world.settle()
            let reports = CampaignReports(store: world.store)
            for measure in WinnerRule.Measure.allCases {
                let best = try await reports.bestVariant(of: campaign, by: measure, at: world.now)
                #expect(best == (1, false))
            }
            world.advance(3_601)
            #expect(Set(try await world.settle().map(\.text)) == ["Alpha!"])
        }
    }

    @Test("a launch of several variants is listed under all texts that users got of it")
    func listed() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(20)
            let campaign = try await world.activate(
                CampaignFixture.content(.immediately, variants: ["Alpha", "Beta", "Nobody"]) {
                    $0.variants[2].weight = 0
                }
            )
            _ = try await world.settle()
            let send = try await world.store.sends(of: campaign.id, limit: 1, offset: 0).first
            #expect(send?.content.sentMessages.map(\.body) == ["Alpha!", "Beta!"])
        }
    }

    @Test(
        "an earlier version's places become numbers of the texts that were at them",
        .aboutFiles
    )
    func migration() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(40)
            let campaign = try await world.activate(
                CampaignFixture.content(.apiTriggered, variants: ["Alpha", "Beta"]) {
                    $0.reeligibility = .after(0)
                }
            )
            let trigger = CampaignTriggerRequest(audience: .everyone)
            _ = try await world.service.trigger(campaign, trigger, by: world.actor)
            _ = try await world.settle()
            // Alpha goes, Gamma comes: Beta is at the place where Alpha was.
            var content = campaign.content
            content.variants = [content.variants[1], CampaignFixture.variant("Gamma")]
            try await world.service.update(campaign, to: content, by: world.actor)
            let edited = try await world.read(campaign)
            _ = try await world.service.trigger(edited, trigger, by: world.actor)
            _ = try await world.settle()
            let expected = try await sent(edited, world)
            #expect(expected.count == 3)

            // As the version before wrote it: places in the ledger and no numbers.
            let queue = try DatabaseQueue(path: world.path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        UPDATE dispatches SET variant = variant - 1
                            WHERE send_id = (SELECT max(id) FROM sends);
                        UPDATE campaign_entries SET variant = variant - 1
                            WHERE send_id = (SELECT max(id) FROM sends);
                        UPDATE sends SET launch_content_id = NULL, content = json_remove(
                            json_set(content, '$.launch.content', json((
                                SELECT launch_contents.content FROM launch_contents
                                WHERE id = launch_content_id))),
                            '$.launch.content.variants[0].number',
                            '$.launch.content.variants[1].number');
                        UPDATE campaigns SET content = json_remove(content,
                            '$.variants[0].number', '$.variants[1].number');
                        DROP TABLE campaign_variants;
                        DELETE FROM grdb_migrations WHERE identifier = 'campaign variants';
                        """
                )
            }
            try queue.close()
            let store = try SQLStore.testing(at: world.path)
            let found = try #require(try await store.campaign(campaign.id))
            let records = try await store.variantRecords(of: campaign.id)
            #expect(records.map(\.number) == [0, 1, 2])
            #expect(Set(records.map(\.name)) == ["Alpha", "Beta", "Gamma"])
            for variant in found.content.variants {
                let record = records.first { $0.number == variant.number }
                #expect(record?.name == variant.name && record?.apiID == variant.apiID)
            }
            var sums: [String: Int] = [:]
            for figures in try await CampaignReports(store: store).figures(of: found).variants {
                guard figures.sent > 0,
                    let record = records.first(where: { $0.number == figures.variant })
                else { continue }
                sums[record.message.common.message.body, default: 0] += figures.sent
            }
            #expect(sums == expected)
        }
    }
}
