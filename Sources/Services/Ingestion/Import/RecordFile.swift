import Foundation
import Model
import Reasons

/// Reads a file of any size record by record.
package final class RecordFile {
    package struct Record {
        package var bytes: [UInt8]
        /// The number of its first line, from 1.
        package var line: Int
        /// The offset after the record and its line end.
        package var end: Int
    }

    private static let blockSize = 1 << 20
    /// Maximum size of a record, in bytes; prevents reading a file without line ends into memory.
    private static let recordLimit = 16 << 20

    package let size: Int
    private let handle: FileHandle
    private let hasQuotes: Bool
    private var buffer: [UInt8] = []
    private var position = 0
    private var offset = 0
    private var line = 1

    /// - Parameter hasQuotes: Whether a line end between double quotes belongs to the record.
    package init(path: String, hasQuotes: Bool) throws {
        handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        size = Int(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        self.hasQuotes = hasQuotes
    }

    package func seek(to offset: Int, line: Int) throws {
        try handle.seek(toOffset: UInt64(offset))
        self.offset = offset
        self.line = line
        buffer = []
        position = 0
    }

    /// The number of the line after the last record that was read.
    package var nextLine: Int { line }

    /// The next record that is not empty, without its line end; `nil` at the end of the file.
    ///
    /// - Throws: `FieldProblem` if it exceeds the maximum size.
    package func next() throws -> Record? {
        while true {
            var record: [UInt8] = []
            let start = line
            var isQuoted = false
            var isComplete = false
            while !isComplete {
                if position == buffer.count {
                    guard let block = try handle.read(upToCount: Self.blockSize), !block.isEmpty
                    else { break }
                    buffer = Array(block)
                    position = 0
                }
                let begin = position
                while position < buffer.count {
                    let byte = buffer[position]
                    position += 1
                    if byte == UInt8(ascii: "\n") {
                        line += 1
                        if !isQuoted {
                            isComplete = true
                            break
                        }
                    } else if hasQuotes, byte == UInt8(ascii: "\"") {
                        isQuoted.toggle()
                    }
                }
                record += buffer[begin..<position]
                offset += position - begin
                guard record.count <= Self.recordLimit else {
                    throw FieldProblem(
                        "row",
                        .longRow,
                        ["line": "\(start)", "count": "\(Self.recordLimit)"]
                    )
                }
            }
            guard !record.isEmpty else { return nil }
            if record.last == UInt8(ascii: "\n") { record.removeLast() }
            if record.last == UInt8(ascii: "\r") { record.removeLast() }
            if !record.isEmpty { return Record(bytes: record, line: start, end: offset) }
        }
    }
}
