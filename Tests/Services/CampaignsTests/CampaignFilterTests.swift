import Audience
import Campaigns
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Segments
import StoreSQL
import Testing

/// Segments that ask what came of a campaign.
@Suite("Campaigns as filters")
struct CampaignFilterTests {
    private func audience(_ world: CampaignFixture) async throws -> SegmentationService {
        let service = SegmentationService(
            store: world.store,
            now: { world.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await service.rebuild()
        return service
    }

    private func names(
        _ text: String,
        _ audience: SegmentationService,
        _ world: CampaignFixture
    ) async throws -> [String] {
        let book = try await SegmentService(store: world.store, now: { world.now })
            .book(of: world.workspace)
        let found = try await audience.select(
            try book.rule(text: text),
            book: book,
            in: world.workspace
        ).profiles()
        var names: [String] = []
        for id in found {
            names.append(try await world.store.profile(ProfileID(id))?.externalID ?? "")
        }
        return names.sorted()
    }

    @Test("find who converted, and who did not, by the campaign's name")
    func conversions() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            for user in ["ada", "ben", "cas"] { try await world.user(user) }
            func content(_ name: String, _ event: EventMatch) -> CampaignContent {
                CampaignFixture.content(.immediately) {
                    $0.name = name
                    $0.conversions = [ConversionEvent(event: event, window: 3600)]
                }
            }
            let tea = try await world.activate(
                content("Morning tea", EventMatch(.purchase(product: "tea")))
            )
            _ = try await world.activate(
                content("Visit", EventMatch(.custom(name: "visited")))
            )
            #expect(try await world.settle().count == 6)
            let audience = try await audience(world)
            #expect(try await names("campaign any converted", audience, world).isEmpty)

            world.advance(60)
            try await world.event("$purchase", by: "ada", ["product_id": "tea"])
            try await world.event("$purchase", by: "ben", ["product_id": "cup"])
            try await world.event("visited", by: "ben")
            world.advance(7200)
            try await world.event("$purchase", by: "cas", ["product_id": "tea"])

            func found(_ text: String) async throws -> [String] {
                try await names(text, audience, world)
            }
            #expect(try await found(#"campaign "morning TEA" converted"#) == ["ada"])
            #expect(try await found("campaign \"\(tea.id)\" converted") == ["ada"])
            #expect(try await found(#"campaign "Morning tea" not converted"#) == ["ben", "cas"])
            #expect(try await found("campaign any converted") == ["ada", "ben"])
            #expect(try await found("campaign any converted in last 30 minutes").isEmpty)
            #expect(try await found("campaign any converted count >= 2").isEmpty)

            // One user by the rows, filter by filter, comes to the same.
            let ada = try #require(
                try await world.store.profile(.external("ada"), in: world.workspace)
            )
            let rule = try SegmentParser.parse(
                "campaign \"\(tea.id)\" converted and campaign any not opened"
            ).rule
            let explained = try #require(
                try await audience.explain(rule, for: ada.id, in: world.workspace)
            )
            #expect(explained.holds)
            #expect(explained.children.first?.text == #"campaign "Morning tea" converted done"#)
            let rows = try await world.store.audienceView().rows(of: world.workspace)
            let columns = try await audience.columns(of: world.workspace)
            for rule in [rule, .not(rule)] {
                let difference = try await columns.verify(
                    rule,
                    at: EvaluationTime(now: Int64(world.now.timeIntervalSince1970)),
                    source: rows
                )
                #expect(difference.isEmpty)
            }
        }
    }

    @Test("members of a control group got nothing and convert to nothing")
    func control() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            _ = try await world.users(20)
            let content = CampaignFixture.content(.immediately) {
                $0.controlShare = 50
                $0.conversions = [
                    ConversionEvent(event: EventMatch(.custom(name: "visited")), window: 60)
                ]
            }
            _ = try await world.activate(content)
            let sent = Set(try await world.settle().map(\.user))
            #expect(!sent.isEmpty && sent.count < 20)
            world.advance(1)
            for number in 0..<20 { try await world.event("visited", by: "user-\(number)") }
            let audience = try await audience(world)
            let found = try await names("campaign any converted", audience, world)
            #expect(Set(found) == sent)
        }
    }

    @Test("an unknown campaign is named with its place; of two of a name the newest is meant")
    func references() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            var ids: [CampaignID] = []
            for _ in 0..<2 {
                let campaign = try await world.service.create(
                    CampaignFixture.content(.immediately),
                    by: world.actor
                )
                ids.append(campaign.id)
            }
            let service = SegmentService(store: world.store, now: { world.now })
            let book = try await service.book(of: world.workspace)
            let text = #"country = "DE" and campaign "Evening tea" opened"#
            #expect {
                _ = try book.rule(text: text)
            } throws: { error in
                let problem = error as? SegmentError
                return problem?.message == "there is no campaign “Evening tea”"
                    && problem?.lineAndColumn(in: text)?.column == 20
            }
            let rule = try book.rule(text: #"campaign "morning tea" opened"#)
            #expect(
                rule
                    == .condition(
                        .activity(
                            ActivityCondition(
                                subject: .message(.opened, campaigns: ["\(ids[1])"]),
                                measure: .count(.greaterOrEqual, 1)
                            )
                        )
                    )
            )
            #expect(
                SegmentWriter.text(book.named(rule)) == #"campaign "Morning tea" opened done"#
            )
            let older = try book.rule(text: "campaign \"\(ids[0])\" opened")
            #expect(SegmentWriter.text(book.named(older)) == "campaign \"\(ids[0])\" opened done")
        }
    }
}
