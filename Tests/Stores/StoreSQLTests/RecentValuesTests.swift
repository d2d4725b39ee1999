import Synchronization
import Testing

@testable import StoreSQL

@Suite("Values of texts that are read again and again")
struct RecentValuesTests {
    @Test("are read once while they are asked for, and not kept for ever")
    func once() {
        let values = RecentValues<Int>(limit: 2)
        let reads = Mutex<[String]>([])
        func value(_ text: String) -> Int {
            values.value(text) { text in
                reads.withLock { $0.append(text) }
                return text.utf8.count
            }
        }
        #expect((value("a"), value("bb"), value("a")) == (1, 2, 1))
        #expect(reads.withLock { $0 } == ["a", "bb"])
        // In the next generation "a" is kept, because it was asked for, and "bb" is not.
        _ = value("ccc")
        _ = value("a")
        _ = value("dddd")
        reads.withLock { $0 = [] }
        _ = value("a")
        _ = value("bb")
        #expect(reads.withLock { $0 } == ["bb"])
    }

    @Test("may be told before anybody asks, and an error is not kept")
    func told() throws {
        struct Unreadable: Error {}
        let values = RecentValues<Int>(limit: 2)
        values.keep(7, of: "seven")
        #expect(values.value("seven") { _ in 0 } == 7)
        #expect(throws: Unreadable.self) { try values.value("x") { _ in throw Unreadable() } }
        #expect(values.value("x") { _ in 1 } == 1)
    }
}
