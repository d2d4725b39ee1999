import Foundation
import Gateways
import Model
import PushHTTP
import PushTesting
import Testing
import WebPush

@Suite("Messages that are sent at the same time")
struct WebPushEncryptionTests {
    private func message(_ text: String, for browser: SimulatedSubscription) -> WebPushMessage {
        WebPushMessage(
            content: Array(text.utf8),
            publicKey: browser.publicKey,
            authenticationSecret: browser.authenticationSecret
        )
    }

    private func withBrowsers(
        _ count: Int,
        _ body: ([SimulatedSubscription]) async throws -> Void
    ) async throws {
        try await WebPushTestBench.run { bench in
            try await body(
                (0..<count).map { _ in bench.simulator.subscribe(applicationServerKey: nil) }
            )
        }
    }

    @Test("each browser decrypts its own; no pair and no salt is used twice")
    func together() async throws {
        try await withBrowsers(50) { browsers in
            let keys = WebPushSenderKeys()
            let bodies = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
                for (number, browser) in browsers.enumerated() {
                    group.addTask {
                        (number, try keys.encrypt(message("No. \(number)", for: browser)))
                    }
                }
                return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
            }
            for (number, browser) in browsers.enumerated() {
                let body = try #require(bodies[number])
                #expect(browser.decrypt(body) == Array("No. \(number)".utf8))
            }
            #expect(Set(bodies.values.map { $0[..<16] }).count == 50)
            #expect(Set(bodies.values.map { $0[21..<86] }).count == 50)
        }
    }

    @Test("a subscription that is wrong is refused with its fault")
    func wrong() async throws {
        try await withBrowsers(1) { browsers in
            let good = message("good", for: browsers[0])
            var unreadable = good
            unreadable.publicKey = "AAAA"
            var offCurve = good
            offCurve.publicKey = "BAAA" + String(repeating: "A", count: 83)
            var secretless = good
            secretless.authenticationSecret = "AAAA"
            let keys = WebPushSenderKeys()
            let body = try keys.encrypt(good)
            #expect(browsers[0].decrypt(body) == Array("good".utf8))
            for wrong in [unreadable, offCurve] {
                #expect(throws: WebPushSubscriptionError.badPublicKey) {
                    _ = try keys.encrypt(wrong)
                }
            }
            #expect(throws: WebPushSubscriptionError.badSecret) {
                _ = try keys.encrypt(secretless)
            }
        }
    }

    @Test("pushes sent at the same time arrive, each decrypted by its browser")
    func pushes() async throws {
        try await WebPushTestBench.run { bench in
            await withTaskGroup { group in
                for number in 0..<40 {
                    let browser = bench.simulator.subscribe(
                        applicationServerKey: bench.key.publicKey
                    )
                    let push = bench.push(to: browser) { $0.body = "No. \(number)." }
                    group.addTask { #expect(await bench.transport.send(push).isAccepted) }
                }
            }
            let contents = bench.simulator.accepted.compactMap(\.content)
                .map { String(decoding: $0, as: UTF8.self) }
            for number in 0..<40 {
                #expect(contents.count { $0.contains("No. \(number).") } == 1)
            }
        }
    }
}
