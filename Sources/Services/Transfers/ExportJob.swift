import Foundation
import Ingestion
import JSON
import NoroshiWire

/// One export, which continues where the last one into the same file ended.
package struct ExportJob {
    private let rows: ExportRows
    private let format: ImportReader.Format
    private let file: FileHandle
    private let progressPath: String?
    private var progress: TransferProgress

    /// - Parameter output: The path of the file; `nil` for standard output.
    package init(rows: ExportRows, format: ImportReader.Format, output: String?) throws {
        self.rows = rows
        self.format = format
        let key = "export/\(rows.workspace)/\(rows.kind.rawValue)/\(format.rawValue)"
        var start = TransferProgress(key: key, position: 0)
        guard let output else {
            file = .standardOutput
            progressPath = nil
            progress = start
            return
        }
        let path = output + ".progress"
        if let known = TransferProgress.load(path, key: key),
            FileManager.default.fileExists(atPath: output)
        {
            start = known
        } else {
            try Data().write(to: URL(fileURLWithPath: output))
        }
        file = try FileHandle(forUpdating: URL(fileURLWithPath: output))
        try file.truncate(atOffset: UInt64(start.offset))
        try file.seekToEnd()
        progressPath = path
        progress = start
    }

    /// Writes all remaining rows and returns the total number in the file.
    ///
    /// - Parameter tell: Called with the number of rows so far, including earlier runs.
    package mutating func perform(tell: (Int) -> Void) async throws -> Int {
        tell(progress.rows)
        if progress.offset == 0, format == .csv { try write(CSVRecord.line(rows.columns)) }
        while true {
            let part = try await rows.next(after: Int64(progress.position))
            guard let last = part.last else { break }
            try write(part.map { line($0.row) }.joined())
            progress.position = Int(last.id)
            progress.rows += part.count
            if let progressPath { try progress.save(progressPath) }
            tell(progress.rows)
        }
        if let progressPath { try? FileManager.default.removeItem(atPath: progressPath) }
        return progress.rows
    }

    private mutating func write(_ text: String) throws {
        try file.write(contentsOf: Data(text.utf8))
        progress.offset += text.utf8.count
    }

    private func line(_ row: [String: JSONValue]) -> String {
        switch format {
        case .csv:
            CSVRecord.line(
                rows.columns.map { column in
                    row[column].map { ImportReader.cell($0, column: column) } ?? ""
                }
            )
        case .ndjson: JSONWriter.text(row) + "\n"
        }
    }
}
