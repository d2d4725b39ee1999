import APNs
import Crypto
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Synchronization
import Testing

@Suite("Credentials open the connection, or the refusal says which one is wrong")
struct APNsCredentialTests {
    @Test("a key that Apple does not know is refused, and the advice names key, team and file")
    func unknownKey() async throws {
        try await APNsTestBench.run(registersKey: false) { bench in
            let rejection = try #require(
                await bench.transport.send(bench.push(to: bench.device())).rejection
            )
            #expect(rejection.reason == "InvalidProviderToken")
            #expect(rejection.consequence == .fixCredentials)
            #expect(rejection.advice.contains(".p8"))
        }
    }

    @Test("an app without credentials gets told so, with its name")
    func noCredentials() async throws {
        try await APNsTestBench.run(credentials: { _, _ in nil }) { bench in
            let rejection = try #require(
                await bench.transport.send(bench.push(to: bench.device())).rejection
            )
            #expect(rejection.reason == "MissingCredentials")
            #expect(rejection.advice.contains(APNsTestBench.bundleID))
        }
    }

    @Test("a damaged key file and a mistyped key id are told apart")
    func damagedKey() async throws {
        let good = P256.Signing.PrivateKey().pemRepresentation
        for (keyID, pem, reason) in [
            ("KEY1234567", "not a key", "BadSigningKey"), ("short", good, "BadKeyID"),
        ] {
            try await APNsTestBench.run(
                credentials: { _, _ in
                    .token(keyID: keyID, teamID: "TEAM123456", privateKeyPEM: pem)
                }
            ) { bench in
                let outcome = await bench.transport.send(bench.push(to: bench.device()))
                #expect(outcome.rejection?.reason == reason)
            }
        }
    }

    @Test("one token serves many requests and is made anew after fifty minutes")
    func tokenLifetime() throws {
        let source = try APNsTokenSource(
            keyID: "KEY1234567",
            teamID: "TEAM123456",
            privateKeyPEM: P256.Signing.PrivateKey().pemRepresentation
        )
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let first = try source.authorization(now: start)
        #expect(try source.authorization(now: start + 49 * 60) == first)
        let second = try source.authorization(now: start + 51 * 60)
        #expect(second != first)
        #expect(try source.renew(refused: second, now: start + 52 * 60) == nil)
        #expect(try source.renew(refused: first, now: start + 52 * 60) == second)
        #expect(try source.renew(refused: second, now: start + 80 * 60) != nil)
    }

    @Test(
        "openssl verifies the token's signature, and refuses another key's",
        .enabled(if: OpenSSL.isInstalled, "openssl is not installed")
    )
    func signature() throws {
        let key = P256.Signing.PrivateKey()
        let source = try APNsTokenSource(
            keyID: "KEY1234567",
            teamID: "TEAM123456",
            privateKeyPEM: key.pemRepresentation
        )
        let token = String(try source.authorization(now: Date()).dropFirst("bearer ".count))
        #expect(try OpenSSL.verifies(token, publicKeyPEM: key.publicKey.pemRepresentation))
        let other = P256.Signing.PrivateKey().publicKey.pemRepresentation
        #expect(try !OpenSSL.verifies(token, publicKeyPEM: other))
    }

    @Test("a token that Apple calls expired is renewed once and the push is sent again")
    func expiredToken() async throws {
        // The sender's clock stands at first; the refusal comes when it has been put right.
        let clock = Mutex(Date() - 3 * 3600)
        try await APNsTestBench.run(now: { clock.withLock { $0 } }) { bench in
            let token = bench.device()
            let late = await bench.transport.send(bench.push(to: token))
            #expect(late.rejection?.reason == "ExpiredProviderToken")
            #expect(late.rejection?.advice.contains("clock") == true)
            clock.withLock { $0 = Date() }
            #expect(await bench.transport.send(bench.push(to: token)).isAccepted)
        }
    }

    @Test("a revoked key stops working at once")
    func revokedKey() async throws {
        try await APNsTestBench.run { bench in
            let token = bench.device()
            #expect(await bench.transport.send(bench.push(to: token)).isAccepted)
            bench.simulator.revokeKey(
                teamID: APNsTestBench.teamID,
                keyID: APNsTestBench.keyID
            )
            let outcome = await bench.transport.send(bench.push(to: token))
            #expect(outcome.rejection?.reason == "InvalidProviderToken")
        }
    }

    @Test("sandbox and production are separate: a token of one is unknown to the other")
    func environments() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.sandboxPort = 0
        try await APNsTestBench.run(configuration) { bench in
            let token = bench.device(.sandbox)
            let right = await bench.transport.send(bench.push(to: token, environment: .sandbox))
            #expect(right.isAccepted)
            let wrong = await bench.transport.send(bench.push(to: token))
            #expect(wrong.rejection?.reason == "BadDeviceToken")
            #expect(wrong.rejection?.consequence == .keepToken)
        }
    }

    @Test("several apps with keys of their own teams send side by side")
    func severalApps() async throws {
        let other = P256.Signing.PrivateKey()
        let mine = P256.Signing.PrivateKey()
        try await APNsTestBench.run(
            credentials: { bundleID, _ in
                bundleID == "com.other"
                    ? .token(
                        keyID: "OTHERKEY01",
                        teamID: "OTHERTEAM1",
                        privateKeyPEM: other.pemRepresentation
                    )
                    : .token(
                        keyID: "MINEKEY001",
                        teamID: "MINETEAM01",
                        privateKeyPEM: mine.pemRepresentation
                    )
            }
        ) { bench in
            for (team, keyID, key) in [
                ("OTHERTEAM1", "OTHERKEY01", other), ("MINETEAM01", "MINEKEY001", mine),
            ] {
                bench.simulator.register(
                    try APNsSigningKey(
                        teamID: team,
                        keyID: keyID,
                        publicKeyPEM: key.publicKey.pemRepresentation
                    )
                )
            }
            let device = bench.simulator.registerDevice(
                bundleID: "com.other",
                environment: .production
            )
            let outcomes = await bench.sendAll([
                bench.push(to: bench.device()),
                bench.push(to: device, bundleID: "com.other"),
            ])
            #expect(outcomes.filter(\.isAccepted).count == 2)
            #expect(await bench.transport.statistics().connectionsOpened == 2)
        }
    }
}
