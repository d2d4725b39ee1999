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
    /// The counts of the rows that were generated in this process.
    let expected: [String: Int]

    /// - Parameter location: A file, or a database of PostgreSQL, which is measured after a temporary file;
    ///   `nil` means the latter alone.
    func measure(
        _ location: DatabaseLocation?
    ) async throws -> (file: SegmentsReport.Start, postgres: SegmentsReport.Start?) {
        if case .file(let path) = location { return (try await measure(file: path), nil) }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-start-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A remaining folder in the temporary directory is harmless.
            try? FileManager.default.removeItem(at: folder)
        }
        let path = folder.appendingPathComponent("audience.sqlite").path
        let file = try await measure(file: path)
        guard let location else { return (file, nil) }
        let filled = try await move(path, to: location)
        return (file, try await measure(location, filled: filled))
    }

    private func measure(file path: String) async throws -> SegmentsReport.Start {
        let filled = try await SyntheticDatabase.fill(path, with: audience)
        return try await measure(.file(path), filled: filled)
    }

    /// - Returns: How long it took, in seconds; `nil` if the target has users already.
    private func move(_ path: String, to location: DatabaseLocation) async throws -> Double? {
        let start = ContinuousClock.now
        let target = try SQLStore(at: location)
        let isEmpty = try await target.workspaces().isEmpty
        if isEmpty {
            let file = try SQLStore(path: path)
            try await DatabaseMove(from: file, to: target).run()
            try await file.close()
        }
        try await target.close()
        return isEmpty ? (ContinuousClock.now - start).inSeconds : nil
    }

    private func measure(
        _ location: DatabaseLocation,
        filled: Double?
    ) async throws -> SegmentsReport.Start {
        let clock = ContinuousClock()
        let processorBefore = ProcessorTime.own()
        let begin = clock.now
        let store = try SQLStore(at: location)
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
            throw BenchError("\(location.name) is no database of this benchmark")
        }
        let columns = try await service.columns(of: workspace)
        var counts: [String: Int] = [:]
        for (name, text) in SyntheticAudience.segments {
            let rule = try SegmentParser.parse(text).rule
            let selection = try await columns.select(rule, at: EvaluationTime(now: audience.now))
            counts.set(try await selection.count(), of: name)
        }
        let size = try await store.storedBytes()
        try await store.close()
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
