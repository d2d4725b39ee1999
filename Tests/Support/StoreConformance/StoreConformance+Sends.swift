import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    package func plansEveryReachableDeviceOnce() async throws {
        let fixture = try await fixture()
        for number in 0..<5 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        try await register("denied", token: "aa", in: fixture, authorization: .denied)
        try await register("gone", token: "bb", in: fixture)
        _ = try await ingest(
            [
                IngestItem(
                    recordID: nil,
                    user: .external("gone"),
                    time: now,
                    content: .attributes(AttributeChanges(["push_subscribe": "unsubscribed"]))
                )
            ],
            in: fixture.workspace
        )
        let send = try await plannedSend(to: .everyone, in: fixture)
        // Planning a planned send adds nothing.
        _ = try await store.planNextBatch(of: send.id, limit: 2, now: now)
        let counts = try await store.counts(of: [send.id])
        #expect(counts[send.id]?[.queued] == 5)
        #expect(counts[send.id]?.total == 5)
        #expect(try await store.send(send.id)?.state == .sending)
    }

    package func plansOnlyTheNamedUsers() async throws {
        let fixture = try await fixture()
        try await register("ada", token: "01", in: fixture)
        try await register("ben", token: "02", in: fixture)
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        let send = try await plannedSend(to: .profiles([ada.id]), in: fixture)
        let claimed = try await claim(10)
        #expect(claimed.map(\.send) == [send.id])
        #expect(claimed.map(\.profile.externalID) == ["ada"])
        #expect(claimed.map(\.device.push?.token) == ["01"])
        #expect(claimed.map(\.app) == [fixture.app])
    }

    package func givesEachRowToOneWorker() async throws {
        let fixture = try await fixture()
        for number in 0..<4 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        _ = try await plannedSend(to: .everyone, in: fixture)
        let first = try await claim(3)
        let second = try await claim(3)
        #expect(first.count == 3)
        #expect(second.count == 1)
        #expect(Set((first + second).map(\.device.id)).count == 4)
        #expect(try await claim(3).isEmpty)
        // The leases end: what has no outcome is due again, under the same dispatch id.
        #expect(try await claim(10, at: now.addingTimeInterval(59)).isEmpty)
        let later = try await claim(10, at: now.addingTimeInterval(60))
        #expect(Set(later.map(\.dispatch)) == Set((first + second).map(\.dispatch)))
    }

    package func givesBackWhatAStoppedWorkerHeld() async throws {
        let fixture = try await fixture()
        try await register("ada", token: "01", in: fixture)
        _ = try await plannedSend(to: .everyone, in: fixture)
        let claimed = try await claim(10)
        #expect(try await store.releaseLeases(owner: "another", now: now) == 0)
        #expect(try await store.releaseLeases(owner: "worker", now: now) == 1)
        #expect(try await claim(10).map(\.dispatch) == claimed.map(\.dispatch))
        // A server that is alone takes everybody's.
        #expect(try await store.releaseLeases(owner: nil, now: now) == 1)
        #expect(try await claim(10).map(\.dispatch) == claimed.map(\.dispatch))
    }

    package func recordsOutcomesAndFinishes() async throws {
        let fixture = try await fixture()
        for number in 0..<4 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let send = try await plannedSend(to: .everyone, in: fixture)
        let devices = try await claim(10).map(\.device.id)
        try #require(devices.count == 4)
        let retryTime = now.addingTimeInterval(30)
        let changes: [DispatchUpdate.Change] = [
            .accepted(providerID: "a"), .rejected(reason: "Unregistered", retiresToken: true),
            .skipped(reason: "Aborted: no"), .retry(reason: "Shutdown", at: retryTime),
        ]
        try await store.record(
            zip(devices, changes).map { DispatchUpdate(send: send.id, device: $0, change: $1) },
            now: now
        )
        #expect(try await store.markFinishedSends(now: now).isEmpty)
        #expect(try await store.nextDispatchDue() == retryTime)
        #expect(try await store.nextWorkDue(after: now) == retryTime)
        #expect(try await store.nextWorkDue(after: retryTime) == nil)
        #expect(try await claim(10).isEmpty)
        let retried = try await claim(10, at: retryTime)
        #expect(retried.map(\.attempts) == [1])
        try await store.record(
            [
                DispatchUpdate(
                    send: send.id,
                    device: devices[3],
                    change: .accepted(providerID: "b")
                )
            ],
            now: retryTime
        )
        #expect(try await store.markFinishedSends(now: retryTime) == [send.id])
        #expect(try await store.send(send.id)?.state == .finished)
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.accepted: 2, .rejected: 1, .skipped: 1])
        let reasons = try await store.failureReasons(of: send.id)
        #expect(Set(reasons.map(\.reason)) == ["Unregistered", "Aborted: no"])
        // The retired token is not planned again.
        #expect(try await store.userCounts(in: fixture.workspace).reachableDevices == 3)
    }

    package func findsSendsByWhatPeopleAreTold() async throws {
        let fixture = try await fixture()
        let nobody = try await plannedSend(to: .everyone, in: fixture)
        for number in 0..<2 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let ada = try #require(
            try await store.profile(.external("user-0"), in: fixture.workspace)
        )
        func send(
            _ audience: Audience,
            _ changes: DispatchUpdate.Change...
        ) async throws -> SendID {
            let send = try await plannedSend(to: audience, in: fixture)
            let devices = try await claim(10).map(\.device.id)
            try await store.record(
                zip(devices, changes).map { DispatchUpdate(send: send.id, device: $0, change: $1) },
                now: now
            )
            return send.id
        }
        let accepted = DispatchUpdate.Change.accepted(providerID: "a")
        let rejected = DispatchUpdate.Change.rejected(
            reason: "PayloadTooLarge",
            retiresToken: false
        )
        let ids: [SendPhase: SendID] = [
            .noRecipients: nobody.id,
            .done: try await send(.everyone, accepted, .skipped(reason: "Aborted: no")),
            .partlyFailed: try await send(.everyone, accepted, rejected),
            .failed: try await send(.profiles([ada.id]), rejected),
        ]
        // Whose app is gone has not failed, in whichever words it is said.
        var done: [SendID] = []
        for reason in ["HTTP 410 (errno 106)", "Unregistered", "UNREGISTERED"] {
            let gone = DispatchUpdate.Change.rejected(reason: reason, retiresToken: false)
            done.append(try await send(.everyone, accepted, gone))
        }
        _ = try await store.markFinishedSends(now: now)
        for phase in SendPhase.allCases {
            let found = try await store.sends(
                in: fixture.workspace,
                matching: SendQuery(phase: phase)
            )
            let expected = [ids[phase]].compactMap(\.self) + (phase == .done ? done : [])
            #expect(Set(found.sends.map(\.id)) == Set(expected), "\(phase)")
            #expect(found.total == found.sends.count)
            let counts = try await store.counts(of: found.sends.map(\.id))
            for send in found.sends {
                #expect(SendPhase(send.state, counts[send.id] ?? SendCounts()) == phase)
            }
        }
    }

    package func sharesTheWorkersBetweenSends() async throws {
        let fixture = try await fixture()
        for number in 0..<6 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let large = try await plannedSend(to: .everyone, in: fixture)
        let ada = try #require(
            try await store.profile(.external("user-0"), in: fixture.workspace)
        )
        let small = try await plannedSend(to: .profiles([ada.id]), in: fixture)
        let sends = try await claim(4).map(\.send)
        #expect(sends.contains(small.id))
        #expect(sends.contains(large.id))
    }

    package func sharesWhatSmallSendsLeave() async throws {
        let fixture = try await fixture()
        for number in 0..<10 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let ada = try #require(
            try await store.profile(.external("user-0"), in: fixture.workspace)
        )
        let small = try await plannedSend(to: .profiles([ada.id]), in: fixture)
        let large = [
            try await plannedSend(to: .everyone, in: fixture),
            try await plannedSend(to: .everyone, in: fixture),
        ]
        let rows = try await claim(9)
        #expect(rows.count { $0.send == small.id } == 1)
        #expect(large.map { send in rows.count { $0.send == send.id } } == [4, 4])
    }

    package func beginsWithAnotherSendEachTime() async throws {
        let fixture = try await fixture()
        for number in 0..<3 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        var sends: Set<SendID> = []
        for _ in 0..<3 { sends.insert(try await plannedSend(to: .everyone, in: fixture).id) }
        var first: [SendID] = []
        for millisecond in 0..<3 {
            let time = now.addingTimeInterval(Double(millisecond) / 1_000)
            first += try await claim(1, at: time).map(\.send)
        }
        #expect(first.count == 3)
        #expect(Set(first) == sends)
    }

    package func waitsForTheTimeOfASend() async throws {
        let fixture = try await fixture()
        try await register("ada", token: "01", in: fixture)
        let time = now.addingTimeInterval(3600)
        let send = try await store.createSend(
            SendContent(message: PushMessage(body: "Later"), audience: .everyone),
            in: fixture.workspace,
            scheduledAt: time,
            now: now
        )
        #expect(try await store.startPlanningDueSends(now: now).isEmpty)
        #expect(try await store.startPlanningDueSends(now: time).map(\.id) == [send.id])
        #expect(try await store.control(send.id, .stop, noting: nil, now: time))
        #expect(try await !store.control(send.id, .stop, noting: nil, now: time))
        #expect(try await store.startPlanningDueSends(now: time).isEmpty)
    }

    package func changesASendThatWaits() async throws {
        let fixture = try await fixture()
        let time = now.addingTimeInterval(3600)
        var content = SendContent(message: PushMessage(body: "Later"), audience: .everyone)
        let send = try await store.createSend(
            content,
            in: fixture.workspace,
            scheduledAt: time,
            now: now
        )
        content.message.body = "Sooner"
        let sooner = now.addingTimeInterval(60)
        #expect(
            try await store.updateScheduledSend(send.id, content: content, scheduledAt: sooner)
        )
        #expect(try await store.send(send.id)?.content.message.body == "Sooner")
        #expect(try await store.startPlanningDueSends(now: sooner).map(\.id) == [send.id])
        content.message.body = "Too late"
        #expect(
            try await !store.updateScheduledSend(send.id, content: content, scheduledAt: time)
        )
        #expect(try await store.send(send.id)?.content.message.body == "Sooner")
    }

    /// A list of recipients grows page by page, each page once, and ends with the fixed audience.
    package func listsRecipientsPageByPage() async throws {
        let fixture = try await fixture()
        var users: [ProfileID] = []
        for name in ["ada", "bob"] {
            try await register(name, token: name, in: fixture)
            let user = try await store.profile(.external(name), in: fixture.workspace)
            users.append(try #require(user).id)
        }
        var content = SendContent(message: PushMessage(body: "Later"), audience: .everyone)
        content.extraction = .whenScheduled
        let time = now.addingTimeInterval(60)
        func send() async throws -> SendID {
            try await store.createSend(
                content,
                in: fixture.workspace,
                scheduledAt: time,
                now: now
            ).id
        }
        func list(_ users: [ProfileID], of send: SendID, isComplete: Bool) async throws -> Bool {
            try await store.list(
                users,
                asRecipientsOf: send,
                after: nil,
                isComplete: isComplete
            )
        }
        let changed = try await send()
        // A page without anybody is no step ahead.
        #expect(try await list([], of: changed, isComplete: false))
        #expect(try await list([users[0]], of: changed, isComplete: false))
        #expect(try await !list([users[1]], of: changed, isComplete: false))
        #expect(
            try await store.snapshotRecipients(of: changed, after: nil, limit: 9) == [users[0]]
        )
        #expect(try await store.sendsAwaitingSnapshot().map(\.id) == [changed])
        let kept = try await send()
        #expect(try await list([users[0]], of: kept, isComplete: true))
        content.extraction = .whenSent
        #expect(try await store.updateScheduledSend(changed, content: content, scheduledAt: time))
        #expect(try await store.sendsAwaitingSnapshot().isEmpty)
        #expect(try await store.snapshotRecipients(of: changed, after: nil, limit: 9).isEmpty)
        for _ in 0..<2 {
            #expect(try await store.snapshotContains(users[0], of: kept) == true)
            #expect(try await store.snapshotContains(users[1], of: kept) == false)
            #expect(try await store.snapshotContains(users[1], of: changed) == nil)
            _ = try await store.startPlanningDueSends(now: time)
        }
    }

    /// What is written down of a send is there exactly when the change is.
    package func notesWhatBecomesOfASend() async throws {
        let fixture = try await fixture()
        let workspace = fixture.workspace
        let content = SendContent(message: PushMessage(body: "Later"), audience: .everyone)
        let note = { @Sendable (action: String) in
            { @Sendable (send: SendID) -> AuditRecord? in
                AuditRecord(
                    at: self.now,
                    origin: .api,
                    author: "key",
                    action: action,
                    subject: "#\(send)"
                )
            }
        }
        let first = try await store.createSend(
            content,
            in: workspace,
            scheduledAt: now,
            noting: note("made"),
            now: now
        )
        let key = IdempotencyKey(name: "k", fingerprint: "f", expiredBefore: .distantPast)
        for _ in 0..<2 {
            _ = try await store.createSend(
                content,
                for: key,
                in: workspace,
                scheduledAt: now,
                noting: note("made by key"),
                now: now
            )
        }
        #expect(
            try await store.updateScheduledSend(
                first.id,
                content: content,
                scheduledAt: now,
                ofDraft: nil,
                noting: note("changed")(first.id)
            )
        )
        #expect(try await store.control(first.id, .stop, noting: nil, now: now))
        #expect(
            try await !store.updateScheduledSend(
                first.id,
                content: content,
                scheduledAt: now,
                ofDraft: nil,
                noting: note("changed too late")(first.id)
            )
        )
        let found = try await store.audit(in: workspace, matching: AuditQuery(limit: 10))
        #expect(found.records.map(\.action).sorted() == ["changed", "made", "made by key"])
        #expect(found.records.contains { $0.subject == "#\(first.id)" && $0.action == "made" })
    }

    package func countsInteractionsOfTheDeviceThatGotThePush() async throws {
        let fixture = try await fixture()
        let installation = try await register("ada", token: "01", in: fixture)
        let other = try await register("ben", token: "02", in: fixture)
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        let send = try await plannedSend(to: .profiles([ada.id]), in: fixture)
        let dispatch = try #require(try await claim(1).first?.dispatch)
        func report(_ kinds: [SDKRecord.PushInteraction.Kind], from device: UUID) async throws
            -> [IngestOutcome]
        {
            let items = kinds.map {
                IngestItem(
                    recordID: UUID(),
                    user: .external(device == other ? "ben" : "ada"),
                    time: now,
                    content: .pushInteraction(
                        SDKRecord.PushInteraction(
                            kind: $0,
                            dispatch: dispatch.uuid,
                            pushNumber: send.id.rawValue
                        )
                    )
                )
            }
            return try await store.ingest(
                [
                    IngestRequest(
                        workspace: fixture.workspace,
                        source: .device(
                            SDKDevice(id: device, platform: "ios"),
                            app: fixture.app.id
                        ),
                        items: items
                    )
                ],
                now: now
            )[0]
        }
        let outcomes = try await report([.received, .opened, .opened], from: installation)
        #expect(outcomes == Array(repeating: .stored(except: []), count: 3))
        let foreign = try await report([.opened], from: other)
        guard case .rejected(let problem) = try #require(foreign.first) else {
            Issue.record("another device's report was counted")
            return
        }
        #expect(problem.field == "push.dispatch")
        // An app that knows only the number of the push: the ledger knows the device.
        func reportNumber(from device: UUID, _ user: String) async throws -> IngestOutcome? {
            let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            let item = IngestItem(
                recordID: UUID(),
                user: .external(user),
                time: now,
                content: .pushInteraction(
                    SDKRecord.PushInteraction(
                        kind: .opened,
                        dispatch: zero,
                        pushNumber: send.id.rawValue
                    )
                )
            )
            let source = IngestRequest.Source.device(
                SDKDevice(id: device, platform: "ios"),
                app: fixture.app.id
            )
            return try await store.ingest(
                [IngestRequest(workspace: fixture.workspace, source: source, items: [item])],
                now: now
            )[0].first
        }
        #expect(try await reportNumber(from: installation, "ada") == .stored(except: []))
        #expect(try await reportNumber(from: other, "ben") != .stored(except: []))
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.received == 1)
        #expect(counts.opened == 1)
    }

    package func countsASessionSoonAfterAPushAsInfluenced() async throws {
        let fixture = try await fixture()
        let installation = try await register("ada", token: "01", in: fixture)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let dispatch = try #require(try await claim(1).first?.dispatch)
        func report(_ content: IngestItem.Content, after seconds: TimeInterval) async throws {
            _ = try await store.ingest(
                [
                    IngestRequest(
                        workspace: fixture.workspace,
                        source: .device(
                            SDKDevice(id: installation, platform: "ios"),
                            app: fixture.app.id
                        ),
                        items: [
                            IngestItem(
                                recordID: UUID(),
                                user: .external("ada"),
                                time: now.addingTimeInterval(seconds),
                                content: content
                            )
                        ]
                    )
                ],
                now: now.addingTimeInterval(seconds)
            )
        }
        func interaction(_ kind: SDKRecord.PushInteraction.Kind) -> IngestItem.Content {
            .pushInteraction(
                SDKRecord.PushInteraction(
                    kind: kind,
                    dispatch: dispatch.uuid,
                    pushNumber: send.id.rawValue
                )
            )
        }
        try await report(interaction(.received), after: 0)
        try await report(.sessionStarted, after: 31 * 60)
        #expect(try await store.counts(of: [send.id])[send.id]?.influenced == 0)
        try await report(interaction(.received), after: 40 * 60)
        try await report(.sessionStarted, after: 45 * 60)
        #expect(try await store.counts(of: [send.id])[send.id]?.influenced == 1)
        try await report(interaction(.opened), after: 46 * 60)
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.influenced == 0)
        #expect(counts.opened == 1)
    }

    package func stopsWhatNoWorkerHas() async throws {
        let fixture = try await fixture()
        for number in 0..<3 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let send = try await plannedSend(to: .everyone, in: fixture)
        let held = try #require(try await claim(1).first)
        #expect(try await store.control(send.id, .stop, noting: nil, now: now))
        #expect(try await claim(10, at: now.addingTimeInterval(120)).isEmpty)
        try await store.record(
            [
                DispatchUpdate(
                    send: send.id,
                    device: held.device.id,
                    change: .accepted(providerID: "a")
                )
            ],
            now: now
        )
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.accepted: 1, .skipped: 2])
        #expect(try await store.send(send.id)?.state == .cancelled)
    }

    package func tellsWhatIsLeftToDo() async throws {
        let fixture = try await fixture()
        #expect(try await open() == OpenWork())
        for number in 0..<4 {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let send = try await plannedSend(to: .everyone, in: fixture)
        let paused = try await plannedSend(to: .everyone, in: fixture)
        #expect(try await store.control(paused.id, .pause, noting: nil, now: now))
        var expected = OpenWork()
        expected.sends = [.sending: 1, .paused: 1]
        expected.newPushes = 8
        #expect(try await open() == expected)

        let devices = try await claim(10).filter { $0.send == send.id }.map(\.device.id)
        try #require(devices.count == 4)
        let later = now.addingTimeInterval(30)
        let changes: [DispatchUpdate.Change] = [
            .accepted(providerID: "a"), .rejected(reason: "Gone", retiresToken: true),
            .retry(reason: "Shutdown", at: later), .postponed(reason: "Shutdown", at: later),
        ]
        try await store.record(
            zip(devices, changes).map { DispatchUpdate(send: send.id, device: $0, change: $1) },
            now: now
        )
        expected.newPushes = 4
        expected.retriedPushes = 2
        #expect(try await open() == expected)

        for id in [send.id, paused.id] {
            #expect(try await store.control(id, .stop, noting: nil, now: now))
        }
        expected = OpenWork()
        #expect(try await open() == expected)
    }

    /// Without the states that no send has.
    private func open() async throws -> OpenWork {
        var work = try await store.openWork()
        work.sends = work.sends.filter { $0.value > 0 }
        return work
    }
}
