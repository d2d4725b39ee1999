import Foundation
import Ingestion
import Model
import Testing

@Suite("The records of a file")
struct RecordFileTests {
    private func withFile(
        _ bytes: Data,
        hasQuotes: Bool = false,
        _ body: (RecordFile) throws -> Void
    ) throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-records-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try bytes.write(to: URL(fileURLWithPath: path))
        try body(try RecordFile(path: path, hasQuotes: hasQuotes))
    }

    private func records(_ file: RecordFile) throws -> [(text: String, line: Int, end: Int)] {
        var found: [(text: String, line: Int, end: Int)] = []
        while let record = try file.next() {
            found.append((String(decoding: record.bytes, as: UTF8.self), record.line, record.end))
        }
        return found
    }

    @Test("end with their lines, however lines end; empty ones are none")
    func lines() throws {
        try withFile(Data("a\r\n\nbc\n\r\nd".utf8)) { file in
            #expect(file.nextLine == 1)
            let found = try records(file)
            #expect(found.map(\.text) == ["a", "bc", "d"])
            #expect(found.map(\.line) == [1, 3, 5])
            #expect(found.map(\.end) == [3, 7, 10])
            #expect(file.nextLine == 5)
        }
        try withFile(Data()) { file in
            let found = try records(file)
            #expect(found.isEmpty)
        }
    }

    @Test("have line ends within quotes, where there are quotes")
    func quotes() throws {
        let text = Data("a,\"b\nc\"\nd\n".utf8)
        try withFile(text, hasQuotes: true) { file in
            let found = try records(file)
            #expect(found.map(\.text) == ["a,\"b\nc\"", "d"])
            #expect(found.map(\.line) == [1, 3])
        }
        try withFile(text) { file in
            let found = try records(file)
            #expect(found.map(\.text) == ["a,\"b", "c\"", "d"])
        }
    }

    @Test("are read on from where each of them ends, in files longer than a block")
    func places() throws {
        // Two of them begin in one block of 2²⁰ bytes and end in the next.
        let rows = (0..<9).map { String(repeating: "\($0)", count: 300_000) }
        try withFile(Data((rows.joined(separator: "\n") + "\n").utf8)) { file in
            let found = try records(file)
            #expect(found.map(\.text) == rows)
            #expect(found.map(\.end) == (1...9).map { $0 * 300_001 })
            try file.seek(to: found[3].end, line: 5)
            let rest = try records(file)
            #expect(rest.map(\.text) == Array(rows.dropFirst(4)))
            #expect(rest.map(\.line) == [5, 6, 7, 8, 9])
            #expect(rest.map(\.end) == found.dropFirst(4).map(\.end))
        }
    }

    @Test("have up to sixteen mebibytes")
    func limit() throws {
        let longest = Data(repeating: 0x61, count: 16 << 20)
        try withFile(longest) { file in
            let record = try file.next()
            #expect(record?.bytes.count == 16 << 20)
        }
        try withFile(longest + Data([0x61])) { file in
            #expect(throws: FieldProblem.self) { try file.next() }
        }
    }
}
