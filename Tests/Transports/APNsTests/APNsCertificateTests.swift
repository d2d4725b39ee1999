import APNs
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import Testing

@Suite("A p12 certificate opens the connection, or the refusal says what is wrong with it")
struct APNsCertificateTests {
    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Packs a certificate and its key as openssl does.
    private func p12(_ identity: SimulatorIdentity, password: String?) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("p12-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pem = folder.appendingPathComponent("all.pem")
        let output = folder.appendingPathComponent("out.p12")
        try Data((identity.certificatePEM + "\n" + identity.privateKeyPEM).utf8).write(to: pem)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.openssl))
        process.arguments = [
            "pkcs12", "-export", "-in", pem.path, "-out", output.path, "-passout",
            "pass:\(password ?? "")",
        ]
        try process.run()
        process.waitUntilExit()
        return Array(try Data(contentsOf: output))
    }

    @Test(
        "with and without a password, it is read and pushes are accepted",
        .enabled(if: openssl != nil, "openssl is not installed"),
        arguments: [nil, "火の用心"]
    )
    func accepted(password: String?) async throws {
        let holder = Holder()
        try await APNsTestBench.run(credentials: { _, _ in holder.value }) { bench in
            let identity = try bench.simulator.makePushCertificate(
                bundleID: APNsTestBench.bundleID
            )
            let file = try p12(identity, password: password)
            holder.value = .certificate(p12: file, password: password)

            let summary = try APNsCertificateSummary(p12: file, password: password)
            #expect(summary.bundleID == APNsTestBench.bundleID)
            #expect(summary.environments == [.production, .sandbox])
            #expect(summary.topics.contains("\(APNsTestBench.bundleID).voip"))
            #expect(summary.warning(now: Date()) == nil)
            #expect(summary.warning(now: summary.expires - 86_400 * 3)?.contains("3 days") == true)

            let outcomes = await bench.sendAll(
                (0..<20).map { _ in bench.push(to: bench.device()) }
            )
            #expect(outcomes.filter(\.isAccepted).count == 20)
        }
    }

    @Test(
        "an expired certificate, another app's, and one of the other environment are named",
        .enabled(if: openssl != nil, "openssl is not installed")
    )
    func refused() async throws {
        let holder = Holder()
        try await APNsTestBench.run(credentials: { _, _ in holder.value }) { bench in
            let expired = try bench.simulator.makePushCertificate(
                bundleID: APNsTestBench.bundleID,
                expires: Date() - 3600
            )
            let other = try bench.simulator.makePushCertificate(bundleID: "com.other")
            let sandbox = try bench.simulator.makePushCertificate(
                bundleID: APNsTestBench.bundleID,
                environments: .sandbox
            )
            for (identity, reason) in [
                (expired, "ExpiredCertificate"), (other, "TopicDisallowed"),
                (sandbox, "BadCertificateEnvironment"),
            ] {
                holder.value = .certificate(p12: try p12(identity, password: nil), password: nil)
                let outcome = await bench.transport.send(bench.push(to: bench.device()))
                #expect(outcome.rejection?.reason == reason)
                #expect(outcome.rejection?.consequence == .fixCredentials)
            }
            holder.value = .certificate(p12: Array("no".utf8), password: nil)
            let outcome = await bench.transport.send(bench.push(to: bench.device()))
            #expect(outcome.rejection?.reason == "BadCertificateFile")
        }
    }

    @Test("credentials are tried without a push to anybody")
    func trial() async throws {
        try await APNsTestBench.run { bench in
            let works = await bench.transport.testCredentials(
                bundleID: APNsTestBench.bundleID,
                environment: .production
            )
            #expect(works == .works)
            bench.simulator.revokeKey(teamID: APNsTestBench.teamID, keyID: APNsTestBench.keyID)
            let refused = await bench.transport.testCredentials(
                bundleID: APNsTestBench.bundleID,
                environment: .production
            )
            guard case .refused("InvalidProviderToken", _) = refused else {
                Issue.record("\(refused)")
                return
            }
            #expect(bench.simulator.acceptedCount == 0)
        }
    }

    @Test("sealed credentials open with their key and in their place only")
    func seal() throws {
        let credentials = APNsCredentials.certificate(p12: [1, 2, 3], password: "p")
        let seal = try CredentialSeal(base64Key: CredentialSeal.makeKey())
        let sealed = try seal.seal(credentials, context: "apns/1")
        #expect(try seal.open(sealed, as: APNsCredentials.self, context: "apns/1") == credentials)
        #expect(throws: CredentialSealError.damaged) {
            _ = try seal.open(sealed, as: APNsCredentials.self, context: "apns/2")
        }
        let other = try CredentialSeal(base64Key: CredentialSeal.makeKey())
        #expect(throws: CredentialSealError.otherKey) {
            _ = try other.open(sealed, as: APNsCredentials.self, context: "apns/1")
        }
        #expect(throws: CredentialSealError.badKey) {
            _ = try CredentialSeal(base64Key: "short")
        }
    }
}
