import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// One push to two people, which is removed when it is old.
@Suite("A push whose dispatches were removed")
struct ClosedLedgerTests {
    /// Ada has opened the push on her phone, and a provider has refused it for Ben's.
    private struct Scene {
        let server: EventHistory.Server
        let now: Date
        let send: SendID
        let ada: ProfileID
        let ben: ProfileID
        let phone: DeviceID

        var store: any Store { server.store }

        private static func device(_ name: String) -> SDKDevice {
            let number: UInt8 = name == "ada" ? 1 : 2
            return SDKDevice(
                id: UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
                platform: "ios"
            )
        }

        init() async throws {
            let now = Date(timeIntervalSince1970: 1_790_000_000) + 200 * EventHistory.day
            let server = try await EventHistory.Server { now }
            (self.server, self.now) = (server, now)
            let store = server.store
            let start = now - 100 * EventHistory.day
            for name in ["ada", "ben"] {
                let registration = PushRegistration(
                    provider: .apns,
                    token: name,
                    environment: .sandbox,
                    authorization: .authorized,
                    registeredAt: start
                )
                let item = IngestItem(
                    recordID: UUID(),
                    user: .external(name),
                    time: start,
                    content: .pushRegistered(registration)
                )
                let request = IngestRequest(
                    workspace: server.workspace,
                    source: .device(Self.device(name), app: server.app),
                    items: [item]
                )
                _ = try await store.ingest([request], now: start)
            }
            ada = try #require(try await store.profile(.external("ada"), in: server.workspace)).id
            ben = try #require(try await store.profile(.external("ben"), in: server.workspace)).id
            let sent = now - 99 * EventHistory.day
            let made = try await store.createSend(
                SendContent(message: PushMessage(body: "Hello"), audience: .everyone),
                in: server.workspace,
                scheduledAt: sent,
                now: sent
            )
            _ = try await store.startPlanningDueSends(now: sent)
            while try await !store.planNextBatch(of: made.id, limit: 50, now: sent).isComplete {}
            let claimed = try await server.conformance.claim(10, at: sent)
            let results = claimed.map { row in
                DispatchUpdate(
                    send: made.id,
                    device: row.device.id,
                    change: row.device.push?.token == "ada"
                        ? .accepted(providerID: nil)
                        : .rejected(reason: "BadDeviceToken", retiresToken: false)
                )
            }
            try await store.record(results, now: sent)
            _ = try await store.markFinishedSends(now: sent)
            send = made.id
            phone = try #require(claimed.first { $0.device.push?.token == "ada" }).device.id
            let told = try await tell([(98, .received), (97, .opened)], daysAgo: 95)
            #expect(told == [.stored(except: []), .stored(except: [])])
        }

        /// Tells what happened on Ada's phone so many days ago.
        func tell(
            _ reports: [(daysAgo: Double, kind: SDKRecord.PushInteraction.Kind)],
            daysAgo days: Double,
            knowingOnlyItsNumber: Bool = false
        ) async throws -> [IngestOutcome] {
            let zeros = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            let dispatch = DispatchID(workspace: server.workspace, send: send, device: phone)
            let items = reports.map { report in
                IngestItem(
                    recordID: UUID(),
                    user: .external("ada"),
                    time: now - report.daysAgo * EventHistory.day,
                    content: .pushInteraction(
                        SDKRecord.PushInteraction(
                            kind: report.kind,
                            dispatch: knowingOnlyItsNumber ? zeros : dispatch.uuid,
                            pushNumber: send.rawValue,
                            page: report.kind == .opened ? 2 : nil
                        )
                    )
                )
            }
            let request = IngestRequest(
                workspace: server.workspace,
                source: .device(Self.device("ada"), app: server.app),
                items: items
            )
            let moment = now - days * EventHistory.day
            return try #require(try await store.ingest([request], now: moment).first)
        }

        /// - Returns: How many rows went.
        @discardableResult
        func remove(
            _ kind: RetainedKind = .dispatches,
            lookingAt count: Int = 1,
            steps: Int = .max
        ) async throws -> Int {
            var removed = 0
            for _ in 0..<steps {
                let step = try await store.removeRows(
                    kind,
                    in: server.workspace,
                    olderThan: now - 90 * EventHistory.day,
                    lookingAt: count,
                    now: now
                )
                removed += step.removed
                if step.isLast { break }
            }
            return removed
        }

        func rows(in table: String) async throws -> Int {
            try await SQLStore.testing(at: server.path).read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? -1
            }
        }

        /// What is said of the push.
        func figures() async throws -> [String] {
            let counts = try #require(try await store.counts(of: [send])[send])
            return try await [
                "\(counts[.accepted]) \(counts[.rejected]) \(counts.received) \(counts.opened)",
                "\(counts.influenced) \(counts.dismissed)",
                "\(store.reach(of: .send(send)))", "\(store.storyOpens(of: send))",
                "\(store.openDelays(of: .send(send), unit: 60))",
                "\(store.failureReasons(of: send))",
                "\(store.exportSends(in: server.workspace, after: 0, limit: 9))",
            ]
        }
    }

    @Test("is what it was, at each step of the removal")
    func figures() async throws {
        let scene = try await Scene()
        let before = try await scene.figures()
        let ada = try await scene.store.figures(of: scene.ada)
        #expect(ada.pushes.delivered == 1 && ada.pushes.directOpens == 1)
        var removed = 0
        for _ in 0..<8 {
            removed += try await scene.remove(steps: 1)
            #expect(try await scene.figures() == before)
            #expect(try await scene.store.figures(of: scene.ada) == ada)
            #expect(try await scene.store.countMismatches(of: scene.send) == [])
        }
        #expect(removed == 2)
        #expect(try await scene.rows(in: "dispatches") == 0)
        #expect(try await scene.store.isRemoved(scene.send))
        // A second pass finds nothing.
        #expect(try await scene.remove(lookingAt: 2_000) == 0)
        let rows = try await scene.store.rows(of: scene.ada)
        #expect(
            rows["removed_dispatches"]?.map { $0["outcome"] } == [
                "delivered", "opened", "received",
            ]
        )
        #expect(rows["messages"] == nil)
    }

    @Test("goes at once where it is small")
    func small() async throws {
        let scene = try await Scene()
        let before = try await scene.figures()
        #expect(try await scene.remove(lookingAt: 2_000) == 2)
        #expect(try await scene.figures() == before)
    }

    @Test("is not changed by what is told of it later, which is what the user did")
    func late() async throws {
        let scene = try await Scene()
        try await scene.remove(steps: 2)
        let before = try await scene.figures()
        for _ in 0..<2 {
            let told = try await scene.tell(
                [(4, .received), (3, .dismissed), (2, .opened)],
                daysAgo: 1
            )
            #expect(told == [.duplicate, .stored(except: []), .stored(except: [])])
            #expect(try await scene.figures() == before)
            try await scene.remove()
        }
        let rows = try await scene.store.rows(of: scene.ada)
        #expect(rows["push_interactions"]?.count == 6)
        // Nothing is left that would prove that it was sent to this phone.
        let unproved = try await scene.tell([(2, .opened)], daysAgo: 1, knowingOnlyItsNumber: true)
        guard case .rejected = try #require(unproved.first) else {
            Issue.record("\(unproved) is no refusal")
            return
        }
        #expect(try await scene.figures() == before)
    }

    @Test("has no arrivals that could influence a session any more")
    func arrivals() async throws {
        let scene = try await Scene()
        for _ in 0..<2 { try await scene.server.audience.catchUp() }
        // The last row stays: SQLite would give its number to the next one.
        for _ in 0..<2 { try await scene.remove(.pushReports, lookingAt: 100) }
        #expect(try await scene.rows(in: "removed_push_arrivals") == 1)
        try await scene.remove()
        #expect(try await scene.rows(in: "removed_push_arrivals") == 0)
    }

    @Test("counts for whom its user is merged into, and for nobody when that one is deleted")
    func people() async throws {
        let scene = try await Scene()
        try await scene.remove()
        let before = try await scene.figures()
        _ = try await scene.store.apply(
            [.merge(.external("ada"), into: .external("ben"))],
            in: scene.server.workspace,
            now: scene.now
        )
        let ben = try await scene.store.figures(of: scene.ben)
        #expect(ben.pushes.delivered == 1 && ben.pushes.directOpens == 1)
        #expect(try await scene.figures() == before)
        _ = try await scene.store.deleteUsers(
            [scene.ben],
            in: scene.server.workspace,
            noting: nil,
            now: scene.now
        )
        #expect(try await scene.rows(in: "removed_dispatches") == 0)
        #expect(try await scene.figures() == before)
    }

    @Test("stays while it is young, and while one of its messages is open")
    func kept() async throws {
        let scene = try await Scene()
        let store = scene.store
        let step = try await store.removeRows(
            .dispatches,
            in: scene.server.workspace,
            olderThan: scene.now - 100 * EventHistory.day,
            lookingAt: 100,
            now: scene.now
        )
        #expect(step == RetentionStep(removed: 0, isLast: true))
        #expect(try await !store.isRemoved(scene.send))
        let sent = scene.now - 95 * EventHistory.day
        let stopped = try await store.createSend(
            SendContent(message: PushMessage(body: "Hello"), audience: .everyone),
            in: scene.server.workspace,
            scheduledAt: sent,
            now: sent
        )
        _ = try await store.startPlanningDueSends(now: sent)
        while try await !store.planNextBatch(of: stopped.id, limit: 50, now: sent).isComplete {}
        // A worker has not said yet what became of it.
        #expect(try await scene.server.conformance.claim(10, at: sent).count == 2)
        #expect(try await store.control(stopped.id, .stop, noting: nil, now: sent))
        try await scene.remove(lookingAt: 100)
        #expect(try await store.isRemoved(scene.send))
        #expect(try await !store.isRemoved(stopped.id))
        #expect(try await store.ledger(of: stopped.id, after: nil, limit: 9).count == 2)
    }
}
