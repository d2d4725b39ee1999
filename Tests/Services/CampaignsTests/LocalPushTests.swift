import Campaigns
import Foundation
import Model
import Ports
import Testing

@Suite("A push at each user's own time, without a campaign")
struct LocalPushTests {
    @Test("goes to whom that time is still to come or is now, when it comes; nobody gets it late")
    func localTime() async throws {
        // It is 9:00 in Tokyo, 5:45 in Kathmandu and 14:00 on Kiritimati.
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("tokyo", zone: "Asia/Tokyo")
            try await world.user("kathmandu", zone: "Asia/Kathmandu")
            try await world.user("kiritimati", zone: "Pacific/Kiritimati")
            // The workspace's zone is Tokyo's.
            try await world.user("nowhere")
            var content = SendContent(message: PushMessage(body: "Tea"), audience: .everyone)
            content.localMoment = LocalDateTime(
                day: try #require(CalendarDay("2026-07-04")),
                time: try #require(TimeOfDay("09:00"))
            )
            _ = try await world.store.createSend(
                content,
                in: world.workspace,
                scheduledAt: world.now,
                now: world.now
            )
            #expect(Set(try await world.settle().map(\.user)) == ["tokyo", "nowhere"])
            try world.set("2026-07-04T03:14:59Z")
            #expect(try await world.settle().isEmpty)
            try world.set("2026-07-04T03:15:00Z")
            #expect(try await world.settle().map(\.user) == ["kathmandu"])
        }
    }
}
