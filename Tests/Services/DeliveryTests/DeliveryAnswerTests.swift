import Foundation
import Model
import Ports
import Scheduling
import Testing

@testable import Delivery

@Suite("What a row of the ledger says to people")
struct DeliveryAnswerTests {
    private typealias Answer = DeliveryExplanation.Answer

    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// One of each, the one that got furthest first.
    private var answers: [[Answer]] {
        [
            [.opened(now)], [.received(now)], [.accepted(now)], [.onItsWay],
            [.waiting(reason: nil, until: now), .paused(due: now)], [.unknown(reason: "cut")],
            [.rejected(reason: "Unregistered")], [.skipped(reason: "Expired")], [.controlGroup],
            [
                .notPlanned, .stopped, .notInAudience, .unsubscribed, .notOptedIn, .noDevice,
                .notReachable, .excluded(.frequencyCap), .leftOut,
            ],
        ]
    }

    @Test("of several devices the one speaks on which the message got furthest")
    func rank() {
        for (rank, group) in answers.enumerated() {
            for answer in group { #expect(answer.rank == rank, "\(answer)") }
        }
    }

    @Test("a message has reached whom it was given to, or will be given to")
    func reached() {
        for (rank, group) in answers.enumerated() {
            for answer in group { #expect(answer.hasReached == (rank < 5), "\(answer)") }
        }
    }

    @Test("what waits says until when, and why where there is a reason")
    func waiting() {
        #expect(
            Answer.waiting(reason: nil, until: now).sentence
                == "waits until 2026-09-21T14:13:20.000Z"
        )
        #expect(
            Answer.waiting(reason: "HTTP 503", until: now).sentence
                == "waits until 2026-09-21T14:13:20.000Z because of HTTP 503"
        )
    }

    @Test("a rule shows what it looked at: the limits, and the messages that counted")
    func facts() throws {
        let contact = CampaignExposure(
            campaign: CampaignID(3),
            send: SendID(4),
            time: now,
            variant: 0,
            countsForCaps: true
        )
        var control = contact
        control.variant = nil
        func facts(_ reason: ExclusionReason, _ again: Reeligibility = .never) throws -> [String] {
            DeliveryExplanation.Rule(
                reason: reason,
                limits: MessagingLimits(
                    caps: [FrequencyCap(messages: 2, days: 7)],
                    quietHours: QuietHours(
                        start: try #require(TimeOfDay("22:00")),
                        end: try #require(TimeOfDay("08:00"))
                    )
                ),
                reeligibility: again,
                contacts: [contact, control]
            ).facts
        }
        let messages = [
            "campaign 3, send 4, at 2026-09-21T14:13:20.000Z",
            "campaign 3, send 4, at 2026-09-21T14:13:20.000Z, in the control group",
        ]
        #expect(try facts(.frequencyCap) == ["at most 2 messages in 7 days"] + messages)
        #expect(try facts(.notEligible) == ["one message per user, ever"] + messages)
        #expect(
            try facts(.notEligible, .after(90)) == ["again 90 seconds after the last one"]
                + messages
        )
        #expect(try facts(.quietHours) == ["quiet from 22:00 to 08:00 on the user's clock"])
        for reason in [
            ExclusionReason.noDevice, .workspaceControlGroup, .controlGroup, .awaitsWinner,
            .wasInTest, .localTimePassed,
            .notInAudience,
        ] {
            #expect(try facts(reason).isEmpty)
        }
    }
}
