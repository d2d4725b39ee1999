import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    /// What a store hands out now: sends to plan, dispatches to send.
    private func work(after time: TimeInterval) async throws -> [Int] {
        let moment = now.addingTimeInterval(time)
        let sends = try await store.startPlanningDueSends(now: moment)
        let claimed = try await store.claimDispatches(
            ClaimRequest(
                limit: 10,
                owner: "test",
                leaseEnd: moment.addingTimeInterval(60),
                now: moment
            )
        )
        return [sends.count, claimed.rows.count]
    }

    package func handsOutNothingWhileItHolds() async throws {
        let fixture = try await fixture()
        #expect(try await store.sendingHold() == nil)
        _ = try await register("ada", token: "a1", in: fixture)
        let send = try await store.createSend(
            SendContent(message: PushMessage(body: "Tea"), audience: .everyone),
            in: fixture.workspace,
            scheduledAt: now,
            noting: { _ in nil },
            now: now
        )
        let planned = try #require(try await store.startPlanningDueSends(now: now).first)
        _ = try await store.planNextBatch(of: planned.id, limit: 10, now: now)
        try await store.holdSending(since: now.addingTimeInterval(5))
        #expect(
            try await store.sendingHold() == SendingHold(since: now.addingTimeInterval(5))
        )
        let later = try await store.createSend(
            SendContent(message: PushMessage(body: "Later"), audience: .everyone),
            in: fixture.workspace,
            scheduledAt: now.addingTimeInterval(6),
            noting: { _ in nil },
            now: now.addingTimeInterval(6)
        )
        #expect(try await work(after: 10) == [0, 0])
        #expect(
            try await store.sendsBegun(by: now.addingTimeInterval(5)).map(\.id) == [send.id]
        )
        #expect(
            try await store.sendsBegun(by: now.addingTimeInterval(6)).map(\.id)
                == [send.id, later.id]
        )
        let record = AuditRecord(
            at: now,
            by: .commandLine(account: "mio", fixture.workspace),
            action: "sending_released",
            subject: "skip"
        )
        for isFirst in [true, false] {
            #expect(
                try await store.releaseSending(
                    skippingMissed: true,
                    noting: [fixture.workspace: record],
                    now: now.addingTimeInterval(10)
                ) == isFirst
            )
        }
        let hold = try #require(try await store.sendingHold())
        #expect(hold.releasedAt == now.addingTimeInterval(10) && hold.skipsMissed)
        #expect(hold.skippedBefore == now.addingTimeInterval(5))
        let log = try await store.audit(in: fixture.workspace, matching: AuditQuery()).records
        #expect(log.map(\.action) == ["sending_released"])
        #expect(try await work(after: 10) == [1, 1])
        // Another restore begins another hold.
        try await store.holdSending(since: now.addingTimeInterval(20))
        #expect(try await store.sendingHold()?.isActive == true)
        #expect(try await work(after: 200) == [0, 0])
    }
}
