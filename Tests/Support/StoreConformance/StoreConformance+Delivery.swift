import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func fixture(users: Int) async throws -> Fixture {
        let fixture = try await fixture()
        for number in 0..<users {
            try await register("user-\(number)", token: "0\(number)", in: fixture)
        }
        return fixture
    }

    /// A record of the audit log.
    func note(_ subject: String) -> AuditRecord {
        AuditRecord(at: now, origin: .console, author: "ann", action: "tried", subject: subject)
    }

    private func expectExactCounts(of send: SendID) async throws {
        #expect(try await store.countMismatches(of: send) == [])
    }

    package func keepsToTheWorkspacesLimit() async throws {
        let fixture = try await fixture(users: 6)
        try await store.setPushLimit(60, of: fixture.workspace, noting: note("60"))
        #expect(try await store.pushLimit(of: fixture.workspace) == 60)
        _ = try await plannedSend(to: .everyone, in: fixture)
        // Two seconds' worth at the start, then one a second, whoever asks.
        #expect(try await claim(10).count == 2)
        #expect(try await claim(10).isEmpty)
        #expect(try await claim(10, at: now.addingTimeInterval(1)).count == 1)
        let claim = try await store.claimDispatches(
            ClaimRequest(
                limit: 10,
                owner: "another",
                leaseEnd: now.addingTimeInterval(60),
                now: now.addingTimeInterval(1.5)
            )
        )
        #expect(claim.rows.isEmpty)
        let nextPollAt = try #require(claim.nextPollAt)
        #expect(abs(nextPollAt.timeIntervalSince(now.addingTimeInterval(2))) < 0.01)
        try await store.setPushLimit(nil, of: fixture.workspace, noting: note("none"))
        #expect(try await self.claim(10, at: now.addingTimeInterval(2)).count == 3)
    }

    package func keepsToTheSendsLimit() async throws {
        let fixture = try await fixture(users: 4)
        var content = SendContent(message: PushMessage(body: "Slowly"), audience: .everyone)
        content.messagesPerMinute = 30
        let slow = try await store.createSend(
            content,
            in: fixture.workspace,
            scheduledAt: now,
            now: now
        )
        let fast = try await plannedSend(to: .everyone, in: fixture)
        while try await !store.planNextBatch(of: slow.id, limit: 2, now: now).isComplete {}
        let claimed = try await claim(10)
        #expect(claimed.count { $0.send == slow.id } == 1)
        #expect(claimed.count { $0.send == fast.id } == 4)
        #expect(try await claim(10, at: now.addingTimeInterval(1)).isEmpty)
        #expect(try await claim(10, at: now.addingTimeInterval(2)).map(\.send) == [slow.id])
    }

    package func takesNothingInAClosedLane() async throws {
        let fixture = try await fixture(users: 2)
        let second = try await store.createApp(
            AppDraft(
                name: "Coffee",
                platform: "ios",
                bundleID: "example.coffee",
                sdkKey: UUID().uuidString
            ),
            in: fixture.workspace,
            noting: nil,
            now: now
        )
        try await register(
            "other",
            token: "ff",
            in: Fixture(workspace: fixture.workspace, app: second)
        )
        _ = try await plannedSend(to: .everyone, in: fixture)
        func claim(_ limits: [DeliveryLane: Int]) async throws -> [ClaimedDispatch] {
            try await store.claimDispatches(
                ClaimRequest(
                    limit: 10,
                    owner: "worker",
                    leaseEnd: now.addingTimeInterval(60),
                    now: now,
                    laneLimits: limits
                )
            ).rows
        }
        let closed = DeliveryLane(app: fixture.app.id, provider: .apns)
        #expect(try await claim([closed: 0]).map(\.app.id) == [second.id])
        // A probe.
        #expect(try await claim([closed: 1]).map(\.app.id) == [fixture.app.id])
        #expect(try await claim([:]).map(\.app.id) == [fixture.app.id])
    }

    package func keepsClosedLanesForPeopleToSee() async throws {
        let lane = TrippedLane(
            lane: DeliveryLane(app: AppID(7), provider: .webPush),
            reason: "HTTP 503",
            since: now,
            until: now.addingTimeInterval(10)
        )
        try await store.saveTrippedLanes([lane], owner: "worker")
        #expect(try await store.trippedLanes() == [lane])
        // A new start of the same process knows nothing of them.
        _ = try await store.releaseLeases(owner: "worker", now: now)
        #expect(try await store.trippedLanes() == [])
    }

    package func haltsAndGoesOn() async throws {
        let fixture = try await fixture(users: 2)
        let send = try await plannedSend(to: .everyone, in: fixture)
        #expect(try await claim(1).count == 1)
        #expect(try await store.control(send.id, .pause, noting: nil, now: now))
        #expect(
            try await store.claimDispatches(
                ClaimRequest(
                    limit: 10,
                    owner: "worker",
                    leaseEnd: now.addingTimeInterval(60),
                    now: now
                )
            ).rows.isEmpty
        )
        #expect(try await store.control(send.id, .resume, noting: nil, now: now))
        #expect(try await claim(10).count == 1)
    }

    package func believesALateOutcome() async throws {
        let fixture = try await fixture(users: 1)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let row = try #require(try await claim(1).first)
        let later = now.addingTimeInterval(61)
        // Another worker has it now, and has no outcome yet.
        #expect(try await claim(1, at: later).count == 1)
        func record(_ change: DispatchUpdate.Change) async throws {
            try await store.record(
                [DispatchUpdate(send: send.id, device: row.device.id, change: change)],
                now: later
            )
        }
        try await record(.accepted(providerID: "a"))
        try await record(.retry(reason: "timeout", at: later))
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.accepted: 1])
        #expect(try await store.markFinishedSends(now: later) == [send.id])
        try await expectExactCounts(of: send.id)
    }

    package func recordsTwoOutcomesOfADispatchAtOnce() async throws {
        let fixture = try await fixture(users: 3)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let rows = try await claim(3)
        let changes: [(Int, DispatchUpdate.Change)] = [
            (0, .retry(reason: "HTTP 500", at: now)), (1, .accepted(providerID: "a")),
            // The worker that had it before tells how it ended after all.
            (0, .accepted(providerID: "b")), (1, .rejected(reason: "late", retiresToken: false)),
            (2, .skipped(reason: "Aborted: no")),
        ]
        try await store.record(
            changes.map {
                DispatchUpdate(send: send.id, device: rows[$0].device.id, change: $1)
            },
            now: now
        )
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.accepted: 2, .skipped: 1])
        #expect(try await store.markFinishedSends(now: now) == [send.id])
        try await expectExactCounts(of: send.id)
    }

    package func countsWhatTheRowsSay() async throws {
        let fixture = try await fixture(users: 6)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let rows = try await claim(5)
        let changes: [DispatchUpdate.Change] = [
            .accepted(providerID: "a"), .retry(reason: "HTTP 500", at: now),
            .postponed(reason: "HTTP 503", at: now), .skipped(reason: "Aborted: no"),
        ]
        try await store.record(
            zip(rows, changes).map {
                DispatchUpdate(send: send.id, device: $0.device.id, change: $1)
            },
            now: now
        )
        try await expectExactCounts(of: send.id)
        let again = try await claim(2)
        #expect(again.count == 2)
        try await expectExactCounts(of: send.id)
        // One holds a row and dies, one user is deleted, and the rest is stopped.
        _ = try await store.deleteUsers(
            [rows[4].profile.id],
            in: fixture.workspace,
            noting: nil,
            now: now
        )
        try await expectExactCounts(of: send.id)
        _ = try await store.releaseLeases(owner: "worker", now: now)
        try await expectExactCounts(of: send.id)
        #expect(try await store.control(send.id, .stop, noting: nil, now: now))
        try await expectExactCounts(of: send.id)
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.accepted: 1, .skipped: 4, .unknown: 1])
        let reasons = try await store.failureReasons(of: send.id)
        #expect(
            Set(reasons.map { "\($0.state) \($0.reason) \($0.count)" })
                == ["skipped Cancelled 3", "skipped Aborted: no 1", "unknown UserDeleted 1"]
        )
        try await store.recount(send.id)
        #expect(try await store.counts(of: [send.id])[send.id] == counts)
    }

    package func keepsWhatIsHeldBesideADeletedUser() async throws {
        let fixture = try await fixture(users: 3)
        _ = try await plannedSend(to: .everyone, in: fixture)
        let rows = try await claim(3)
        _ = try await store.deleteUsers(
            [rows[0].profile.id],
            in: fixture.workspace,
            noting: nil,
            now: now
        )
        #expect(try await store.releaseLeases(owner: "worker", now: now) == 2)
        #expect(
            Set(try await claim(3).map(\.device.id)) == Set(rows.dropFirst().map(\.device.id))
        )
    }

    package func givesBackOnlyWhatTheWorkerHolds() async throws {
        let fixture = try await fixture(users: 4)
        let send = try await plannedSend(to: .everyone, in: fixture)
        func record(_ row: ClaimedDispatch, _ change: DispatchUpdate.Change) async throws {
            let result = DispatchUpdate(send: send.id, device: row.device.id, change: change)
            try await store.record([result], now: now)
        }
        func claim(by owner: String, _ limit: Int) async throws -> [ClaimedDispatch] {
            let request = ClaimRequest(
                limit: limit,
                owner: owner,
                leaseEnd: now.addingTimeInterval(60),
                now: now
            )
            return try await store.claimDispatches(request).rows
        }
        let rows = try await claim(by: "worker", 4).sorted { $0.device.id < $1.device.id }
        #expect(rows.count == 4)
        try await record(rows[1], .accepted(providerID: "a"))
        // Among the worker's rows lies one that another one takes.
        try await record(rows[2], .postponed(reason: "HTTP 503", at: now))
        let taken = try await claim(by: "another", 4)
        #expect(taken.map(\.device.id) == [rows[2].device.id])
        #expect(try await store.releaseLeases(owner: "worker", now: now) == 2)
        let again = try await claim(by: "worker", 4)
        #expect(Set(again.map(\.device.id)) == [rows[0].device.id, rows[3].device.id])
        try await record(taken[0], .accepted(providerID: "b"))
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.accepted: 2, .sending: 2])
        try await expectExactCounts(of: send.id)
    }

    package func claimsAsManyRowsAsAskedOfAllSends() async throws {
        let fixture = try await fixture(users: 5)
        for _ in 0..<3 { _ = try await plannedSend(to: .everyone, in: fixture) }
        for (second, limit) in [2, 7, 1, 4].enumerated() {
            let rows = try await claim(limit, at: now.addingTimeInterval(Double(second) / 1_000))
            #expect(rows.count == limit)
            if limit == 7 { #expect(Set(rows.map(\.send)).count == 3) }
        }
        #expect(try await claim(100).count == 1)
    }

    package func countsNoAttemptWhenAPushIsPostponed() async throws {
        let fixture = try await fixture(users: 1)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let row = try #require(try await claim(1).first)
        let later = now.addingTimeInterval(10)
        try await store.record(
            [
                DispatchUpdate(
                    send: send.id,
                    device: row.device.id,
                    change: .postponed(reason: "HTTP 503", at: later)
                )
            ],
            now: now
        )
        #expect(try await claim(1).isEmpty)
        #expect(try await claim(1, at: later).map(\.attempts) == [0])
    }

    package func skipsWhatComesBackAfterAStop() async throws {
        let fixture = try await fixture(users: 1)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let row = try #require(try await claim(1).first)
        #expect(try await store.control(send.id, .stop, noting: nil, now: now))
        try await store.record(
            [
                DispatchUpdate(
                    send: send.id,
                    device: row.device.id,
                    change: .retry(reason: "HTTP 500", at: now.addingTimeInterval(1))
                )
            ],
            now: now
        )
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.skipped: 1])
        try await expectExactCounts(of: send.id)
    }

    package func retiresOnlyTheTokenThatIsDead() async throws {
        let fixture = try await fixture(users: 2)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let rows = try await claim(2)
        let tokens = [rows[0].device.push?.token, "an older one"]
        try await store.record(
            zip(rows, tokens).map { row, token in
                var result = DispatchUpdate(
                    send: send.id,
                    device: row.device.id,
                    change: .rejected(reason: "Unregistered", retiresToken: true)
                )
                result.token = token
                return result
            },
            now: now
        )
        #expect(try await store.devices(of: rows[0].profile.id).map(\.push) == [nil])
        #expect(try await store.devices(of: rows[1].profile.id).map(\.push) != [nil])
    }
}
