import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import StoreConformance
import StoreSQL
import Testing

/// Random histories of pushes with merges, deletions and late reports, told to a server that removes
/// old reports and to one that keeps all. What the first one answers without saying since when, the
/// second one answers too.
@Suite("Old reports of pushes that are removed")
struct PushReportRemovalTests {
    private func history(_ seed: UInt64) async throws -> EventHistory {
        try await EventHistory.removing(seed, EventHistory.Options(removes: .pushReports))
    }

    private func condition(_ history: EventHistory) -> ActivityCondition {
        var condition = RandomConditions.condition(&history.random, now: history.now)
        guard Int.random(in: 0..<8, using: &history.random) > 0 else { return condition }
        let actions = MessageAction.allCases
        let campaigns: [[String]] = [[], [], ["71"], ["71", "72"], ["72", "push 3"], [""]]
        condition.subject = .message(
            actions[.random(in: 0..<actions.count, using: &history.random)],
            campaigns: campaigns[.random(in: 0..<campaigns.count, using: &history.random)]
        )
        condition.properties = []
        return condition
    }

    @Test(
        "change no answer of a segment that does not say so",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func segments(seed: UInt64) async throws {
        let history = try await history(seed)
        try await Answers(history).compare("seed \(seed)", times: 250) {
            condition(history)
        }
    }

    @Test(
        "leave columns that are those of a restart, and of rows read one by one",
        arguments: 21...23 as ClosedRange<UInt64>
    )
    func rebuild(seed: UInt64) async throws {
        let history = try await history(seed)
        let server = history.removing
        let columns = try await server.columns
        let view = try await server.store.audienceView()
        let rows = try await view.rows(of: server.workspace)
        #expect(try await columns.differences(from: rows) == [], "seed \(seed)")
        let rebuilt = try await AudienceBuilder.build(from: rows)
        let time = EvaluationTime(now: Int64(history.now.timeIntervalSince1970))
        for _ in 0..<150 {
            let condition = condition(history)
            let rule = SegmentRule.condition(.activity(condition))
            let own = try await columns.select(rule, at: time, source: rows).profiles()
            let anew = try await rebuilt.select(rule, at: time, source: rows).profiles()
            #expect(own == anew, "seed \(seed): \(condition)")
            let mismatch = try await columns.verify(rule, at: time, source: rows)
            #expect(mismatch.isEmpty, "seed \(seed): \(condition)")
        }
        // The removal of a row changes nothing: only the beginning of a pass does.
        try await server.audience.rebuild()
        #expect(try await server.columns.differences(from: rows) == [], "seed \(seed)")
    }

    @Test(
        "change no figure of a push and a person, as they came and counted again",
        arguments: 41...44 as ClosedRange<UInt64>
    )
    func figures(seed: UInt64) async throws {
        let history = try await history(seed)
        let (removing, keeping) = (history.removing, history.keeping)
        let sends = try await keeping.store.sends(in: keeping.workspace, limit: 500, offset: 0)
        let users = try await keeping.columns.select(.all([]), at: .init(now: 0)).profiles()
        for name in ["as they came", "counted again"] {
            let own = try await removing.store.counts(of: sends.map(\.id))
            let all = try await keeping.store.counts(of: sends.map(\.id))
            #expect(own == all, "seed \(seed), \(name)")
            #expect(all.values.contains { $0.influenced > 0 })
            #expect(all.values.contains { $0.opened > 0 })
            for id in users {
                let figures = try await removing.store.figures(of: ProfileID(id))
                let told = try await keeping.store.figures(of: ProfileID(id))
                #expect(figures == told, "seed \(seed), \(name), user \(id)")
            }
            for server in [removing, keeping] {
                try await server.store.recountOpens(in: server.workspace)
            }
        }
    }

    // MARK: One by one

    @Test("leave their sum and when the push came, and are told again in vain")
    func toldAgain() async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000) + 200 * EventHistory.day
        let server = try await EventHistory.Server { now }
        let (store, workspace) = (server.store, server.workspace)
        let phone = SDKDevice(
            id: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            platform: "ios"
        )
        func item(_ days: Double, _ content: IngestItem.Content) -> IngestItem {
            let time = now - days * EventHistory.day
            return IngestItem(
                recordID: UUID(),
                user: .external("ada"),
                time: time,
                content: content
            )
        }
        func tell(_ items: [IngestItem], daysAgo days: Double) async throws -> [IngestOutcome] {
            let request = IngestRequest(
                workspace: workspace,
                source: .device(phone, app: server.app),
                items: items
            )
            let moment = now - days * EventHistory.day
            return try #require(try await store.ingest([request], now: moment).first)
        }
        let registration = PushRegistration(
            provider: .apns,
            token: "ada",
            environment: .sandbox,
            authorization: .authorized,
            registeredAt: now - 100 * EventHistory.day
        )
        _ = try await tell([item(100, .pushRegistered(registration))], daysAgo: 100)
        let sent = now - 99 * EventHistory.day
        let send = try await store.createSend(
            SendContent(message: PushMessage(body: "Hello"), audience: .everyone),
            in: workspace,
            scheduledAt: sent,
            now: sent
        )
        _ = try await store.startPlanningDueSends(now: sent)
        while try await !store.planNextBatch(of: send.id, limit: 50, now: sent).isComplete {}
        let claimed = try await server.conformance.claim(10, at: sent)
        let device = try #require(claimed.first).device.id
        let accepted = DispatchUpdate(
            send: send.id,
            device: device,
            change: .accepted(providerID: nil)
        )
        try await store.record([accepted], now: sent)
        func report(
            _ days: Double,
            _ kind: SDKRecord.PushInteraction.Kind
        ) -> IngestItem {
            item(
                days,
                .pushInteraction(
                    SDKRecord.PushInteraction(
                        kind: kind,
                        dispatch: DispatchID(workspace: workspace, send: send.id, device: device)
                            .uuid,
                        pushNumber: send.id.rawValue
                    )
                )
            )
        }
        let reports = [
            report(98, .received), report(97, .opened), report(96, .opened), report(2, .opened),
        ]
        _ = try await tell(reports.dropLast(), daysAgo: 95)
        _ = try await tell(reports.suffix(1), daysAgo: 1)
        for _ in 0..<2 { try await server.audience.catchUp() }
        for kind in [RetainedKind.recordIDs, .pushReports, .pushReports] {
            while try await !store.removeRows(
                kind,
                in: workspace,
                olderThan: now - 30 * EventHistory.day,
                lookingAt: 2,
                now: now
            ).isLast {}
        }
        let progress = try await store.retentionProgress(in: workspace)
        #expect(progress.first { $0.kind == .pushReports }?.removed == 3)
        #expect(
            try await tell(reports, daysAgo: 0)
                == Array(repeating: IngestOutcome.duplicate, count: 4)
        )
        let found = try await store.profile(.external("ada"), in: workspace)
        let rows = try await store.rows(of: try #require(found).id)
        func moment(_ place: Int) -> JSONValue { .string(Timestamp.format(reports[place].time)) }
        let message = JSONValue.string("push \(send.id)")
        #expect(
            rows["removed_push_reports"] == [
                [
                    "kind": "opened", "message": message, "count": 2, "first_at": moment(1),
                    "last_at": moment(2),
                ],
                [
                    "kind": "received", "message": message, "count": 1, "first_at": moment(0),
                    "last_at": moment(0),
                ],
            ]
        )
        #expect(rows["removed_push_arrivals"]?.map { $0["time"] } == [moment(0)])
        #expect(rows["push_interactions"]?.map { $0["time"] } == [moment(3)])
        let three = SegmentRule.condition(
            .activity(
                ActivityCondition(
                    subject: .message(.opened, campaigns: []),
                    measure: .count(.equal, 3)
                )
            )
        )
        let time = EvaluationTime(now: Int64(now.timeIntervalSince1970))
        #expect(try await server.columns.select(three, at: time).count().users == 1)
    }
}
