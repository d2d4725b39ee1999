import ArgumentParser
import Foundation
import GRDBSQLite
import Model
import NoroshiWire
import StoreSQL

/// Events per second at the store, by the kind of their ids.
struct RecordIDsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-ids",
        abstract: "Events with ids of records to rows, by the kind of ids.",
        discussion: """
            Stores events of 1,000 a commit without the network, in four databases one after the \
            other: with random ids and with ids that grow with time, each with the index of ids \
            by their age, which there was until 0.2, and without it. Events are stored before, so \
            that the indexes have their size.
            """
    )

    @Option(help: "Events to store in each run.")
    var events = 500_000

    @Option(help: "Events that are stored before.")
    var stored = 2_000_000

    @Option(help: "Users whose events they are.")
    var users = 50_000

    private enum Kind: String, CaseIterable {
        case random = "random ids"
        case growing = "ids that grow with time"
    }

    func run() async throws {
        for kind in Kind.allCases {
            for hasAgeIndex in [true, false] {
                let rate = try await measure(kind, hasAgeIndex: hasAgeIndex)
                let index = hasAgeIndex ? "with the index by age" : "without the index by age"
                print("\(kind.rawValue), \(index): \(Int(rate)) events/s")
            }
        }
    }

    private func measure(_ kind: Kind, hasAgeIndex: Bool) async throws -> Double {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("bench.sqlite").path
        try await SQLStore(path: path, synchronous: .normal).close()
        if hasAgeIndex { try addAgeIndex(path) }
        let store = try SQLStore(path: path, synchronous: .normal)
        let now = Date()
        let workspace = try await store.createWorkspace(
            name: "Bench",
            timeZone: "UTC",
            now: now
        )
        let ids = TimeOrderedIDs(now: { Date() })
        let makeID: () -> UUID = kind == .random ? { UUID() } : { ids.next() }
        func fill(_ range: Range<Int>) async throws {
            for first in stride(from: range.lowerBound, to: range.upperBound, by: 1_000) {
                let items = (first..<min(first + 1_000, range.upperBound)).map { number in
                    let seed = IngestWorkload.mix(UInt64(number))
                    return IngestItem(
                        recordID: makeID(),
                        user: .external("user-\(Int(seed % UInt64(users)))"),
                        // As they happen, one after the other.
                        time: now.addingTimeInterval(Double(number - stored) / 1_000),
                        content: .event(
                            name: IngestWorkload.names[
                                Int(seed >> 20) % IngestWorkload.names.count
                            ],
                            properties: [:]
                        )
                    )
                }
                let request = IngestRequest(workspace: workspace, source: .api, items: items)
                _ = try await store.ingest([request], now: now)
            }
        }
        try await fill(0..<stored)
        let start = ContinuousClock.now
        try await fill(stored..<(stored + events))
        let seconds = (ContinuousClock.now - start).seconds
        try await store.close()
        return Double(events) / seconds
    }

    private func addAgeIndex(_ path: String) throws {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK, let database else {
            throw BenchError("\(path) cannot be opened")
        }
        defer { sqlite3_close(database) }
        let sql = "CREATE INDEX seen_records_by_age ON seen_records (seen_at)"
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError(String(cString: sqlite3_errmsg(database)))
        }
    }
}
