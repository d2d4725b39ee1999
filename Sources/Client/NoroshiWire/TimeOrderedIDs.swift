import Foundation

/// Makes the ids of records: UUIDs of version 7 (RFC 9562), which sort by the time of their making.
///
/// A database that looks for the ids of records then works at one end of its index. With random
/// ids it reads and writes pages all over it, which takes most of its time once there are many.
///
/// An id consists of 48 bits of milliseconds since 1970, a counter of 12 bits and 62 random bits.
/// The counter begins anew in each millisecond, at a random number in its lower half, and counts
/// the ids of that millisecond. Ids of one generator always grow: when the counter is full, and
/// when the clock goes back, the generator stays with the latest millisecond it has used, or goes
/// on to the one after it. Ids of several generators differ in their random bits.
///
/// An id tells when it was made and is no secret.
package final class TimeOrderedIDs: @unchecked Sendable {
    private static let highestCount: UInt64 = 0xFFF
    private static let highestMillisecond: UInt64 = 0xFFFF_FFFF_FFFF

    // `@unchecked` holds because both are accessed only between `lock` and `unlock`. `Mutex` of the
    // Synchronization module would require iOS 18.
    private let lock = NSLock()
    private var millisecond: UInt64 = 0
    private var count: UInt64 = 0

    private let now: @Sendable () -> Date
    private let random: @Sendable () -> UInt64

    /// - Parameters:
    ///   - now: The current time. What lies before 1970 counts as 1970.
    ///   - random: 64 random bits each time.
    package init(
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) {
        self.now = now
        self.random = random
    }

    /// A new id, greater than each one before.
    package func next() -> UUID {
        let (millisecond, count) = step(to: Self.milliseconds(now()))
        let high = millisecond << 16 | 0x7000 | count
        let low = 0x8000_0000_0000_0000 | random() >> 2
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
            UUID(uuid: bytes.load(as: uuid_t.self))
        }
    }

    /// The place of the next id: its millisecond and its number in that.
    private func step(to time: UInt64) -> (millisecond: UInt64, count: UInt64) {
        let start = random() & 0x7FF
        lock.lock()
        defer { lock.unlock() }
        if time > millisecond {
            (millisecond, count) = (time, start)
        } else if count < Self.highestCount {
            count += 1
        } else if millisecond < Self.highestMillisecond {
            (millisecond, count) = (millisecond + 1, start)
        }
        return (millisecond, count)
    }

    private static func milliseconds(_ date: Date) -> UInt64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        guard milliseconds > 0 else { return 0 }
        return milliseconds < Double(highestMillisecond)
            ? UInt64(milliseconds) : highestMillisecond
    }
}
