import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import Segments
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// Random histories of pushes told to a server that removes the dispatches of old ones and to one that
/// keeps all.
@Suite("Old dispatches that are removed")
struct DispatchRemovalTests {
    /// What nobody tells late, and no merge or deletion after the first removal changes.
    private static let early = EventHistory.Options(
        removes: .dispatches,
        deletesLate: false,
        mergesLate: false,
        isToldLate: false
    )

    private func sends(_ server: EventHistory.Server) async throws -> [Send] {
        try await server.store.sends(in: server.workspace, limit: 500, offset: 0)
    }

    private func closed(_ server: EventHistory.Server) async throws -> [SendID] {
        var closed: [SendID] = []
        for send in try await sends(server) where try await server.store.isRemoved(send.id) {
            closed.append(send.id)
        }
        return closed
    }

    // MARK: Figures

    @Test(
        "change no figure, as they came and counted again",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func figures(seed: UInt64) async throws {
        let history = try await EventHistory.removing(seed, Self.early)
        let (removing, keeping) = (history.removing, history.keeping)
        let sends = try await sends(keeping).map(\.id)
        for name in ["as they came", "counted again"] {
            let label = "seed \(seed), \(name)"
            let own = try await figures(of: sends, removing, until: history.now)
            let all = try await figures(of: sends, keeping, until: history.now)
            #expect(own.count == all.count)
            for (one, other) in zip(own, all) { #expect(one == other, "\(label)") }
            for server in [removing, keeping] {
                try await server.store.recountOpens(in: server.workspace)
                for send in sends {
                    #expect(try await server.store.countMismatches(of: send) == [])
                    try await server.store.recount(send)
                }
            }
        }
        let counts = try await keeping.store.counts(of: sends).values
        #expect(counts.contains { $0.influenced > 0 } && counts.contains { $0.opened > 0 })
    }

    private static func line(_ counts: SendCounts) -> String {
        let states = DispatchState.allCases.map { "\($0) \(counts[$0])" }
        return
            (states + [
                "received \(counts.received)", "opened \(counts.opened)",
                "influenced \(counts.influenced)", "dismissed \(counts.dismissed)",
                "gone \(counts.gone)",
            ]).joined(separator: ", ")
    }

    /// Everything that is counted of pushes and persons, one line for each figure.
    private func figures(
        of sends: [SendID],
        _ server: EventHistory.Server,
        until now: Date
    ) async throws -> [String] {
        let store = server.store
        var lines: [String] = []
        let counts = try await store.counts(of: sends)
        for send in sends {
            let source = LedgerSource.send(send)
            let reach = try await store.reach(of: source)
            lines += try await [
                "send \(send): \(Self.line(try #require(counts[send])))", "reach \(reach)",
                "first \(String(describing: store.firstAcceptance(of: source)))",
                "failures \(store.failureReasons(of: send))",
                "pages \(store.storyOpens(of: send).sorted { $0.key < $1.key })",
            ]
            for unit in [60, 300, 900, 1_800] as [Int64] {
                let delays = try await store.openDelays(of: source, unit: unit)
                let opens = delays.opens.sorted { $0.key < $1.key }
                lines.append("send \(send), \(unit): \(opens), \(delays.middle ?? -1)")
            }
        }
        for one in try await store.exportSends(in: server.workspace, after: 0, limit: 500) {
            lines.append("\(one)")
        }
        for zone in ["Australia/Sydney", "Australia/Lord_Howe", "Asia/Kathmandu"] {
            let boundaries = try days(in: zone, until: now)
            for day in try await store.figures(in: server.workspace, between: boundaries) {
                lines.append("\(zone), \(day)")
            }
        }
        for id in try await server.columns.select(.all([]), at: .init(now: 0)).profiles() {
            lines.append("user \(id): \(try await store.figures(of: ProfileID(id)))")
        }
        return lines
    }

    /// The days of a history, of which one in Sydney has 23 hours.
    private func days(in name: String, until now: Date) throws -> [Date] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: name))
        var days = [calendar.startOfDay(for: now - 250 * EventHistory.day)]
        while let last = days.last, last <= now {
            days.append(try #require(calendar.date(byAdding: .day, value: 1, to: last)))
        }
        let lengths = zip(days, days.dropFirst()).map { $1.timeIntervalSince($0) / 3_600 }
        #expect(name != "Australia/Sydney" || lengths.contains(23))
        return days
    }

    @Test("go, but those of campaigns and young ones", arguments: 11...13 as ClosedRange<UInt64>)
    func rows(seed: UInt64) async throws {
        let history = try await EventHistory.removing(seed, Self.early)
        // One that became old while a pass was under way goes with the next one.
        try await history.remove()
        let (removing, keeping) = (history.removing, history.keeping)
        let limit = history.now - Double(EventHistory.period) * EventHistory.day
        var gone = 0
        for send in try await sends(keeping) {
            let all = try await keeping.store.ledger(of: send.id, after: nil, limit: 500)
            let own = try await removing.store.ledger(of: send.id, after: nil, limit: 500)
            let isOld = try #require(send.finishedAt) < limit - 1
            let isOfCampaign = try await removing.isOfCampaign(send.id)
            if isOld, !isOfCampaign {
                #expect(own.isEmpty)
                gone += all.count
            } else if isOfCampaign {
                #expect(own.count == all.count)
            }
            #expect(try await removing.store.isRemoved(send.id) == (own.isEmpty && !all.isEmpty))
        }
        #expect(gone > 20 && gone == history.removed)
        let progress = try await removing.store.retentionProgress(in: removing.workspace)
        #expect(progress.first { $0.kind == .dispatches }?.removed == gone)
    }

    @Test(
        "change no answer of a segment, but of receipts that are told after the removal",
        arguments: 21...22 as ClosedRange<UInt64>,
        [false, true]
    )
    func segments(seed: UInt64, isToldLate: Bool) async throws {
        let history = try await EventHistory.removing(
            seed,
            EventHistory.Options(removes: .dispatches, isToldLate: isToldLate)
        )
        let answers = Answers(history)
        for server in [history.removing, history.keeping] {
            try await server.audience.catchUp()
        }
        let actions = MessageAction.allCases.filter { !isToldLate || $0 != .received }
        let campaigns: [[String]] = [[], ["71"], ["71", "72"], ["72", "push 3"], [""]]
        for number in 0..<150 {
            var condition = RandomConditions.condition(&history.random, now: history.now)
            condition.subject = .message(
                actions[.random(in: 0..<actions.count, using: &history.random)],
                campaigns: campaigns[.random(in: 0..<campaigns.count, using: &history.random)]
            )
            condition.properties = []
            let rule = SegmentRule.condition(.activity(condition))
            let (own, since) = try await answers.users(rule, of: history.removing)
            let (all, _) = try await answers.users(rule, of: history.keeping)
            #expect(own == all && since == nil, "seed \(seed), \(number): \(condition)")
        }
    }

    @Test(
        "leave figures that nothing changes any more: reports, sessions, merges, deletions",
        arguments: 31...34 as ClosedRange<UInt64>
    )
    func final(seed: UInt64) async throws {
        let history = try await EventHistory.removing(
            seed,
            EventHistory.Options(removes: .dispatches)
        )
        let server = history.removing
        let closed = try await closed(server)
        #expect(closed.count > 10)
        func figures() async throws -> [String] {
            let counts = try await server.store.counts(of: closed)
            var lines: [String] = []
            for send in closed {
                let source = LedgerSource.send(send)
                let reach = try await server.store.reach(of: source)
                let delays = try await server.store.openDelays(of: source, unit: 60)
                lines.append(Self.line(try #require(counts[send])))
                lines.append("\(reach) \(delays.middle ?? -1)")
            }
            return lines
        }
        let before = try await figures()
        try await history.run(days: 40)
        try await server.store.recountOpens(in: server.workspace)
        for send in try await sends(server) {
            #expect(try await server.store.countMismatches(of: send.id) == [], "seed \(seed)")
        }
        #expect(try await figures() == before, "seed \(seed)")
        // Days and pushes say the same of all that was ever sent.
        let days = try days(in: "Asia/Tokyo", until: history.now)
        let figures = try await server.store.figures(in: server.workspace, between: days)
        let meant = try await sends(server).filter { $0.content.isTest != true }.map(\.id)
        let counts = try await server.store.counts(of: meant).values
        var (delivered, opened) = (0, 0)
        for count in counts {
            delivered += count[.accepted]
            opened += count.opened + count.influenced
        }
        #expect(figures.map(\.delivered).reduce(0, +) == delivered)
        #expect(figures.map(\.opened).reduce(0, +) == opened)
    }
}

extension EventHistory.Server {
    func isOfCampaign(_ send: SendID) async throws -> Bool {
        try await SQLStore.testing(at: path).read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT campaign_id IS NOT NULL FROM sends WHERE id = ?",
                arguments: [send.rawValue]
            ) ?? false
        }
    }
}
