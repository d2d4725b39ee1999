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

    @Test("holds what two seconds bring, and one push at least")
    func capacity() {
        for (perMinute, tokens) in [(1, 1), (30, 1), (60, 2), (90, 3), (3_000, 100)] {
            #expect(TokenBucket(perMinute: perMinute, now: start).available(at: start) == tokens)
            let over = TokenBucket(perMinute: perMinute, tokens: 1e6, updatedAt: start)
            #expect(over.available(at: start.addingTimeInterval(60)) == tokens)
        }
    }

    @Test("a clock that is set back brings and takes nothing")
    func clockSetBack() {
        var bucket = TokenBucket(perMinute: 60, now: start)
        bucket.take(2, at: start)
        #expect(bucket.available(at: start.addingTimeInterval(-60)) == 0)
        bucket.take(0, at: start.addingTimeInterval(-60))
        #expect(bucket.updatedAt == start)
        #expect(bucket.available(at: start.addingTimeInterval(1)) == 1)
    }

    @Test("a clock that is set back by an hour goes on where it is, with what was there")
    func clockSetFarBack() {
        var bucket = TokenBucket(perMinute: 60, now: start)
        bucket.take(2, at: start)
        let back = start.addingTimeInterval(-3_600)
        #expect(bucket.available(at: back) == 0)
        #expect(bucket.nextToken(after: back) == back.addingTimeInterval(1))
        bucket.take(0, at: back)
        #expect(bucket.available(at: back.addingTimeInterval(1)) == 1)
    }

    @Test(
        "two servers whose clocks differ send together what one may, whoever looks more often",
        arguments: [0, 0.5, 2, 30],
        [1, 3, 10]
    )
    func clocksThatDiffer(offset: TimeInterval, turns: Int) {
        var bucket = TokenBucket(perMinute: 600, now: start)
        var sent = 0
        for tenth in 0...6_000 {
            // The one that is behind has so many turns for each of the other one.
            let isAhead = tenth % (turns + 1) == 0
            let now = start.addingTimeInterval(Double(tenth) / 10 + (isAhead ? offset : 0))
            let available = bucket.available(at: now)
            bucket.take(available, at: now)
            sent += available
        }
        // Ten minutes, what is there at the start, and what the clock that is ahead brings once.
        let most = 6_000 + 20 + Int(offset * 10)
        #expect(sent <= most)
        #expect(sent >= 6_000 - 20)
    }

    @Test("nothing ever comes of a limit of none, and what is there need not be waited for")
    func ends() {
        #expect(TokenBucket(perMinute: 0, now: start).nextToken(after: start) == .distantFuture)
        var one = TokenBucket(perMinute: 1, now: start)
        one.take(1, at: start)
        #expect(one.nextToken(after: start) == start.addingTimeInterval(60))
        let full = TokenBucket(perMinute: 60, now: start)
        #expect(full.nextToken(after: start) == start)
        #expect(full.nextToken(after: start.addingTimeInterval(5)) == start.addingTimeInterval(5))
        var overdrawn = TokenBucket(perMinute: 60, now: start)
        overdrawn.take(3, at: start)
        #expect(overdrawn.nextToken(after: start) == start.addingTimeInterval(2))
    }
}
