import Foundation
import Ingestion
import Model
import Rehearsals
import Synchronization

/// Writes the rows of a rehearsal as CSV, as they come.
final class RehearsalRowFile: Sendable {
    private static let block = 1 << 16

    private let handle: FileHandle
    private let waiting: Mutex<[UInt8]>

    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        handle = try FileHandle(forWritingTo: URL(filePath: path))
        waiting = Mutex(Array(CSVRecord.line(RehearsalRow.header).utf8))
    }

    func write(_ row: RehearsalRow) throws {
        let texts = [
            row.source.kind.rawValue, row.source.name, row.user, row.platform, row.language,
            row.variant, row.outcome.rawValue, row.reason, row.title, row.body,
        ]
        let line = CSVRecord.line(
            [Timestamp.format(row.time)] + texts.map { SpreadsheetText.marked($0) }
        )
        try waiting.withLock { waiting in
            waiting += line.utf8
            guard waiting.count >= Self.block else { return }
            try handle.write(contentsOf: waiting)
            waiting.removeAll(keepingCapacity: true)
        }
    }

    func close() throws {
        try waiting.withLock { try handle.write(contentsOf: $0) }
        try handle.close()
    }
}
