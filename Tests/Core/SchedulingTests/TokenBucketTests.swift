import Foundation
import Scheduling
import Testing

@Suite("A limit of pushes a minute")
struct TokenBucketTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("allows what it says over a minute, evenly, after two seconds' worth at the start")
    func evenly() {
        var bucket = TokenBucket(perMinute: 600, now: start)
        var sent = 0
        var largest = 0
        for tenth in 0...600 {
            let now = start.addingTimeInterval(Double(tenth) / 10)
            let available = bucket.available(at: now)
            bucket.take(available, at: now)
            sent += available
            if tenth > 0 { largest = max(largest, available) }
        }
        #expect(sent == 620)
        #expect(largest <= 2)
    }

    @Test("saves nothing up while nothing is sent")
    func idle() {
        let bucket = TokenBucket(perMinute: 60, now: start)
        #expect(bucket.available(at: start.addingTimeInterval(3_600)) == 2)
    }

    @Test("names the time of the next push")
    func next() {
        var bucket = TokenBucket(perMinute: 6, now: start)
        #expect(bucket.available(at: start) == 1)
        bucket.take(1, at: start)
        #expect(bucket.available(at: start.addingTimeInterval(9)) == 0)
        let next = bucket.nextToken(after: start)
        #expect(next == start.addingTimeInterval(10))
        #expect(bucket.available(at: next) == 1)
    }

    @Test("goes on where another process has left it")
    func shared() {
        var first = TokenBucket(perMinute: 60, now: start)
        first.take(2, at: start)
        let second = TokenBucket(
            perMinute: 60,
            tokens: first.tokens,
            updatedAt: first.updatedAt
        )
        #expect(second.available(at: start) == 0)
        #expect(second.available(at: start.addingTimeInterval(1)) == 1)
    }
}
