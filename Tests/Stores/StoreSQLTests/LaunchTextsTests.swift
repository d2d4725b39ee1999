import Foundation
import Model
import Ports
import Synchronization
import Testing

@testable import StoreSQL

@Suite("Texts of launches")
struct LaunchTextsTests {
    private static func launch(
        _ occurrence: String,
        of campaign: Int64 = 7,
        to audience: Audience,
        saying body: String = "日本茶 \"/\" {{${first_name}}}"
    ) throws -> SendContent {
        let variant = CampaignVariant(
            apiID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
            name: "A",
            weight: 1,
            message: CampaignMessage(PlatformMessage(PushMessage(title: "Tea", body: body)))
        )
        var content = SendContent(message: PushMessage(body: body), audience: audience)
        content.launch = LaunchContext(
            campaign: CampaignID(campaign),
            apiID: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17)),
            occurrence: occurrence,
            content: CampaignContent(
                name: "Tea",
                delivery: .actionBased(
                    EventTrigger(event: EventMatch(.custom(name: "order")), delay: 60)
                ),
                variants: [variant]
            ),
            activatedAt: Date(timeIntervalSince1970: 1_790_000_000)
        )
        return content
    }

    @Test("are what writing all of them gives, and a campaign's are written once")
    func same() throws {
        let written = Mutex(0)
        let texts = LaunchTexts { content in
            written.withLock { $0 += 1 }
            return try SendText(writing: content)
        }
        for number in 1...40 {
            let users = (1...(number % 3 + 1)).map { ProfileID(Int64($0 * number)) }
            let launch = try Self.launch(
                "event-\(number)",
                of: Int64(number % 2),
                to: .profiles(users)
            )
            #expect(try texts.text(launch) == SendText(writing: launch))
        }
        #expect(written.withLock(\.self) == 2)
        // Its campaign has been edited.
        let edited = try Self.launch(
            "event-41",
            of: 1,
            to: .profiles([ProfileID(5)]),
            saying: "Coffee"
        )
        for _ in 0..<2 { #expect(try texts.text(edited) == SendText(writing: edited)) }
        #expect(written.withLock(\.self) == 3)
    }

    @Test("are read as they were written, with all that a launch can have")
    func everything() throws {
        var content = try Self.launch("day", to: .everyone)
        var launch = try #require(content.launch)
        launch.part = .rest(winner: 1, isProven: true)
        launch.localDay = CalendarDay(2026, 11, 29)
        launch.localTime = TimeOfDay(9, 30)
        launch.trackingID = "spring"
        launch.filter = SegmentQuery(segments: [SegmentID(5)], filter: "plan == 'pro'")
        launch.journey = JourneyOrigin(
            journey: JourneyID(3),
            step: JourneyStepID(UUID()),
            version: 2
        )
        for field in Mirror(reflecting: launch).children {
            let isSet =
                Mirror(reflecting: field.value).displayStyle != .optional
                || !Mirror(reflecting: field.value).children.isEmpty
            #expect(isSet, "\(field.label ?? "") is tried by no test")
        }
        content.launch = launch
        let text = try SendText(writing: content)
        #expect(text.launch != nil)
        #expect(try StoredJSON.content(text.own, launch: text.launch?.text) == content)
        let whole = try JSONEncoder().encode(content)
        #expect(try JSONDecoder().decode(SendContent.self, from: whole) == content)
    }

    @Test("those that differ in more than their users and names are written in full")
    func others() throws {
        let texts = LaunchTexts { try SendText(writing: $0) }
        var pushed = try Self.launch("event-1", to: .profiles([ProfileID(1)]))
        pushed.launch = nil
        let gap = "noroshi name of a launch -8317450926184773501"
        let contents = [
            pushed,
            try Self.launch("day", to: .everyone),
            try Self.launch("event-1", to: .profiles([])),
            try Self.launch("a \"day\"\n", to: .profiles([ProfileID(1)])),
            try Self.launch("event-1", to: .profiles([ProfileID(1)]), saying: gap),
        ]
        for content in contents + contents {
            #expect(try texts.text(content) == SendText(writing: content))
        }
    }

    @Test("of more campaigns than are kept are right too")
    func many() throws {
        let texts = LaunchTexts { try SendText(writing: $0) }
        for round in 0..<2 {
            for campaign in 0..<40 {
                let launch = try Self.launch(
                    "event-\(round)",
                    of: Int64(campaign),
                    to: .profiles([ProfileID(Int64(campaign))])
                )
                #expect(try texts.text(launch) == SendText(writing: launch))
            }
        }
    }
}
