import Foundation
import Model
import Phones
import Ports
import SampleWorkspace
import StoreSQL
import Testing

@testable import Server

@Suite("The week of a phone")
struct PhoneWeekTests {
    private static func isFailed(_ week: PhoneWeek, _ reason: PhoneWeek.Failure) -> Bool {
        if case .failed(reason) = week.state { true } else { false }
    }

    @Test(
        "says of a person nobody has played that there is nobody, and of a database that is away that it is"
    )
    func reasons() async throws {
        let sample = try await SampleServer.open(.empty)
        defer { sample.remove() }
        let store = try #require(sample.server.store as? SQLStore)
        let weeks = PhoneWeeks(
            store: store,
            workspace: try #require(try await store.workspaces().first).id,
            rehearsals: sample.server.rehearsals,
            now: { SampleWorkspace.now }
        )
        #expect(await Self.isFailed(weeks.week(of: "mio"), .nobody))
        #expect(await weeks.play(for: "mio") == .nobody)
        try await store.close()
        #expect(await Self.isFailed(weeks.week(of: "mio"), .broken))
        #expect(await weeks.play(for: "mio") == .broken)
    }
}
