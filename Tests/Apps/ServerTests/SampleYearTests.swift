import Accounts
import Foundation
import Model
import Ports
import SampleWorkspace
import Testing

@testable import Server

@Suite("A year of a tea house, for demos")
struct SampleYearTests {
    private static let end = SampleWorkspace.now

    private struct Result: Hashable {
        var users: Int
        var sends: Int
        var counts: [DispatchState: Int]
        var opens: Int
        var events: [String]
        /// On the last day, in the order of their creation.
        var segments: [Int]
        /// By variant.
        var shown: [String: Int]
        var entered: Int
        var converted: Int
    }

    /// A season of some guests.
    private func write() async throws -> Result {
        let sample = try await SampleServer.open(.empty, now: Self.end)
        defer { sample.remove() }
        let store = sample.server.store
        let workspace = try #require(try await store.workspaces().first).id
        var apps: [String: App] = [:]
        for platform in ["ios", "android", "web"] {
            apps[platform] = try await sample.server.apps.create(
                name: "Tea House",
                platform: platform,
                identifier: platform == "web" ? "https://tea.example/" : "example.tea.\(platform)",
                by: .commandLine(account: "mio", workspace)
            )
        }
        let year = SampleYear(
            store,
            workspace,
            apps: apps,
            people: 80,
            days: 45,
            until: Self.end
        )
        #expect(try await !year.isWritten)
        try await year.write()
        #expect(try await year.isWritten)
        let sends = try await store.sends(in: workspace, limit: 100, offset: 0)
        var counts: [DispatchState: Int] = [:]
        var opens = 0
        for send in sends {
            #expect(try await store.countMismatches(of: send.id) == [])
            #expect(send.state == .finished)
            #expect(send.scheduledAt <= Self.end)
            let found = try await store.counts(of: [send.id])[send.id] ?? SendCounts()
            counts.merge(found.states, uniquingKeysWith: +)
            opens += found.opened
        }
        let days = Int(Self.end.timeIntervalSince1970 / 86_400)
        var segments: [Int] = []
        for segment in try await store.segments(in: workspace).sorted(by: { $0.id < $1.id }) {
            let sizes = try await store.segmentSizes(of: segment.id, days: days - 60...days)
            #expect(sizes.count >= 45)
            segments.append(sizes.max { $0.day < $1.day }?.users ?? 0)
        }
        let messages = try await store.inAppMessages(
            in: workspace,
            states: [.active],
            limit: 9,
            offset: 0
        )
        let message = try #require(messages.first)
        let shown = try await store.inAppMessageVariantCounts(of: message.id, in: workspace)
        let journeys = try await store.journeys(in: workspace, matching: JourneyQuery())
        let journey = try #require(journeys.journeys.first)
        let totals = try await store.totals(of: [journey.id])[journey.id] ?? JourneyTotals()
        return Result(
            users: try await store.userCounts(in: workspace).users,
            sends: sends.count,
            counts: counts,
            opens: opens,
            events: try await store.eventNames(in: workspace, limit: 50, offset: 0).sorted(),
            segments: segments,
            shown: shown.mapValues(\.impressions),
            entered: totals.entered,
            converted: totals.converted
        )
    }

    @Test("has guests, launches and opens that add up, and is the same each time")
    func season() async throws {
        let result = try await write()
        #expect(result.users == 80)
        // Six or seven Fridays, the month's push, and those of the journey.
        #expect(result.sends > 8)
        #expect(result.counts[.accepted, default: 0] > 50)
        #expect(result.counts[.queued, default: 0] == 0)
        #expect(result.opens > 0)
        #expect(result.events.contains("added_to_cart"))
        #expect(result.segments.count == 4)
        // In so short a season hardly anybody has stayed away for a month.
        let others = result.segments.dropLast()
        #expect(others.allSatisfy { (1...79).contains($0) }, "\(result.segments)")
        #expect(Set(result.shown.keys) == ["0", "1", "control"])
        #expect(result.entered == 80)
        #expect((10...70).contains(result.converted))
        #expect(try await write() == result)
    }
}
