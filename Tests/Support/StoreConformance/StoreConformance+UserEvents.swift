import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    /// A random history of users who do something, are merged and deleted, while their events are indexed in blocks
    /// of a few: each user has the events that a calculation without an index gives them.
    package func findsTheEventsOfAUser(seed: UInt64) async throws {
        let workspace = try await fixture().workspace
        var random = SeededGenerator(seed: seed)
        var events: [String: [Int64]] = [:]
        var (number, names) = (Int64(0), 0)
        func user(_ name: String) async throws -> ProfileID {
            try #require(try await store.profile(.external(name), in: workspace)).id
        }
        func compare(_ step: String) async throws {
            for (name, numbers) in events {
                let id = try await user(name)
                let found = try await store.events(of: id, limit: 10_000)
                let told = found.compactMap { event -> Int64? in
                    guard case .integer(let number) = event.properties["n"] else { return nil }
                    return number
                }
                #expect(told.sorted() == numbers.sorted(), "seed \(seed), \(step): \(name)")
                let exported = try await store.rows(of: id)["events"] ?? []
                #expect(exported.count == numbers.count, "seed \(seed), \(step): \(name)")
            }
        }
        for step in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where events.count > 3:
                let pair = events.keys.sorted().shuffled(using: &random).prefix(2)
                let (source, target) = (pair[0], pair[1])
                _ = try await store.apply(
                    [.merge(.external(source), into: .external(target))],
                    in: workspace,
                    now: now
                )
                let moved = events.removeValue(forKey: source) ?? []
                events[target]? += moved
            case 1 where events.count > 3:
                // Often the one with the last row, whose number SQLite gives away again.
                let last = events.max { ($0.value.max() ?? 0) < ($1.value.max() ?? 0) }?.key
                let any = events.keys.sorted().randomElement(using: &random)
                let name = try #require(Bool.random(using: &random) ? last : any)
                let deleted = try await store.deleteUsers(
                    [try await user(name)],
                    in: workspace,
                    noting: nil,
                    now: now
                )
                #expect(deleted == 1)
                events[name] = nil
            case 2..<5:
                let size = Int.random(in: 1...12, using: &random)
                for _ in 0..<5 where try await !store.indexEvents(size) { break }
            default:
                var items: [IngestItem] = []
                for _ in 0..<Int.random(in: 1...30, using: &random) {
                    if Int.random(in: 0..<8, using: &random) == 0 { names += 1 }
                    let name = "user \(Int.random(in: max(0, names - 9)...names, using: &random))"
                    number += 1
                    events[name, default: []].append(number)
                    items.append(
                        IngestItem(
                            recordID: nil,
                            user: .external(name),
                            time: now,
                            content: .event(name: "viewed", properties: ["n": .integer(number)])
                        )
                    )
                }
                _ = try await ingest(items, in: workspace)
            }
            if step % 6 == 5 { try await compare("step \(step)") }
        }
        try await compare("the end")
        #expect(number > 100)
    }
}
