import Foundation
import Model
import Ports
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

extension QueryPlanTests {
    private static let journeyTables = [
        "journey_entries", "entries", "journey_passages", "journey_requests", "journey_calls",
        "calls", "journey_members", "journey_grants", "profiles", "events",
    ]

    @Test(
        "what moves people through journeys reads no one who is not due, and nothing that is over"
    )
    func journeys() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let conformance = StoreConformance(store)
        let now = conformance.now
        let heard = try await statements(store) {
            try await conformance.movesAnEntryOnce()
            try await conformance.takesARequestForAJourneyOnce()
            try await conformance.reservesInAppMessagesForJourneys()
            for journey in try await store.claimJourneys(
                owner: "plan",
                leaseEnd: now.addingTimeInterval(60),
                now: now
            ) {
                _ = try await store.dueEntries(of: journey.id, now: now, limit: 10)
                _ = try await store.lastEntries(of: [ProfileID(1)], in: journey.id)
                _ = try await store.entries(
                    of: [ProfileID(1)],
                    in: [journey.id],
                    endedSince: .distantPast
                )
                _ = try await store.knownMembers(of: journey.id, after: nil, limit: 10)
                _ = try await store.timeZones(of: [ProfileID(1)])
                _ = try await store.entries(of: ProfileID(1), in: journey.id)
            }
            _ = try await store.finishDrainedJourneys(now: now)
        }
        .filter { sql in
            ["SELECT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
                && sql.contains("journey")
        }
        // The hot ones are among them.
        for words in [
            "AND due_at <=", "needs_look = 1", "ORDER BY number DESC LIMIT 1", "has_requests",
            "state = 0 AND due_at", "journey_grants", "FROM journey_requests",
            "state = 'draining'", "journey_request_keys",
        ] {
            #expect(heard.contains { $0.contains(words) }, "nothing says \(words)")
        }
        for sql in heard {
            // Figures are counted from all rows of a journey, when somebody looks.
            guard !sql.contains("count(") else { continue }
            for step in try await steps(of: sql, store) {
                let reads = Self.journeyTables.contains {
                    step == "SCAN \($0)" || step.hasPrefix("SCAN \($0) ")
                }
                #expect(!reads, "\(step): \(sql)")
            }
        }
        func plan(_ words: String...) async throws -> [String] {
            let sql = try #require(heard.first { sql in words.allSatisfy(sql.contains) })
            return try await steps(of: sql, store)
        }
        let due = try await plan("journey_entries AS entries", "ORDER BY due_at, entries.id LIMIT")
        #expect(due.contains { $0.contains("journey_entries_due") }, "\(due)")
        #expect(!due.contains { $0.contains("TEMP B-TREE") }, "\(due)")
        let changed = try await plan("needs_look = 1", "LIMIT")
        #expect(changed.contains { $0.contains("journey_entries_to_look") }, "\(changed)")
        let calls = try await plan("SELECT EXISTS", "journey_calls")
        #expect(calls.contains { $0.contains("journey_calls_due") }, "\(calls)")
    }
}
