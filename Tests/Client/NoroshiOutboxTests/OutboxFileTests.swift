import ClientTesting
import Foundation
import NoroshiWire
import Testing

@testable import NoroshiOutbox

@Suite("The outbox file")
struct OutboxFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var url: URL { folder.url.appendingPathComponent("outbox") }

    private func outbox(maximumBytes: Int = 1 << 20) -> OutboxFile {
        OutboxFile(url: url, maximumBytes: maximumBytes)
    }

    private func payloads(_ outbox: inout OutboxFile) throws -> [String] {
        try outbox.read(count: 10_000, bytes: .max).map {
            String(decoding: $0.payload, as: UTF8.self)
        }
    }

    private func append(_ texts: [String], to outbox: inout OutboxFile) throws {
        for text in texts {
            try outbox.append(id: UUID(), isImportant: false) { _ in Array(text.utf8) }
        }
    }

    @Test("what was appended is read in order, also by another object")
    func readsInOrder() throws {
        var first = outbox()
        try append(["a", "b"], to: &first)
        var second = outbox()
        try append(["c"], to: &second)
        #expect(try payloads(&first) == ["a", "b", "c"])
        #expect(try payloads(&second) == ["a", "b", "c"])
    }

    @Test("sequence numbers count up by one, over objects, deletions and reopening")
    func sequence() throws {
        var numbers: [UInt64] = []
        for _ in 0..<3 {
            var outbox = outbox()
            for _ in 0..<3 {
                try outbox.append(id: UUID(), isImportant: false) { number in
                    numbers.append(number)
                    return [1]
                }
            }
            try outbox.delete(Set(outbox.liveEntries.map(\.id)))
        }
        #expect(numbers == Array(1...9))
    }

    @Test("a torn record at the end is cut at every possible byte, the rest is kept")
    func tornTail() throws {
        var whole = outbox()
        try append(["first", "second", "third"], to: &whole)
        let bytes = try Data(contentsOf: url)
        let thirdStart = bytes.count - OutboxFrame.headerLength - "third".utf8.count
        for length in thirdStart..<bytes.count {
            try bytes.prefix(length).write(to: url)
            var reopened = outbox()
            #expect(try payloads(&reopened) == ["first", "second"])
            #expect(reopened.damage.tornBytes == length - thirdStart)
            try append(["fourth"], to: &reopened)
            var again = outbox()
            #expect(try payloads(&again) == ["first", "second", "fourth"])
        }
    }

    @Test("a file cut inside its own header is a new outbox")
    func tornHeader() throws {
        for length in 0..<16 {
            try Data("NOROSHI1\0\0\0\0\0\0\0\0".utf8).prefix(length).write(to: url)
            var outbox = outbox()
            try append(["a"], to: &outbox)
            #expect(try payloads(&outbox) == ["a"])
        }
    }

    @Test("a damaged record in the middle costs itself and nothing else")
    func damageInTheMiddle() throws {
        var whole = outbox()
        try append(["first", "second", "third"], to: &whole)
        let bytes = try Data(contentsOf: url)
        let start = 16 + OutboxFrame.headerLength + "first".utf8.count
        let end = start + OutboxFrame.headerLength + "second".utf8.count
        for position in start..<end where position != start + OutboxFrame.stateOffset {
            var damaged = bytes
            damaged[position] ^= 0x55
            try damaged.write(to: url)
            var reopened = outbox()
            #expect(try payloads(&reopened) == ["first", "third"], "byte \(position - start)")
        }
    }

    @Test("deleted records leave the file, and other objects notice")
    func deletion() throws {
        var first = outbox()
        var second = outbox()
        try append(
            (0..<400).map { "record \($0) " + String(repeating: "x", count: 400) },
            to: &first
        )
        let ids = try second.read(count: 300, bytes: .max).map(\.id)
        let sizeBefore = try Data(contentsOf: url).count
        try second.delete(Set(ids))
        #expect(try payloads(&first).count == 100)
        #expect(try payloads(&second).count == 100)
        #expect(try Data(contentsOf: url).count < sizeBefore / 3)
        try first.delete(Set(first.liveEntries.map(\.id)))
        #expect(try Data(contentsOf: url).count == 16)
    }

    @Test("records deleted out of order are not read again by another object")
    func deletionOutOfOrder() throws {
        var first = outbox()
        var second = outbox()
        try append(["a", "b", "c"], to: &first)
        let ids = try second.read(count: 10, bytes: .max).map(\.id)
        try first.refresh()
        try second.delete([ids[1]])
        #expect(try payloads(&first) == ["a", "c"])
    }

    @Test("a full outbox drops the oldest unimportant records first")
    func bounded() throws {
        var outbox = outbox(maximumBytes: 64 * 1024)
        let filling = [UInt8](repeating: 0x78, count: 962)
        for number in 0..<200 {
            try outbox.append(id: UUID(), isImportant: number < 10) { _ in
                Array("\(number) ".utf8) + filling
            }
        }
        let numbers = try outbox.read(count: 1000, bytes: .max).map {
            Int(String(decoding: $0.payload.prefix { $0 != 0x20 }, as: UTF8.self)) ?? -1
        }
        #expect(numbers.prefix(10).elementsEqual(0..<10))
        #expect(numbers.last == 199)
        #expect(numbers.count + outbox.droppedCount == 200)
        #expect(try Data(contentsOf: url).count <= 64 * 1024 + 16)
    }
}
