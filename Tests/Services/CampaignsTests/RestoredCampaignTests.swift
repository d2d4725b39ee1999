import Campaigns
import Foundation
import Model
import Ports
import Testing

@Suite("Campaigns of a server that was restored from a backup")
struct RestoredCampaignTests {
    private func daily() throws -> CampaignContent {
        let delivery = CampaignDelivery.scheduled(
            CampaignSchedule(
                start: try #require(CalendarDay("2026-07-04")),
                time: try #require(TimeOfDay("10:00")),
                clock: .zone("Asia/Tokyo"),
                recurrence: Recurrence(.daily(every: 1), end: .never)
            )
        )
        return CampaignFixture.content(delivery) { $0.reeligibility = .after(0) }
    }

    private func release(_ world: CampaignFixture, skippingMissed: Bool) async throws {
        #expect(
            try await world.store.releaseSending(
                skippingMissed: skippingMissed,
                noting: [:],
                now: world.now
            )
        )
    }

    @Test("wait; what was due before the restore is then passed over or made up for, as is said")
    func recurring() async throws {
        for isSkipped in [true, false] {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                try await world.user("ada")
                let campaign = try await world.activate(try daily())
                let once = try await world.activate(CampaignFixture.content(.immediately))
                // The backup is of this moment; the restore comes after ten o'clock.
                try world.set("2026-07-04T01:30:00Z")
                try await world.store.holdSending(since: world.now)
                world.advance(3600)
                #expect(try await world.settle().isEmpty)
                try await release(world, skippingMissed: isSkipped)
                #expect(try await world.settle().count == (isSkipped ? 0 : 2))
                let reason = isSkipped ? "Restored" : nil
                for id in [campaign.id, once.id] {
                    let occurrences = try await world.store.occurrences(of: id, limit: 10)
                    #expect(occurrences.map(\.skipReason) == [reason])
                }
                #expect(try await world.read(once).state == .stopped)
                try world.set("2026-07-05T01:30:00Z")
                #expect(try await world.settle().count == 1)
            }
        }
    }

    @Test("what is due at the moment of the restore was not due before it")
    func atTheMoment() async throws {
        for (moment, count) in [("2026-07-04T01:00:00Z", 1), ("2026-07-04T01:00:01Z", 0)] {
            try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
                try await world.user("ada")
                _ = try await world.activate(try daily())
                try world.set(moment)
                try await world.store.holdSending(since: world.now)
                world.advance(60)
                try await release(world, skippingMissed: true)
                #expect(try await world.settle().count == count)
            }
        }
    }

    @Test("what was due during the hold goes out after it, whatever becomes of what was before")
    func during() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            try await world.user("ada")
            _ = try await world.activate(try daily())
            try await world.store.holdSending(since: world.now)
            try world.set("2026-07-04T01:30:00Z")
            #expect(try await world.settle().isEmpty)
            try await release(world, skippingMissed: true)
            #expect(try await world.settle().count == 1)
        }
    }

    @Test("triggered ones leave out who was due before the restore, and reach who came after it")
    func triggered() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { world in
            for name in ["ada", "ben"] { try await world.user(name) }
            _ = try await world.activate(
                CampaignFixture.content(
                    .actionBased(
                        EventTrigger(event: EventMatch(.custom(name: "visited")), delay: 60)
                    )
                )
            )
            _ = try await world.settle()
            try await world.event("visited", by: "ada")
            _ = try await world.settle()
            world.advance(120)
            try await world.store.holdSending(since: world.now)
            world.advance(10)
            try await world.event("visited", by: "ben")
            world.advance(120)
            #expect(try await world.settle().isEmpty)
            try await release(world, skippingMissed: true)
            #expect(try await world.settle().map(\.user) == ["ben"])
        }
    }
}
