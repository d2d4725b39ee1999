import Foundation

/// The results of `bench segments`.
struct SegmentsReport: Codable {
    var users: Int
    var events: Int
    var seed: UInt64
    var workers: Int
    /// Time until every user is in memory, from rows generated in this process, in seconds.
    var importSeconds: Double
    /// Processor time of the import in seconds; less than twice the elapsed time means that two
    /// processors were not fully available.
    var importProcessorSeconds: Double
    /// From a file.
    var start: Start?
    /// From a database of PostgreSQL.
    var postgresStart: Start?
    var peakResidentMegabytes = 0.0
    var megabytes: [String: Double] = [:]
    var megabytesPerMillionUsers = 0.0
    /// By the names of `audience-expected.json`.
    var counts: [String: Int] = [:]
    /// Medians of warm runs, like all times of segments.
    var milliseconds: [String: Double] = [:]
    /// `nil` if no file of expected counts was given.
    var countsAreExpected: Bool?
    var streamedUsers = 0
    var streamSeconds = 0.0
    var updatesPerSecond = 0.0
    /// The same segments with a specialized loop for each, on one thread.
    var loopMilliseconds: [String: Double] = [:]
    var loopCountsAgree: Bool?
    /// Our time divided by that of the loop.
    var timesLoops: [String: Double] = [:]
    var duckDB: DuckDB?
    /// The reason why there is no comparison with DuckDB.
    var duckDBReason: String?

    /// The start of a server from a database with the same users and events.
    struct Start: Codable {
        /// Time from opening the database until every user is in memory, in seconds.
        var secondsToReady: Double
        var processorSeconds: Double
        var databaseMegabytes: Double
        /// Time to fill it, in seconds; `nil` if that was done before.
        var secondsToFillDatabase: Double?
        /// Whether the six counts equal those of the rows generated in this process.
        var countsAgree: Bool
        var megabytesPerMillionUsers: Double
    }

    /// The same segments in DuckDB on one thread.
    struct DuckDB: Codable {
        var version: String
        var milliseconds: [String: Double]
        var counts: [String: Int]
        var countsAgree: Bool
        /// DuckDB's time divided by ours.
        var timesFaster: [String: Double]
    }

    /// Whether everything that was counted twice has equal results.
    var isConsistent: Bool {
        let agreements = [
            countsAreExpected, start?.countsAgree, postgresStart?.countsAgree, loopCountsAgree,
            duckDB?.countsAgree,
        ]
        return agreements.allSatisfy { $0 ?? true }
    }

    func write(asJSON isJSON: Bool) throws {
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(self), as: UTF8.self))
            return
        }
        print("\(users) users, \(events) events, seed \(seed), \(workers) workers")
        print(
            "import \(text(importSeconds)) s, \(text(importProcessorSeconds)) s of processor time"
        )
        writeStart()
        for (name, size) in megabytes.sorted(by: { $0.key < $1.key }) {
            print("  \(name) \(text(size)) MB")
        }
        print("\(text(megabytesPerMillionUsers)) MB per million users")
        print("\(text(peakResidentMegabytes)) MB resident at most")
        writeSegments()
        print("devices of f: \(counts["f_tokens"] ?? 0)")
        if let countsAreExpected {
            print("counts: " + (countsAreExpected ? "as expected" : "NOT as expected"))
        }
        print("streamed \(streamedUsers) users in \(text(streamSeconds)) s")
        print("\(text(updatesPerSecond)) commits of 10 profiles and 50 events a second")
    }

    private func writeStart() {
        guard let start else {
            print("a server's start from a database is measured with --start")
            return
        }
        write(start, from: "a file")
        if let postgresStart { write(postgresStart, from: "PostgreSQL") }
    }

    private func write(_ start: Start, from place: String) {
        if let seconds = start.secondsToFillDatabase {
            print(
                "\(text(seconds)) s to fill \(place) with \(text(start.databaseMegabytes)) MB"
            )
        }
        print(
            "start to ready from \(place) \(text(start.secondsToReady)) s, "
                + "\(text(start.processorSeconds)) s of processor time; counts "
                + (start.countsAgree ? "agree" : "DIFFER")
        )
    }

    private func writeSegments() {
        func cell(_ text: String) -> String {
            String(repeating: " ", count: max(1, 12 - text.count)) + text
        }
        func number(_ value: Double?, _ unit: String = "") -> String {
            cell(value.map { text($0) + unit } ?? "–")
        }
        var heads = ["users", "ms", "loops ms", "× loops"]
        if duckDB != nil { heads += ["DuckDB ms", "faster"] }
        print(" " + heads.map(cell).joined())
        for name in milliseconds.keys.sorted() {
            let key = name == "f" ? "f_users" : name
            var line = name + cell(String(counts[key] ?? 0)) + number(milliseconds[name])
            line += number(loopMilliseconds[name]) + number(timesLoops[name])
            if let duckDB {
                line += number(duckDB.milliseconds[name])
                line += number(duckDB.timesFaster[name], " ×")
            }
            print(line)
        }
        if loopCountsAgree == false { print("the loops' counts DIFFER") }
        if let duckDB {
            print(
                "DuckDB \(duckDB.version), one thread: counts "
                    + (duckDB.countsAgree ? "agree" : "DIFFER: \(duckDB.counts)")
            )
        }
        if let duckDBReason { print("without DuckDB: \(duckDBReason)") }
    }

    private func text(_ value: Double) -> String { String(format: "%.2f", value) }
}
