import Campaigns
import ContentFiles
import Foundation
import Model
import NoroshiWire
import Ports
import StoreSQL
import Testing

@Suite("Files of what is written that are refused")
struct ContentRefusalTests {
    private static let segment = "4b4e7b1c-37f6-4f09-9a52-0d5a3c0c8a01"
    private static let campaign = "4b4e7b1c-37f6-4f09-9a52-0d5a3c0c8a02"
    private static let other = "4b4e7b1c-37f6-4f09-9a52-0d5a3c0c8a03"
    private static let variant = "4b4e7b1c-37f6-4f09-9a52-0d5a3c0c8a04"

    private static let good = """
        {"kind":"segment","id":"\(segment)","name":"Brazil","filter":\
        {"attribute":"country","test":"equal","value":"BR"}}
        {"kind":"campaign","id":"\(campaign)","name":"Tea","audience":{"segments":["\(segment)"]},\
        "variants":[{"api_id":"\(variant)","name":"A","message":{"common":{"message":\
        {"body":"Hi"}}}}]}
        """

    @Test("what a person leaves out is as it is in a new campaign")
    func defaults() async throws {
        try await ContentFileTests.withSites { sites in
            let outcome = try await sites[0].bringIn(Self.good)
            #expect(outcome.added == 2)
            let campaign = try await sites[0].store.campaign(
                apiID: UUID(uuidString: Self.campaign)!,
                in: sites[0].workspace
            )
            let content = try #require(campaign?.content)
            #expect(content.variants[0].message.common.message.body == "Hi")
            #expect(content.variants[0].weight == 1 && content.delivery == .immediately)
            let again = try await sites[0].bringIn(Self.good)
            #expect(again.unchanged == 2 && again.added == 0 && again.changed == 0)
        }
    }

    @Test(
        "a wrong line is named with its field, and nothing of the file is stored",
        arguments: [
            ("\"name\":\"Tea\"", "\"nmae\":\"Tea\"", "2 nmae"),
            ("\"name\":\"Tea\"", "\"name\":7", "2 name"),
            ("\"body\":\"Hi\"", "\"boddy\":\"Hi\"", "2 variants.0.message.common.message.boddy"),
            ("\"body\":\"Hi\"", "\"body\":\"{{ oops\"", "2 variants.0.message.body"),
            (
                "\"body\":\"Hi\"", "\"body\":\"{{content_blocks.${gone}}}\"",
                "2 variants.0.message.body"
            ),
            (
                "\"body\":\"Hi\"", "\"body\":\"{% catalog_items gone a %}\"",
                "2 variants.0.message"
            ),
            (
                "\"body\":\"Hi\"", "\"body\":\"Hi\",\"news\":{\"id\":\"\(other)\"}",
                "2 variants.0.message.common.message.news.id"
            ),
            (
                "\"segments\":[\"\(segment)\"]", "\"segments\":[\"\(other)\"]",
                "2 audience.segments.0"
            ),
            ("\"segments\":[", "\"segment\":[", "2 audience.segment"),
            ("\"value\":\"BR\"}", "\"value\":\"BR\",\"valeu\":1}", "1 filter"),
            (
                "{\"attribute\":\"country\",\"test\":\"equal\",\"value\":\"BR\"}",
                "{\"segment\":\"\(other)\"}", "1 filter"
            ),
            (
                "{\"attribute\":\"country\",\"test\":\"equal\",\"value\":\"BR\"}",
                "{\"segment\":\"\(segment)\"}", "1 filter"
            ),
            (
                "{\"attribute\":\"country\",\"test\":\"equal\",\"value\":\"BR\"}",
                "{\"list\":\"Nobody\"}", "1 filter"
            ),
            ("\"kind\":\"segment\"", "\"kind\":\"segmnet\"", "1 kind"),
            ("\"id\":\"\(segment)\"", "\"id\":\"1\"", "1 id"),
            ("\"id\":\"\(campaign)\"", "\"id\":\"\(campaign)\",\"state\":\"active\"", "2 state"),
            (
                "\"audience\"",
                "\"delivery\":{\"scheduled\":{\"start\":\"2030-02-30\"}},\"audience\"",
                "2 delivery.scheduled.start"
            ),
            ("\"audience\"", "\"control_share\":120,\"audience\"", "2 control_share"),
        ]
    )
    func refused(part: String, wrong: String, place: String) async throws {
        try await ContentFileTests.withSites { sites in
            let file = Self.good.replacing(part, with: wrong)
            #expect(file != Self.good)
            let found = try await sites[0].refusal(file)
            #expect(
                found.contains { $0 == place || $0.hasPrefix(place + ".") },
                "\(found) has not \(place)"
            )
        }
    }

    @Test("a line that is there twice, and a name that another row has, are refused")
    func twice() async throws {
        try await ContentFileTests.withSites { sites in
            let lines = Self.good.split(separator: "\n")
            #expect(try await sites[0].refusal(Self.good + "\n" + lines[0]) == ["3 line"])
            try await sites[0].bringIn(Self.good)
            let file = lines[0].replacing(Self.segment, with: Self.other)
            #expect(try await sites[0].refusal(String(file)) == ["1 name"])
        }
    }

    @Test("a campaign that runs is not changed, also not by a file with good lines beside it")
    func running() async throws {
        try await ContentFileTests.withSites { sites in
            try await sites[0].bringIn(Self.good)
            let id = UUID(uuidString: Self.campaign)!
            let found = try await sites[0].store.campaign(apiID: id, in: sites[0].workspace)
            let campaign = try #require(found)
            _ = try await sites[0].store.transitionCampaign(
                campaign.id,
                from: [.draft],
                to: .active,
                nextDueAt: nil,
                now: ContentFileTests.now
            )
            // The same words are no change.
            #expect(try await sites[0].bringIn(Self.good).unchanged == 2)
            let file = Self.good.replacing("\"Hi\"", with: "\"Ho\"")
                .replacing("Brazil", with: "Brasil")
            #expect(try await sites[0].refusal(file) == ["2 id"])
        }
    }
}
