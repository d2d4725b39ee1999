import APNs
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import Ports
import Reasons
import Testing

@Suite("A wrong file is named, with what to do", .enabled(if: OpenSSL.isInstalled))
struct APNsCredentialFileTests {
    private static let bundleID = APNsTestBench.bundleID

    private func problem(_ credentials: APNsCredentials) -> String {
        credentials.problem(bundleID: Self.bundleID, environment: .production, now: Date())?
            .description ?? "none"
    }

    private func key(_ pem: String) -> APNsCredentials {
        .token(keyID: "KEY0000001", teamID: "TEAM000001", privateKeyPEM: pem)
    }

    @Test("in the place of a .p8 key: an RSA key, another curve, a certificate, a .p12, anything")
    func keys() async throws {
        try await APNsTestBench.run { bench in
            let identity = try bench.simulator.makePushCertificate(bundleID: Self.bundleID)
            let p12 = try OpenSSL.p12(identity, password: nil)
            let rsa = try OpenSSL.key(["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
            let p384 = try OpenSSL.key([
                "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384",
            ])
            let p256 = try OpenSSL.key([
                "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
            ])
            #expect(problem(key(p256)) == "none")
            for (file, words) in [
                (rsa, "RSA"), (p384, "RSA or of another curve"),
                (identity.certificatePEM, "is a certificate"),
                (String(decoding: p12, as: UTF8.self), ".p12"), ("hello", "no PEM"), ("", "empty"),
            ] {
                let text = problem(key(file))
                #expect(text.contains(words), "\(text)")
                #expect(text.contains(".p8"), "\(text)")
            }
        }
    }

    @Test("in the place of a .p12: no password, a wrong one, a .p8, no key, damage, a stranger's")
    func certificates() async throws {
        try await APNsTestBench.run { bench in
            let identity = try bench.simulator.makePushCertificate(bundleID: Self.bundleID)
            let sealed = try OpenSSL.p12(identity, password: "right")
            #expect(problem(.certificate(p12: sealed, password: "right")) == "none")
            for (p12, password, words) in [
                (sealed, nil, "protected by a password"), (sealed, "wrong", "does not open"),
                (Array(identity.privateKeyPEM.utf8), nil, "not a PKCS#12"),
                (try OpenSSL.p12WithoutKey(identity), nil, "holds no private key"),
                (try OpenSSL.p12WithoutCertificate(identity), nil, "holds no certificate"),
                (Array(sealed.prefix(sealed.count / 2)), "right", "Export it again"),
                (try OpenSSL.strangersP12(), nil, "not an Apple push certificate"),
            ] as [([UInt8], String?, String)] {
                let text = problem(.certificate(p12: p12, password: password))
                #expect(text.contains(words), "\(text)")
            }
        }
    }

    @Test("the end of a certificate is warned about from thirty days before, and after it")
    func expiry() async throws {
        try await APNsTestBench.run { bench in
            let identity = try bench.simulator.makePushCertificate(bundleID: Self.bundleID)
            let p12 = try OpenSSL.p12(identity, password: nil)
            let summary = try APNsCertificateSummary(p12: p12, password: nil)
            let day: TimeInterval = 86_400
            #expect(summary.warning(now: summary.expires - 31 * day) == nil)
            #expect(
                summary.warning(now: summary.expires - 29 * day)?.description.contains("29 days")
                    == true
            )
            #expect(
                summary.warning(now: summary.expires + day)?.description.contains("expired on")
                    == true
            )
        }
    }
}
