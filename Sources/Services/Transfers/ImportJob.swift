import Crypto
import Foundation
import Ingestion
import Model
import Ports

/// One import of a file, which continues where the last one ended.
package struct ImportJob {
    private struct Problem {
        var line: Int
        var field: String
        var message: String
    }

    /// The path of the report on rows that were not stored.
    package let reportPath: String
    private let progressPath: String
    private let file: RecordFile
    private var reader: ImportReader
    private let workspace: WorkspaceID
    private var progress: TransferProgress
    /// Identifies the file's rows by its content, so that a renamed file is recognized.
    private let key: String

    package init(
        file path: String,
        format: ImportReader.Format,
        reader: ImportReader,
        workspace: WorkspaceID
    ) throws {
        file = try RecordFile(path: path, hasQuotes: format == .csv)
        self.reader = reader
        self.workspace = workspace
        reportPath = path + ".rejected.csv"
        progressPath = path + ".progress"
        key = try Self.key(path, reader.kind, size: file.size)
        progress =
            TransferProgress.load(progressPath, key: "\(workspace)/\(key)")
            ?? TransferProgress(key: "\(workspace)/\(key)")
        if format == .csv {
            guard let header = try file.next() else { throw FieldProblem("file", .isEmpty) }
            // Spreadsheets put a byte order mark before it.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            self.reader.columns = try CSVRecord.fields(
                header.bytes.dropFirst(header.bytes.starts(with: mark) ? 3 : 0)
            )
            if progress.offset == 0 {
                progress.offset = header.end
                progress.position = file.nextLine
            }
        }
        try file.seek(to: progress.offset, line: progress.position)
    }

    /// A hash over the size and the first and last megabyte.
    private static func key(
        _ path: String,
        _ kind: ImportReader.Kind,
        size: Int
    ) throws -> String {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var hash = SHA256()
        hash.update(data: Data("\(kind.rawValue)/\(size)/".utf8))
        hash.update(data: try handle.read(upToCount: 1 << 20) ?? Data())
        try handle.seek(toOffset: UInt64(max(0, size - 1 << 20)))
        hash.update(data: try handle.read(upToCount: 1 << 20) ?? Data())
        return hash.finalize().prefix(16).map { String(format: "%02x", $0) }.joined()
    }

    /// Stores all remaining rows; the result includes earlier runs.
    ///
    /// - Parameters:
    ///   - batch: Number of rows per transaction.
    ///   - tell: Called with the number of rows read so far, and their share of the file, from 0 to
    ///     1.
    package mutating func perform(
        _ store: any IngestStore,
        batch: Int,
        now: () -> Date,
        tell: (_ rows: Int, _ part: Double) -> Void
    ) async throws -> TransferProgress {
        let report = try openReport()
        defer { try? report.close() }
        var isLast = false
        while !isLast {
            tell(
                progress.rows + progress.rejected,
                Double(progress.offset) / Double(max(1, file.size))
            )
            isLast = try await commit(store, limit: batch, now(), report)
        }
        try? FileManager.default.removeItem(atPath: progressPath)
        if progress.rejected + progress.partial == 0 {
            try? FileManager.default.removeItem(atPath: reportPath)
        }
        return progress
    }

    /// Stores the next rows in one transaction; returns `true` at the end of the file.
    private mutating func commit(
        _ store: any IngestStore,
        limit: Int,
        _ now: Date,
        _ report: FileHandle
    ) async throws -> Bool {
        var items: [IngestItem] = []
        var lines: [Int] = []
        var problems: [Problem] = []
        var next = progress
        var isLast = false
        while items.count + problems.count < limit {
            guard let record = try file.next() else {
                isLast = true
                break
            }
            next.offset = record.end
            next.position = file.nextLine
            do throws(FieldProblem) {
                items.append(try reader.item(record.bytes, id: id(record.line), now: now))
                lines.append(record.line)
            } catch {
                next.rejected += 1
                problems.append(
                    Problem(line: record.line, field: error.field, message: error.message)
                )
            }
        }
        let request = IngestRequest(workspace: workspace, source: .api, items: items)
        let outcomes = items.isEmpty ? [] : try await store.ingest([request], now: now).first ?? []
        for (line, outcome) in zip(lines, outcomes) {
            switch outcome {
            case .stored(let left):
                problems += left.map {
                    Problem(line: line, field: $0.field, message: $0.message)
                }
                next.rows += 1
                if !left.isEmpty { next.partial += 1 }
            case .duplicate:
                next.rows += 1
            case .rejected(let problem):
                problems.append(
                    Problem(line: line, field: problem.field, message: problem.message)
                )
                next.rejected += 1
            }
        }
        let text = problems.sorted { $0.line < $1.line }
            .map { CSVRecord.line([String($0.line), $0.field, $0.message]) }.joined()
        try report.write(contentsOf: Data(text.utf8))
        next.reportBytes += text.utf8.count
        // Saved after the commit: after a crash between the two the rows are read again and
        // recognized.
        try next.save(progressPath)
        progress = next
        return isLast
    }

    /// The identity of a row: its line in this file.
    private func id(_ line: Int) -> UUID {
        RecordKey(workspace: workspace, request: "import/\(key)/\(line >> 16)")
            .id(list: 0, index: line & 0xFFFF)
    }

    /// Opens the report, truncated to the last commit.
    private mutating func openReport() throws -> FileHandle {
        let files = FileManager.default
        if progress.reportBytes == 0 || !files.fileExists(atPath: reportPath) {
            let header = Data(CSVRecord.line(["line", "field", "reason"]).utf8)
            try header.write(to: URL(fileURLWithPath: reportPath))
            progress.reportBytes = header.count
        }
        let report = try FileHandle(forUpdating: URL(fileURLWithPath: reportPath))
        try report.truncate(atOffset: UInt64(progress.reportBytes))
        try report.seekToEnd()
        return report
    }
}
