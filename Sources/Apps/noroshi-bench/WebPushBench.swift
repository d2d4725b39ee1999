import ArgumentParser
import Crypto
import Foundation
import PushHTTP
import WebPush

/// Web Push encryptions per second on one processor, beside http-ece.
struct WebPushBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webpush",
        abstract: "Web Push encryptions per second on one processor.",
        discussion: """
            Each with a key pair and a salt of its own, as RFC 8291 wants, to one of a thousand \
            subscriptions; 300 bytes of content. `--compare PYTHON` names a Python that has \
            http-ece installed, to be measured in the same run.
            """
    )

    private struct Report: Encodable {
        var benchmark = "webpush"
        var encryptions_per_second: Double
        var http_ece_per_second: Double?
        var times_http_ece: Double?
        var reason: String?
    }

    @Option(help: "Encryptions to measure.")
    var count = 50_000

    @Option(help: "A Python with http-ece.")
    var compare: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() throws {
        let content = Array(repeating: UInt8(ascii: "x"), count: 300)
        let subscriptions = try (0..<1000).map { number in
            try WebPushEncryption(
                publicKey: Base64URL.encode(
                    P256.KeyAgreement.PrivateKey().publicKey.x963Representation
                ),
                authenticationSecret: Base64URL.encode(
                    Array(repeating: UInt8(truncatingIfNeeded: number), count: 16)
                )
            )
        }
        let start = ContinuousClock.now
        var bytes = 0
        for number in 0..<count {
            bytes += try subscriptions[number % 1000].encrypt(content).count
        }
        let rate = Double(count) / (ContinuousClock.now - start).seconds
        guard bytes == count * (300 + 86 + 17) else {
            throw BenchError("the bodies have an unexpected size")
        }
        var report = Report(encryptions_per_second: rate.rounded())
        do {
            let theirs = try compare.map(measureOther)
            report.http_ece_per_second = theirs
            report.times_http_ece = theirs.map { rate / $0 }
            if theirs == nil { report.reason = "--compare names no Python with http-ece" }
        } catch {
            report.reason = "\(error)"
        }
        if json {
            print(String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
        } else {
            print("\(Int(rate)) encryptions/s")
            if let theirs = report.http_ece_per_second, let times = report.times_http_ece {
                print("http-ece \(Int(theirs))/s; \((times * 10).rounded() / 10) times as many")
            }
            if let reason = report.reason { print(reason) }
        }
    }

    private func measureOther(_ python: String) throws -> Double {
        let script = """
            import http_ece, os, time
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.hazmat.primitives import serialization as s
            keys = [ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
                s.Encoding.X962, s.PublicFormat.UncompressedPoint) for _ in range(1000)]
            secret, content, count = os.urandom(16), b"x" * 300, 10000
            start = time.perf_counter()
            for number in range(count):
                http_ece.encrypt(content, salt=os.urandom(16),
                    private_key=ec.generate_private_key(ec.SECP256R1()),
                    dh=keys[number % 1000], auth_secret=secret, version="aes128gcm")
            print(count / (time.perf_counter() - start))
            """
        let output = try ExternalTool(path: python).run(["-c", script], processor: nil)
        guard let rate = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError("http-ece printed no rate: \(output)")
        }
        return rate
    }
}
