import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import Testing

@Suite("Ids of records")
struct TimeOrderedIDsTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    private func bytes(_ id: UUID) -> [UInt8] { withUnsafeBytes(of: id.uuid) { Array($0) } }

    private func milliseconds(_ id: UUID) -> UInt64 {
        bytes(id).prefix(6).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func isBefore(_ one: UUID, _ other: UUID) -> Bool {
        bytes(one).lexicographicallyPrecedes(bytes(other))
    }

    @Test("have the example of RFC 9562 as their form: time, version, counter, variant, chance")
    func form() {
        // The RFC's example of version 7, made on 22 February 2022 at 19:22:22 UTC.
        let chance = Locked<[UInt64]>([0x4C3, 0x18C4_DC0C_0C07_398F << 2])
        let ids = TimeOrderedIDs(
            now: { Date(timeIntervalSince1970: 1_645_557_742) },
            random: { chance.withLock { $0.removeFirst() } }
        )
        #expect(ids.next().uuidString == "017F22E2-79B0-74C3-98C4-DC0C0C07398F")
    }

    @Test(
        "are of version 7 and the RFC's variant, whatever chance gives",
        arguments: [0, UInt64.max]
    )
    func bits(chance: UInt64) {
        let ids = TimeOrderedIDs(now: { [start] in start }, random: { chance })
        for _ in 0..<3 {
            let bytes = bytes(ids.next())
            #expect(bytes[6] >> 4 == 7)
            #expect(bytes[8] >> 6 == 0b10)
        }
    }

    @Test("grow within a millisecond, also when its counter is full, and with the clock")
    func order() {
        let clock = Locked(start)
        let ids = TimeOrderedIDs(now: { clock.withLock { $0 } })
        var earlier = ids.next()
        #expect(milliseconds(earlier) == 1_790_000_000_000)
        for _ in 0..<20_000 {
            let id = ids.next()
            #expect(isBefore(earlier, id))
            earlier = id
        }
        // A millisecond has at least 2,048 ids, so that the clock is hardly left behind.
        #expect(milliseconds(earlier) <= 1_790_000_000_010)
        clock.withLock { $0 += 1 }
        let id = ids.next()
        #expect(isBefore(earlier, id))
        #expect(milliseconds(id) == 1_790_000_001_000)
    }

    @Test("grow when the clock goes back, and have its time again when it has caught up")
    func clockGoesBack() {
        let clock = Locked(start)
        let ids = TimeOrderedIDs(now: { clock.withLock { $0 } })
        let earlier = ids.next()
        clock.withLock { $0 -= 3600 }
        let during = ids.next()
        #expect(isBefore(earlier, during))
        #expect(milliseconds(during) == milliseconds(earlier))
        clock.withLock { $0 += 3601 }
        #expect(milliseconds(ids.next()) == 1_790_000_001_000)
    }

    @Test(
        "take clocks that are out of all bounds",
        arguments: [-1e300, -1, 0, 1e15, 1e300, .nan, .infinity]
    )
    func bounds(seconds: Double) {
        let ids = TimeOrderedIDs(now: { Date(timeIntervalSince1970: seconds) })
        #expect(bytes(ids.next())[6] >> 4 == 7)
    }

    @Test("are made by many threads at once without one twice")
    func concurrency() async {
        let ids = TimeOrderedIDs(now: { [start] in start }, random: { 7 })
        let all = await withTaskGroup(of: [UUID].self) { group in
            for _ in 0..<8 { group.addTask { (0..<500).map { _ in ids.next() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 4_000)
    }

    @Test("are what the SDK makes, with the time of its clock")
    func ofTheSDK() {
        let id = NoroshiDependencies(now: { [start] in start }).makeID()
        #expect(bytes(id)[6] >> 4 == 7)
        #expect(milliseconds(id) == 1_790_000_000_000)
    }
}
