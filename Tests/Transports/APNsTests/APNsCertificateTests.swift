import APNs
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Reasons
import Testing

@Suite("A p12 certificate opens the connection, or the refusal says what is wrong with it")
struct APNsCertificateTests {
    @Test(
        "with and without a password, it is read and pushes are accepted",
        .enabled(if: OpenSSL.isInstalled, "openssl is not installed"),
        arguments: [nil, "火の用心"]
    )
    func accepted(password: String?) async throws {
        let holder = Holder()
        try await APNsTestBench.run(credentials: { _, _ in holder.value }) { bench in
            let identity = try bench.simulator.makePushCertificate(
                bundleID: APNsTestBench.bundleID
            )
            let file = try OpenSSL.p12(identity, password: password)
            holder.value = .certificate(p12: file, password: password)

            let summary = try APNsCertificateSummary(p12: file, password: password)
            #expect(summary.bundleID == APNsTestBench.bundleID)
            #expect(summary.environments == [.production, .sandbox])
            #expect(summary.topics.contains("\(APNsTestBench.bundleID).voip"))
            #expect(summary.warning(now: Date()) == nil)
            #expect(
                summary.warning(now: summary.expires - 86_400 * 3)?.description.contains("3 days")
                    == true
            )

            let outcomes = await bench.sendAll(
                (0..<20).map { _ in bench.push(to: bench.device()) }
            )
            #expect(outcomes.filter(\.isAccepted).count == 20)
        }
    }

    @Test(
        "an expired certificate, another app's, and one of the other environment are named",
        .enabled(if: OpenSSL.isInstalled, "openssl is not installed")
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
                holder.value = .certificate(
                    p12: try OpenSSL.p12(identity, password: nil),
                    password: nil
                )
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
}
