import Delivery
import Foundation
import Model
import Ports
import StoreConformance
import StoreSQL
import Testing

@Suite("Why a user got a push, or did not")
struct DeliveryExplainerTests {
    private func explain(
        _ send: Send,
        _ user: String,
        _ bench: DeliveryBench
    ) async throws -> DeliveryExplanation {
        try #require(
            try await DeliveryExplainer(store: bench.store, audience: nil, now: { Date() })
                .explain(send: send.id, to: .external(user), in: bench.fixture.workspace)
        )
    }

    @Test("is answered from the rows for every user")
    func answers() async throws {
        let transport = ScriptedTransport { push, _ in
            guard case .apns("a1", _, _) = push.address else { return .accepted(providerID: "p") }
            return .rejected(
                PushRejection(reason: "Unregistered", consequence: .retireToken, advice: "")
            )
        }
        try await DeliveryBench.run(users: 3, transport: transport) { bench in
            try await bench.register("denied", token: "d0", authorization: .denied)
            let first = try await bench.profile("user-0")
            let second = try await bench.profile("user-1")
            let denied = try await bench.profile("denied")
            let send = try await bench.send(
                PushMessage(
                    body: "{% if {{${user_id}}} == 'x' %}{% abort_message('x') %}{% endif %}Hi"
                ),
                to: .profiles([first.id, second.id, denied.id])
            )
            _ = try await bench.finish(send)

            let got = try await explain(send, "user-0", bench)
            guard case .accepted = got.answer else {
                Issue.record("user-0: \(got.answer)")
                return
            }
            #expect(got.membership == .member)
            #expect(got.devices.map(\.row?.attempts) == [1])
            #expect(got.devices.map(\.reach) == [.reachable])

            let refused = try await explain(send, "user-1", bench)
            #expect(refused.answer == .rejected(reason: "Unregistered"))
            #expect(refused.devices.map(\.reach) == [.noToken])

            let outside = try await explain(send, "user-2", bench)
            #expect(outside.answer == .notInAudience)
            #expect(outside.membership == .notMember)

            let silent = try await explain(send, "denied", bench)
            #expect(silent.answer == .notReachable)
            #expect(silent.devices.map(\.reach) == [.notAllowed(.denied)])
        }
    }

    @Test("is not known of a push that the workspace no longer keeps")
    func removed() async throws {
        try await DeliveryBench.run(users: 1) { bench in
            let send = try await bench.send(PushMessage(body: "Hi"), to: .everyone)
            _ = try await bench.finish(send)
            let later = Date().addingTimeInterval(86_400)
            while try await !bench.store.removeRows(
                .dispatches,
                in: bench.fixture.workspace,
                olderThan: later,
                lookingAt: 10,
                now: later
            ).isLast {}
            #expect(try await explain(send, "user-0", bench).answer == .rowsRemoved)
        }
    }

    @Test("a frozen audience is known after the send: who was on the list, and who was not")
    func frozen() async throws {
        try await DeliveryBench.run(users: 3) { bench in
            try await bench.register("denied", token: "d0", authorization: .denied)
            var content = SendContent(
                message: PushMessage(body: "Hi"),
                audience: .matching(SegmentQuery(segments: [SegmentID(1)]))
            )
            content.extraction = .whenScheduled
            let soon = Date().addingTimeInterval(3600)
            let send = try await bench.store.createSend(
                content,
                in: bench.fixture.workspace,
                scheduledAt: soon,
                now: Date()
            )
            // Nobody says yet who will be on it, and no segment is evaluated here.
            guard case .unknown = try await explain(send, "user-0", bench).membership else {
                Issue.record("the list is not made")
                return
            }
            var members: [ProfileID] = []
            for name in ["user-0", "user-1", "denied"] {
                members.append(try await bench.profile(name).id)
            }
            for (origin, part) in [(nil, members[..<2]), (members[1], members[2...])] {
                #expect(
                    try await bench.store.list(
                        Array(part),
                        asRecipientsOf: send.id,
                        after: origin,
                        isComplete: origin != nil
                    )
                )
            }
            #expect(try await explain(send, "user-0", bench).membership == .member)
            #expect(try await explain(send, "user-2", bench).membership == .notMember)
            #expect(
                try await bench.store.updateScheduledSend(
                    send.id,
                    content: content,
                    scheduledAt: Date()
                )
            )
            #expect(try await bench.finish(send).total == 2)

            #expect(try await explain(send, "user-0", bench).membership == .member)
            // On the list, and left out by a rule.
            let denied = try await explain(send, "denied", bench)
            #expect(denied.membership == .member)
            #expect(denied.answer == .notReachable)
            let outside = try await explain(send, "user-2", bench)
            #expect(outside.membership == .notMember)
            #expect(outside.answer == .notInAudience)
            // The list keeps only whom the ledger does not have.
            let kept = try await bench.store.snapshotRecipients(of: send.id, after: nil, limit: 9)
            #expect(kept == [members[2]])
        }
    }

    @Test("tells what waits by itself from what waits until somebody lets it go on")
    func waiting() async throws {
        let transport = ScriptedTransport { _, _ in .retry(reason: "503", after: .seconds(3600)) }
        try await DeliveryBench.run(users: 1, transport: transport) { bench in
            let send = try await bench.send()
            var due: Date?
            try await bench.eventually("the push waits for its second attempt") {
                guard
                    case .waiting("503", let until) = try await explain(send, "user-0", bench)
                        .answer
                else { return false }
                due = until
                return true
            }
            #expect(try await bench.store.control(send.id, .pause, noting: nil, now: Date()))
            let waited = try #require(due)
            #expect(try await explain(send, "user-0", bench).answer == .paused(due: waited))
        }
    }

    @Test("tells a send that was stopped before it began from one that left somebody out")
    func stopped() async throws {
        try await DeliveryBench.run(users: 2) { bench in
            let member = try await bench.profile("user-0")
            let soon = Date().addingTimeInterval(3_600)
            let early = try await bench.store.createSend(
                SendContent(message: PushMessage(body: "Hi"), audience: .profiles([member.id])),
                in: bench.fixture.workspace,
                scheduledAt: soon,
                now: Date()
            )
            #expect(try await explain(early, "user-0", bench).answer == .notPlanned)
            #expect(try await bench.store.control(early.id, .stop, noting: nil, now: Date()))
            // Nobody had been looked at, so nobody was outside of it either.
            for user in ["user-0", "user-1"] {
                #expect(try await explain(early, user, bench).answer == .stopped)
            }
            let late = try await bench.send(PushMessage(body: "Hi"), to: .profiles([member.id]))
            _ = try await bench.finish(late)
            #expect(try await explain(late, "user-1", bench).answer == .notInAudience)
        }
    }

    @Test("knows nobody who is not there")
    func nobody() async throws {
        try await DeliveryBench.run(users: 1) { bench in
            let send = try await bench.send()
            let found = try await DeliveryExplainer(
                store: bench.store,
                audience: nil,
                now: { Date() }
            )
            .explain(send: send.id, to: .external("nobody"), in: bench.fixture.workspace)
            #expect(found == nil)
        }
    }

    @Test("knows no send of another workspace")
    func otherWorkspace() async throws {
        try await DeliveryBench.run(users: 1) { bench in
            let send = try await bench.send()
            // Somebody of the same name is known there.
            let conformance = StoreConformance(bench.store)
            let other = try await conformance.fixture()
            try await conformance.register("user-0", token: "b0", in: other)
            let explainer = DeliveryExplainer(store: bench.store, audience: nil, now: { Date() })
            for workspace in [bench.fixture.workspace, other.workspace] {
                let isOwn = workspace == bench.fixture.workspace
                let found = try await explainer.explain(
                    send: send.id,
                    to: .external("user-0"),
                    in: workspace
                )
                #expect((found != nil) == isOwn)
            }
        }
    }
}
