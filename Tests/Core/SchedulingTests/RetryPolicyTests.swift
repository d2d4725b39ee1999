import Foundation
import Scheduling
import Testing

@Suite("When a push is tried again")
struct RetryPolicyTests {
    private let policy = RetryPolicy()
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func pause(
        _ attempts: Int,
        requested: Duration? = nil,
        expiration: Date? = nil,
        jitter: Double = 1
    ) -> TimeInterval? {
        policy.nextAttempt(
            afterAttempts: attempts,
            requested: requested,
            expiration: expiration,
            now: now,
            jitter: jitter
        )?.timeIntervalSince(now)
    }

    @Test("the pause doubles up to fifteen minutes")
    func doubling() {
        #expect(pause(1) == 1)
        #expect(pause(2) == 2)
        #expect(pause(5) == 16)
        #expect(pause(11) == 900)
    }

    @Test("jitter takes away at most half")
    func jitter() {
        #expect(pause(5, jitter: 0) == 8)
        #expect(pause(1, jitter: 0) == 0.5)
        #expect(pause(5, jitter: 0.5) == 12)
    }

    @Test("the provider's own wish is never shortened")
    func retryAfter() {
        #expect(pause(1, requested: .seconds(120)) == 120)
        #expect(pause(9, requested: .seconds(1), jitter: 1) == 256)
    }

    @Test("nothing is tried after the message has expired, or too often")
    func ending() {
        #expect(pause(5, expiration: now.addingTimeInterval(10)) == nil)
        #expect(pause(5, expiration: now.addingTimeInterval(17)) == 16)
        #expect(pause(12) == nil)
    }

    @Test("the eleventh attempt is followed by a twelfth and last one")
    func last() {
        #expect(pause(10) == 512)
        #expect(pause(11) != nil)
        #expect(pause(12) == nil && pause(13) == nil)
    }

    @Test("a message that expires at the moment of its next attempt is given up")
    func expiration() {
        #expect(pause(5, expiration: now.addingTimeInterval(16)) == nil)
        #expect(pause(5, expiration: now.addingTimeInterval(16.001)) == 16)
    }
}
