import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import StoreSQL
import Testing

/// Random histories told to a server that removes old reports of in-app messages and to one that keeps
/// all: each figure is the same.
@Suite("Old reports of in-app messages that are removed")
struct InAppReportRemovalTests {
    private static let goal = ConversionEvent(
        event: EventMatch(.custom(name: EventHistory.goal))
    )

    private func history(_ seed: UInt64, deletesLate: Bool = true) async throws -> EventHistory {
        try await EventHistory.removing(
            seed,
            EventHistory.Options(removes: .inAppReports, deletesLate: deletesLate)
        )
    }

    private struct Figures: Equatable {
        var counts: InAppMessageCounts?
        var variants: [String: InAppMessageCounts]
        var groups: [Int?: InAppGroupCounts]
        var withheld: InAppGroupCounts
        var reach: [Int?]
    }

    private func figures(
        _ server: EventHistory.Server,
        _ message: UUID,
        _ goal: ConversionEvent?
    ) async throws -> Figures {
        let (store, workspace) = (server.store, server.workspace)
        let reach = try await store.inAppReach(of: message, goal: goal, in: workspace)
        return Figures(
            counts: try await store.inAppMessageCounts(of: [message], in: workspace)[message],
            variants: try await store.inAppMessageVariantCounts(of: message, in: workspace),
            groups: try await store.inAppMessageGroups(
                of: message,
                goal: goal,
                in: workspace,
                numbers: [0, 1]
            ),
            withheld: try await store.inAppWithheld(of: message, goal: goal, in: workspace),
            reach: [
                reach.shown, reach.clicked, reach.converted?.shown, reach.control,
                reach.converted?.control, reach.withheld.users, reach.withheld.converted,
            ]
        )
    }

    @Test(
        "change no figure of a message, its variants and persons",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func messages(seed: UInt64) async throws {
        let history = try await history(seed)
        let (removing, keeping) = (history.removing, history.keeping)
        for (message, goal) in [(history.welcome, Self.goal), (history.news, nil)] {
            let own = try await figures(removing, message, goal)
            #expect(try await own == figures(keeping, message, goal), "seed \(seed)")
            #expect((own.counts?.impressions ?? 0) > 10 && own.groups.count == 3)
            let reach = try await removing.store.inAppReach(
                of: message,
                goal: goal,
                in: removing.workspace
            )
            #expect(reach.completeSince == nil)
        }
        for id in try await keeping.columns.select(.all([]), at: .init(now: 0)).profiles() {
            let figures = try await removing.store.figures(of: ProfileID(id))
            let all = try await keeping.store.figures(of: ProfileID(id))
            #expect(figures == all, "seed \(seed)")
        }
    }

    @Test("stay in the counts of every day and hour")
    func steps() async throws {
        let history = try await history(11, deletesLate: false)
        for zone in ["Asia/Tokyo", "America/Sao_Paulo"] {
            let days = LocalDays(try #require(TimeZone(identifier: zone)))
            for boundaries in [
                days.days(200, endingAt: history.now), days.hours(3_000, endingAt: history.now),
            ] {
                func steps(_ server: EventHistory.Server) async throws -> [InAppMessageCountsBucket]
                {
                    try await server.store.inAppMessageSteps(
                        of: history.news,
                        in: server.workspace,
                        between: boundaries
                    )
                }
                let own = try await steps(history.removing)
                #expect(try await own == steps(history.keeping), "\(zone)")
                #expect(own.reduce(0) { $0 + $1.impressions } > 10)
            }
        }
    }

    @Test("are told again in vain, and a goal that is chosen afterwards says since when it counts")
    func afterwards() async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000) + 200 * EventHistory.day
        let server = try await EventHistory.Server { now }
        let message = UUID()
        func tell(_ items: [IngestItem], at time: Date) async throws -> [IngestOutcome] {
            let phone = SDKDevice(
                id: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
                platform: "ios"
            )
            let request = IngestRequest(
                workspace: server.workspace,
                source: .device(phone, app: server.app),
                items: items
            )
            return try #require(try await server.store.ingest([request], now: time).first)
        }
        func item(_ user: String, _ days: Double, _ content: IngestItem.Content) -> IngestItem {
            IngestItem(
                recordID: UUID(),
                user: .external(user),
                time: now - days * EventHistory.day,
                content: content
            )
        }
        func shown(_ user: String, _ days: Double) -> IngestItem {
            item(
                user,
                days,
                .inAppMessage(
                    .init(
                        kind: .impression,
                        message: message.uuidString.lowercased(),
                        variant: "0"
                    )
                )
            )
        }
        func didIt(_ user: String, _ days: Double) -> IngestItem {
            item(user, days, .event(name: EventHistory.goal, properties: [:]))
        }
        let old = [
            shown("ada", 90), shown("ada", 80), shown("bo", 70), didIt("ada", 79.9),
        ]
        let recent = [shown("bo", 3), shown("cy", 2), didIt("cy", 1.9)]
        _ = try await tell(old, at: now - 45 * EventHistory.day)
        _ = try await tell(recent, at: now - EventHistory.day)
        for kind in [RetainedKind.recordIDs, .inAppReports] {
            while try await !server.store.removeRows(
                kind,
                in: server.workspace,
                olderThan: now - 30 * EventHistory.day,
                lookingAt: 2,
                now: now
            ).isLast {}
        }
        let removed = try await server.store.retentionProgress(in: server.workspace)
            .first { $0.kind == .inAppReports }?.removed
        #expect(removed == 3)
        let again = try await tell(old + recent, at: now)
        #expect(again == Array(repeating: IngestOutcome.duplicate, count: 7))

        let without = try await figures(server, message, nil)
        #expect(without.counts?.impressions == 5 && without.counts?.recipients == 3)
        #expect(without.groups == [0: InAppGroupCounts(users: 3, clicked: 0)])
        let with = try await figures(server, message, Self.goal)
        #expect(with.groups == [0: InAppGroupCounts(users: 1, clicked: 0, converted: 1)])
        let reach = try await server.store.inAppReach(
            of: message,
            goal: Self.goal,
            in: server.workspace
        )
        #expect(reach.completeSince == Date(milliseconds: old[2].time.milliseconds + 1))
        #expect(
            try await server.store.inAppConversionsSince(of: message, in: server.workspace)
                == reach.completeSince
        )
    }
}
