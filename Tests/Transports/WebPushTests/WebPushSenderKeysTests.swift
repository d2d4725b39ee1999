import Foundation
import Gateways
import Ports
import PushHTTP
import Synchronization
import Testing
import WebPush

@Suite("The server's key pairs for browsers")
struct WebPushSenderKeysTests {
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func advance(by duration: Duration) {
            time.withLock { $0 += duration }
        }
    }

    /// Salt and public key of a body.
    private func head(_ body: [UInt8]) -> (salt: [UInt8], publicKey: [UInt8]) {
        (Array(body[0..<16]), Array(body[21..<86]))
    }

    private func withBrowsers(
        _ count: Int,
        _ body: ([SimulatedSubscription]) throws -> Void
    ) async throws {
        try await WebPushTestBench.run { bench in
            try body((0..<count).map { _ in bench.simulator.subscribe(applicationServerKey: nil) })
        }
    }

    private func encrypt(
        _ keys: WebPushSenderKeys,
        _ text: String,
        for browser: SimulatedSubscription
    ) throws -> [UInt8] {
        let body = try keys.encrypt(
            WebPushMessage(
                content: Array(text.utf8),
                publicKey: browser.publicKey,
                authenticationSecret: browser.authenticationSecret
            )
        )
        #expect(browser.decrypt(body) == Array(text.utf8))
        return body
    }

    @Test("by default every message has a pair and a salt of its own")
    func fresh() async throws {
        try await withBrowsers(1) { browsers in
            let keys = WebPushSenderKeys()
            let first = head(try encrypt(keys, "one", for: browsers[0]))
            let second = head(try encrypt(keys, "one", for: browsers[0]))
            #expect(first.publicKey != second.publicKey)
            #expect(first.salt != second.salt)
        }
    }

    @Test("with a lifetime a pair serves all browsers until it ends; the salts always differ")
    func lifetime() async throws {
        try await withBrowsers(2) { browsers in
            let clock = Clock()
            let keys = WebPushSenderKeys(lifetime: .seconds(60), now: { clock.now })
            let bodies = try [browsers[0], browsers[0], browsers[1]].map {
                head(try encrypt(keys, "one", for: $0))
            }
            #expect(Set(bodies.map(\.publicKey)).count == 1)
            #expect(Set(bodies.map(\.salt)).count == 3)
            clock.advance(by: .seconds(61))
            let later = head(try encrypt(keys, "two", for: browsers[0]))
            #expect(later.publicKey != bodies[0].publicKey)
        }
    }

    @Test("what is remembered is bounded, and no pair serves longer than an hour")
    func bounds() async throws {
        try await withBrowsers(5) { browsers in
            let clock = Clock()
            let keys = WebPushSenderKeys(
                lifetime: .seconds(86_400),
                capacity: 2,
                now: { clock.now }
            )
            let first = head(try encrypt(keys, "one", for: browsers[0]))
            for browser in browsers + browsers { _ = try encrypt(keys, "one", for: browser) }
            clock.advance(by: .seconds(3601))
            let later = head(try encrypt(keys, "one", for: browsers[0]))
            #expect(later.publicKey != first.publicKey)
        }
    }

    @Test("a subscription with a wrong key is refused with either lifetime")
    func wrongKey() {
        for lifetime in [Duration.zero, .seconds(60)] {
            let keys = WebPushSenderKeys(lifetime: lifetime)
            #expect(throws: WebPushSubscriptionError.badPublicKey) {
                _ = try keys.encrypt(
                    WebPushMessage(content: [1], publicKey: "AAAA", authenticationSecret: "AAAA")
                )
            }
        }
    }
}
