import ArgumentParser
import Crypto
import Foundation
import PushHTTP
import WebPush

/// Web Push encryptions per second on one processor, beside http-ece.
struct WebPushBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webpush",
        abstract: "Web Push encryptions per second of one processor.",
        discussion: """
            300 bytes of content to one of a thousand subscriptions, counted in processor time. \
            "fresh": a key pair and a salt for each message, as RFC 8291 has it and as the server \
            does by default. "kept": a pair for many messages (--webpush-key-lifetime), with the \
            secrets already agreed. `--compare PYTHON` names a Python that has http-ece installed, \
            to be measured in the same run.
            """
    )

    private struct Report: Encodable {
        var benchmark = "webpush"
        var encryptions_per_second: Double
        var kept_pair_encryptions_per_second: Double
        var http_ece_per_second: Double?
        var times_http_ece: Double?
        var kept_pair_times_http_ece: Double?
        var reason: String?
    }

    private struct Subscription {
        var publicKey: String
        var secret: String
    }

    @Option(help: "Encryptions to measure with fresh pairs; ten times as many with a kept one.")
    var count = 30_000

    @Option(help: "A Python with http-ece.")
    var compare: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() throws {
        let subscriptions = (0..<1000).map { number in
            Subscription(
                publicKey: Base64URL.encode(
                    P256.KeyAgreement.PrivateKey().publicKey.x963Representation
                ),
                secret: Base64URL.encode(
                    Array(repeating: UInt8(truncatingIfNeeded: number), count: 16)
                )
            )
        }
        let fresh = try measure(WebPushSenderKeys(), subscriptions, count)
        let keys = WebPushSenderKeys(lifetime: WebPushSenderKeys.longestLifetime)
        // The secrets are agreed once, outside the measurement.
        _ = try measure(keys, subscriptions, subscriptions.count)
        let kept = try measure(keys, subscriptions, count * 10)
        var report = Report(
            encryptions_per_second: fresh.rounded(),
            kept_pair_encryptions_per_second: kept.rounded()
        )
        do {
            let theirs = try compare.map(measureOther)
            report.http_ece_per_second = theirs?.rounded()
            report.times_http_ece = theirs.map { fresh / $0 }
            report.kept_pair_times_http_ece = theirs.map { kept / $0 }
            if theirs == nil { report.reason = "--compare names no Python with http-ece" }
        } catch {
            report.reason = "\(error)"
        }
        if json {
            print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
            return
        }
        print("fresh pairs  \(Int(fresh)) encryptions/s")
        print("a kept pair  \(Int(kept)) encryptions/s")
        if let theirs = report.http_ece_per_second {
            print("http-ece     \(Int(theirs)) encryptions/s, with fresh pairs")
            print("times http-ece: fresh \(times(fresh, theirs)), kept \(times(kept, theirs))")
        }
        if let reason = report.reason { print(reason) }
    }

    private func times(_ ours: Double, _ theirs: Double) -> String {
        String((ours / theirs * 100).rounded() / 100)
    }

    /// Encryptions for a second of processor time.
    private func measure(
        _ keys: WebPushSenderKeys,
        _ subscriptions: [Subscription],
        _ count: Int
    ) throws -> Double {
        let content = Array(repeating: UInt8(ascii: "x"), count: 300)
        let start = ProcessorTime.own()
        var bytes = 0
        for number in 0..<count {
            let subscription = subscriptions[number % subscriptions.count]
            bytes += try keys.encrypt(
                content,
                publicKey: subscription.publicKey,
                authenticationSecret: subscription.secret
            ).count
        }
        let rate = Double(count) / (ProcessorTime.own() - start)
        guard bytes == count * (300 + 86 + 17) else {
            throw BenchError("the bodies have an unexpected size")
        }
        return rate
    }

    private func measureOther(_ python: String) throws -> Double {
        let script = """
            import http_ece, os, time
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.hazmat.primitives import serialization as s
            keys = [ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
                s.Encoding.X962, s.PublicFormat.UncompressedPoint) for _ in range(1000)]
            secret, content, count = os.urandom(16), b"x" * 300, 10000
            start = time.process_time()
            for number in range(count):
                http_ece.encrypt(content, salt=os.urandom(16),
                    private_key=ec.generate_private_key(ec.SECP256R1()),
                    dh=keys[number % 1000], auth_secret=secret, version="aes128gcm")
            print(count / (time.process_time() - start))
            """
        let output = try ExternalTool(path: python).run(["-c", script], processor: nil)
        guard let rate = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError("http-ece printed no rate: \(output)")
        }
        return rate
    }
}
