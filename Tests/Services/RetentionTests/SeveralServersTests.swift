import Audience
import Foundation
import Model
import Ports
import Segments
import StoreSQL
import StoreTesting
import Testing

/// Of several servers one removes what is old, and the others' columns stay what the rows say, however far
/// behind they are, and also where one of them begins meanwhile.
@Suite("What one of several servers removes", .enabled(if: StoreKind.available.contains(.postgres)))
struct SeveralServersTests {
    @Test(
        "leaves the columns of the others exact",
        arguments: [.customEvents, .sessions, .pushReports] as [RetainedKind],
        1...2 as ClosedRange<UInt64>
    )
    func columns(kind: RetainedKind, seed: UInt64) async throws {
        try await Slots.postgres.run {
            let history = try await EventHistory(
                seed: seed,
                EventHistory.Options(removes: kind),
                on: .postgres
            )
            try await history.begin(beside: 2)
            try await history.run(days: 90)
            #expect(history.removed > 20, "\(kind), seed \(seed)")
            let leader = history.removing
            for server in history.beside { try await server.follow() }
            let rows = try await leader.store.audienceView().rows(of: leader.workspace)
            for (number, server) in history.beside.enumerated() {
                let columns = try await server.audience.columns(of: leader.workspace)
                let differences = try await columns.differences(from: rows)
                #expect(differences == [], "\(kind), seed \(seed), server \(number)")
            }
            #expect(try await leader.columns.differences(from: rows) == [])
            let book = WorkspaceSegmentResolver(segments: [], lists: [])
            for _ in 0..<60 {
                let condition = RandomConditions.condition(&history.random, now: history.now)
                var answers: Set<[Int64]> = []
                for audience in [leader.audience] + history.beside.map(\.audience) {
                    let selection = try await audience.select(
                        SegmentRule.condition(.activity(condition)),
                        book: book,
                        in: leader.workspace
                    )
                    answers.insert(try await selection.profiles())
                }
                #expect(answers.count == 1, "\(kind), seed \(seed): \(condition)")
            }
            try await history.end()
        }
    }
}
