import Foundation
import Model
import Ports
import Testing

@testable import Campaigns

@Suite("What an event means for a campaign")
struct EventTriggerTests {
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)

    private func at(_ seconds: TimeInterval) -> Date { Self.start.addingTimeInterval(seconds) }

    private func campaign(
        activatedAt: Date?,
        _ change: (inout EventTrigger) -> Void = { _ in }
    ) -> Campaign {
        var trigger = EventTrigger(event: EventMatch(.custom(name: "brewed")), delay: 90)
        change(&trigger)
        var campaign = Campaign(
            id: CampaignID(5),
            workspace: WorkspaceID(1),
            apiID: UUID(),
            state: .active,
            content: CampaignFixture.content(.actionBased(trigger)),
            createdAt: Self.start,
            updatedAt: Self.start
        )
        campaign.activatedAt = activatedAt
        return campaign
    }

    private func changes(
        _ campaign: Campaign,
        _ name: String = "brewed",
        at time: Date
    ) -> [TriggerChange] {
        TriggerPlanner.changes(
            campaign,
            TriggerPage.Event(
                id: 7,
                workspace: WorkspaceID(1),
                profile: ProfileID(3),
                name: name,
                time: time,
                properties: [:]
            ),
            now: at(1_000)
        )
    }

    private func isTriggered(_ campaign: Campaign, at time: Date) -> Bool {
        !changes(campaign, at: time).isEmpty
    }

    @Test("the message is due after the delay, counted from the event")
    func delay() {
        let expected = NewTrigger(
            campaign: CampaignID(5),
            profile: ProfileID(3),
            event: 7,
            triggeredAt: at(10),
            dueAt: at(100),
            properties: [:]
        )
        #expect(changes(campaign(activatedAt: Self.start), at: at(10)) == [.add(expected)])
        #expect(changes(campaign(activatedAt: Self.start), "poured", at: at(10)).isEmpty)
    }

    @Test("an event counts from the moment of the activation on, that moment included")
    func activation() {
        let running = campaign(activatedAt: Self.start)
        #expect(!isTriggered(running, at: at(-0.001)))
        #expect(isTriggered(running, at: Self.start))
        #expect(isTriggered(campaign(activatedAt: nil), at: at(-1e9)))
    }

    @Test("an event counts from the trigger's start to its end, both included")
    func window() {
        let limited = campaign(activatedAt: Self.start) {
            $0.start = at(60)
            $0.end = at(120)
        }
        for (seconds, isCounted) in [
            (0, false), (59.999, false), (60, true), (120, true), (120.001, false),
        ] {
            #expect(isTriggered(limited, at: at(seconds)) == isCounted, "\(seconds)")
        }
        // The later of activation and start.
        let late = campaign(activatedAt: at(90)) { $0.start = at(60) }
        #expect(!isTriggered(late, at: at(89)) && isTriggered(late, at: at(90)))
    }

    @Test("what calls it off is taken whenever it happened, and may be the event itself")
    func exception() {
        let cancel = TriggerChange.cancel(
            campaign: CampaignID(5),
            profile: ProfileID(3),
            before: at(-5)
        )
        let campaign = campaign(activatedAt: Self.start) {
            $0.exception = EventMatch(.custom(name: "poured"))
        }
        #expect(changes(campaign, "poured", at: at(-5)) == [cancel])
        let again = self.campaign(activatedAt: nil) { $0.exception = $0.event }
        let both = changes(again, at: at(-5))
        #expect(both.count == 2 && both.first == cancel)
    }
}
