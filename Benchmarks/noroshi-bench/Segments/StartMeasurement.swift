import Audience
import Foundation
import Logging
import Model
import Ports
import Segments
import StoreSQL
import SyntheticAudience

/// Measures how long a server takes from its start until it can count: the real service with a real
/// database.
struct StartMeasurement {
    let audience: SyntheticAudience
    /// `nil` means a database in a temporary folder.
    let path: String?

    func measure(expecting expected: [String: Int]) async throws -> SegmentsReport.Start {
        if let path { return try await measure(path, expecting: expected) }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-start-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A remaining folder in the temporary directory is harmless.
            try? FileManager.default.removeItem(at: folder)
        }
        let file = folder.appendingPathComponent("audience.sqlite").path
        return try await measure(file, expecting: expected)
    }

    private func measure(
        _ path: String,
        expecting expected: [String: Int]
    ) async throws -> SegmentsReport.Start {
        let filled = try await SyntheticDatabase.fill(path, with: audience)
        let clock = ContinuousClock()
        let processorBefore = ProcessorTime.own()
        let begin = clock.now
        let store = try SQLStore(path: path, synchronous: .normal)
        let moment = Date(timeIntervalSince1970: TimeInterval(audience.now))
        let service = SegmentationService(
            store: store,
            now: { moment },
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        try await service.rebuild()
        let time = clock.now - begin
        let processorTime = ProcessorTime.own() - processorBefore

        guard let workspace = try await store.workspaces().first?.id else {
            throw BenchError("\(path) is no database of this benchmark; remove it")
        }
        let columns = try await service.columns(of: workspace)
        var counts: [String: Int] = [:]
        for (name, text) in SyntheticAudience.segments {
            let rule = try SegmentParser.parse(text).rule
            let selection = try await columns.select(rule, at: EvaluationTime(now: audience.now))
            counts.set(try await selection.count(), of: name)
        }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return SegmentsReport.Start(
            secondsToReady: time.inSeconds,
            processorSeconds: processorTime,
            databaseMegabytes: Double(size) / 1_000_000,
            secondsToFillDatabase: filled,
            countsAgree: counts == expected,
            megabytesPerMillionUsers: Double(columns.memory.bytesPerMillionUsers) / 1_000_000
        )
    }
}
