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
        let users = try await server.columns.select(.all([]), at: .init(now: 0)).profiles()
        for id in users {
            lines.append("user \(id): \(try await store.figures(of: ProfileID(id)))")
        }
        for campaign in EventHistory.campaigns.map({ CampaignID(Int64($0)) }) {
            lines += try await figures(of: campaign, server, until: now)
            lines += try await persons(
                users.map { ProfileID($0) },
                in: campaign,
                server,
                until: now
            )
        }
        return lines
    }

    /// What is counted of a campaign's messages.
    private func figures(
        of campaign: CampaignID,
        _ server: EventHistory.Server,
        until now: Date
    ) async throws -> [String] {
        let store = server.store
        let source = LedgerSource.campaign(campaign)
        var lines = [
            "campaign \(campaign): \(try await store.reach(of: source))",
            "first \(String(describing: try await store.firstAcceptance(of: source)))",
            "totals \(String(describing: try await store.totals(of: [campaign])[campaign]))",
        ]
        for unit in [60, 300, 900, 1_800] as [Int64] {
            let delays = try await store.openDelays(of: source, unit: unit)
            let opens = delays.opens.sorted { $0.key < $1.key }
            // It is known to the minute, up to the end of the curve.
            let middle = delays.middle.map { min(2_881, ($0 + 59_999) / 60_000) }
            lines.append("campaign \(campaign), \(unit): \(opens), \(middle ?? -1)")
        }
        for tracking in [nil, "morning"] {
            for zone in ["Australia/Sydney", "Asia/Kathmandu"] {
                for day in try await store.dailyFigures(
                    of: campaign,
                    trackingID: tracking,
                    between: try days(in: zone, until: now)
                ) { lines.append("campaign \(campaign), \(zone), \(tracking ?? "all"): \(day)") }
            }
        }
        return lines
    }

    /// What is known of the persons in a campaign, whoever was merged or deleted.
    private func persons(
        _ users: [ProfileID],
        in campaign: CampaignID,
        _ server: EventHistory.Server,
        until now: Date
    ) async throws -> [String] {
        let store = server.store
        let reach = try await store.reach(of: .campaign(campaign))
        var lines = [
            "campaign \(campaign): \(reach.targeted), \(reach.delivered), \(reach.received)",
            "control \(try await store.controlGroupUsers(of: campaign))",
        ]
        let conversions = try await store.conversions(
            of: campaign,
            trackingID: nil,
            event: EventMatch(.custom(name: EventHistory.goal)),
            window: 3 * EventHistory.day
        )
        lines += conversions.map { "\($0)" }
        for tracking in [nil, "morning"] {
            lines += try await store.dailyFigures(
                of: campaign,
                trackingID: tracking,
                between: try days(in: "Australia/Sydney", until: now)
            ).map { "recipients \($0.uniqueRecipients)" }
        }
        let received = try await store.campaignsReceived(by: users)
        let recipients = try await store.recipients(
            users,
            in: server.workspace,
            reaching: DeviceTargeting(),
            campaign: campaign,
            contactsSince: .distantPast,
            before: nil
        )
        for user in users {
            for entry in try await store.entries(of: user, in: campaign) {
                let times = [entry.acceptedAt, entry.receivedAt, entry.openedAt].map {
                    $0.map { $0.milliseconds } ?? 0
                }
                lines.append("entry \(user) \(entry.send) \(times)")
            }
            let got = received[user]?.map { "\($0.name), \($0.lastReceivedAt), \($0.hasOpened)" }
            lines.append("received \(user) \(got ?? [])")
            lines.append("\(recipients.first { $0.profile == user }?.contacts ?? [])")
        }
        return lines
    }

    @Test(
        "count the persons of campaigns alike, whoever is merged or deleted later",
        arguments: 41...44 as ClosedRange<UInt64>
    )
    func persons(seed: UInt64) async throws {
        let history = try await EventHistory.removing(
            seed,
            EventHistory.Options(removes: .dispatches, isToldLate: false)
        )
        try await history.run(days: 40)
        for server in [history.removing, history.keeping] { try await server.audience.catchUp() }
        for number in EventHistory.campaigns {
            var lines: [[String]] = []
            for server in [history.removing, history.keeping] {
                let users = try await server.columns.select(.all([]), at: .init(now: 0)).profiles()
                lines.append(
                    try await persons(
                        users.map { ProfileID($0) },
                        in: CampaignID(Int64(number)),
                        server,
                        until: history.now
                    )
                )
            }
            #expect(lines[0].count == lines[1].count)
            for (one, other) in zip(lines[0], lines[1]) { #expect(one == other, "seed \(seed)") }
        }
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

    @Test("go, but young ones", arguments: 11...13 as ClosedRange<UInt64>)
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
            if isOld {
                #expect(own.isEmpty)
                gone += all.count
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
