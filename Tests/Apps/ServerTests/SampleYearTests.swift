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
        return Result(
            users: try await store.userCounts(in: workspace).users,
            sends: sends.count,
            counts: counts,
            opens: opens,
            events: try await store.eventNames(in: workspace, limit: 50, offset: 0).sorted()
        )
    }

    @Test("has guests, launches and opens that add up, and is the same each time")
    func season() async throws {
        let result = try await write()
        #expect(result.users == 80)
        // Six or seven Fridays, and the month's push.
        #expect((7...8).contains(result.sends))
        #expect(result.counts[.accepted, default: 0] > 50)
        #expect(result.counts[.queued, default: 0] == 0)
        #expect(result.opens > 0)
        #expect(result.events.contains("added_to_cart"))
        #expect(try await write() == result)
    }
}
