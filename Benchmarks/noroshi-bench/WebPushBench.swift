import ArgumentParser
import Crypto
import Foundation
import PushHTTP
import WebPush

/// Web Push encryptions per second on one processor, in comparison with http-ece.
struct WebPushBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webpush",
        abstract: "Web Push encryptions per second of one processor.",
        discussion: """
            300 bytes of content to one of a thousand subscriptions, counted in processor time. \
            "fresh pairs": a key pair and a salt for each message, as RFC 8291 has it and as the \
            server does by default, with 256 pushes at a time on all processors. "a kept pair": one pair for many messages (--webpush-key-lifetime), with the secrets \
            already agreed. Beside them http-ece in the same run, where a Python that has it is \
            found: the one of `./noroshi interop`, or python3.
            """
    )

    private struct Report: Encodable {
        var benchmark = "webpush"
        /// With new key pairs, as on the server, on this processor.
        var encryptions_per_second: Double
        var kept_pair_encryptions_per_second: Double
        var http_ece_per_second: Double?
        var times_http_ece: Double?
        var kept_pair_times_http_ece: Double?
        /// The reason why there is no comparison.
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

    func run() async throws {
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
        let rate = try await measure(WebPushSenderKeys(), subscriptions, count)
        let keys = WebPushSenderKeys(lifetime: WebPushSenderKeys.maxLifetime)
        // The secrets are agreed once, before the measurement.
        _ = try await measure(keys, subscriptions, subscriptions.count)
        let kept = try await measure(keys, subscriptions, count * 10)
        var report = Report(
            encryptions_per_second: rate.rounded(),
            kept_pair_encryptions_per_second: kept.rounded()
        )
        do {
            let theirs = try measureOther(python())
            report.http_ece_per_second = theirs.rounded()
            report.times_http_ece = rate / theirs
            report.kept_pair_times_http_ece = kept / theirs
        } catch {
            report.reason = "\(error)"
        }
        if json {
            print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
        } else {
            show(report)
        }
    }

    private func show(_ report: Report) {
        let lines: [(String, Double?, Double?, String)] = [
            (
                "fresh pairs      ", report.encryptions_per_second, report.times_http_ece,
                "one for each message"
            ),
            (
                "a kept pair      ", report.kept_pair_encryptions_per_second,
                report.kept_pair_times_http_ece, "no arithmetic on the curve"
            ),
            ("http-ece         ", report.http_ece_per_second, nil, "fresh pairs"),
        ]
        for case (let name, let rate?, let times, let remark) in lines {
            let ratio = times.map { ", \(($0 * 100).rounded() / 100) times http-ece" } ?? ""
            print("\(name) \(Int(rate)) encryptions/s\(ratio) (\(remark))")
        }
        if let reason = report.reason { print(reason) }
    }

    /// A Python that has http-ece.
    private func python() throws -> String {
        if let compare { return compare }
        let environment = ProcessInfo.processInfo.environment
        // The place where `./noroshi interop` creates one.
        let made =
            environment["NOROSHI_INTEROP_ENVIRONMENT"]
            ?? (environment["TMPDIR"] ?? "/tmp") + "/noroshi-interop"
        let usual = ["\(made)/bin/python", "/tmp/noroshi-interop/bin/python"]
            .filter(FileManager.default.isExecutableFile)
        for path in usual + [ExternalTool.find("python3")?.path].compactMap(\.self) {
            let probe = "import importlib.util as u; print(u.find_spec('http_ece') is not None)"
            let answer = try? ExternalTool(path: path).run(["-c", probe], processor: nil)
            if answer?.hasPrefix("True") == true { return path }
        }
        throw BenchError(
            "no Python with http-ece; run `./noroshi interop` once, or name one with --compare"
        )
    }

    /// Encryptions per second of processor time, with 256 pushes in flight.
    private func measure(
        _ keys: WebPushSenderKeys,
        _ subscriptions: [Subscription],
        _ count: Int
    ) async throws -> Double {
        let content = Array(repeating: UInt8(ascii: "x"), count: 300)
        let start = ProcessorTime.own()
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            var bytes = 0
            for number in 0..<count {
                if number >= 256 { bytes += try await group.next() ?? 0 }
                let subscription = subscriptions[number % subscriptions.count]
                group.addTask {
                    let message = WebPushMessage(
                        content: content,
                        publicKey: subscription.publicKey,
                        authenticationSecret: subscription.secret
                    )
                    return try keys.encrypt(message).count
                }
            }
            return try await group.reduce(bytes, +)
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
