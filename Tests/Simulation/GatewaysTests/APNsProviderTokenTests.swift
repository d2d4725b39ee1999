import Crypto
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import PushHTTP
import Synchronization
import Testing

@Suite("The APNs simulator takes the provider tokens that senders in use make, and no others")
struct APNsProviderTokenTests {
    private static let topic = "jp.example.fires"
    /// The moment at which the clock stands first; the certificates of TLS are of this time.
    private static let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
    private static let second = Int(start.timeIntervalSince1970)

    private struct Body: Decodable {
        var reason: String
    }

    /// A simulator with a key and a device, on a clock that is set by hand.
    private final class Bench: Sendable {
        let simulator: APNsSimulator
        let device: String
        private let key = P256.Signing.PrivateKey()
        private let clock: Clock

        init(
            _ change: (inout APNsSimulator.Configuration) -> Void = { _ in }
        ) async throws {
            var configuration = APNsSimulator.Configuration()
            change(&configuration)
            let clock = Clock()
            simulator = try await APNsSimulator.start(
                configuration,
                eventLoops: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                now: { clock.now }
            )
            self.clock = clock
            device = simulator.registerDevice(
                bundleID: APNsProviderTokenTests.topic,
                environment: .production
            )
            for team in ["TEAM123456", "OTHER12345"] {
                simulator.register(
                    try APNsSigningKey(
                        teamID: team,
                        keyID: "KEY1234567",
                        publicKeyPEM: key.publicKey.pemRepresentation
                    )
                )
            }
        }

        func pass(_ seconds: TimeInterval) {
            clock.pass(seconds)
        }

        /// A token whose `iat` is this text of JSON; nil leaves it out.
        func token(issuedAt: String?, team: String = "TEAM123456") throws -> String {
            let issued = issuedAt.map { #","iat":\#($0)"# } ?? ""
            let header = #"{"alg":"ES256","kid":"KEY1234567"}"#
            let claims = #"{"iss":"\#(team)"\#(issued)}"#
            let content = "\(encode(header.utf8)).\(encode(claims.utf8))"
            let signature = try key.signature(for: Data(content.utf8)).rawRepresentation
            return "\(content).\(encode(signature))"
        }

        /// A new token of this moment.
        func token(team: String = "TEAM123456") throws -> String {
            try token(issuedAt: String(Int(clock.now.timeIntervalSince1970)), team: team)
        }

        private func encode(_ bytes: some Sequence<UInt8>) -> String {
            Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }

        /// What is answered to a push with the token: "200", or the reason.
        func answer(_ sender: RawSender, _ token: String) async throws -> String {
            let response = try await sender.response(
                "/3/device/\(device)",
                [
                    (name: "authorization", value: "bearer \(token)"),
                    (name: "apns-topic", value: APNsProviderTokenTests.topic),
                ],
                #"{"aps":{"alert":"Hello"}}"#
            )
            if response.status == 200 { return "200" }
            let body = try JSONDecoder().decode(Body.self, from: Data(response.body))
            return "\(response.status) \(body.reason)"
        }
    }

    private final class Clock: Sendable {
        private let moment = Mutex(APNsProviderTokenTests.start)

        var now: Date { moment.withLock { $0 } }

        func pass(_ seconds: TimeInterval) {
            moment.withLock { $0 += seconds }
        }
    }

    @Test(
        "iat is a number of seconds, whole or not, or the same as text",
        arguments: [
            "\(second)", "\(second).0", "\(second).123456", "\(second)e0", "\(second)0e-1",
            "\(second - 3599)", "\(second + 3599)", #""\#(second)""#, #""\#(second).75""#,
        ]
    )
    func forms(issuedAt: String) async throws {
        let bench = try await Bench()
        let sender = try RawSender(bench.simulator)
        #expect(try await bench.answer(sender, bench.token(issuedAt: issuedAt)) == "200")
        await sender.stop()
        await bench.simulator.stop()
    }

    @Test("a token without a moment, or of another hour, is refused, whatever the number is")
    func refusals() async throws {
        let invalid = "403 InvalidProviderToken"
        let expired = "403 ExpiredProviderToken"
        let now = Self.second
        let cases: [(String?, String)] = [
            (nil, invalid), ("null", invalid), ("true", invalid), ("[\(now)]", invalid),
            (#"{"seconds":\#(now)}"#, invalid), (#""""#, invalid), (#""soon""#, invalid),
            (#""nan""#, invalid), (#""inf""#, invalid), (#""\#(now)e0""#, invalid),
            (#""0x6b49d200""#, invalid), (#"" \#(now)""#, invalid), (#""-\#(now)""#, invalid),
            (#""\#(now).""#, invalid), (#""٣\#(now)""#, invalid), ("NaN", invalid),
            ("Infinity", invalid), ("1e999", invalid), ("\(now + 3601)", invalid),
            ("9223372036854775807", invalid), ("1e308", invalid),
            (#""99999999999999999999999999999999""#, invalid), ("\(now)000", invalid),
            ("\(now - 3601)", expired), (#""\#(now - 3601).9""#, expired), ("0", expired),
            ("-9223372036854775808", expired), ("-1e308", expired),
        ]
        let bench = try await Bench()
        let sender = try RawSender(bench.simulator)
        for (issuedAt, answer) in cases {
            let found = try await bench.answer(sender, bench.token(issuedAt: issuedAt))
            #expect(found == answer, "\(issuedAt ?? "none")")
        }
        // Refused tokens do not count as new ones.
        #expect(try await bench.answer(sender, bench.token()) == "200")
        #expect(bench.simulator.acceptedCount == 1)
        await sender.stop()
        await bench.simulator.stop()
    }

    @Test("a connection takes three tokens in twenty minutes; those it has taken stay good")
    func updates() async throws {
        let bench = try await Bench()
        let sender = try RawSender(bench.simulator)
        var tokens: [String] = []
        for _ in 0..<3 {
            tokens.append(try bench.token())
            #expect(try await bench.answer(sender, tokens[tokens.count - 1]) == "200")
            bench.pass(60)
        }
        let refused = try await bench.answer(sender, bench.token())
        #expect(refused == "429 TooManyProviderTokenUpdates")
        #expect(try await bench.answer(sender, tokens[0]) == "200")
        bench.pass(17.5 * 60)
        #expect(try await bench.answer(sender, bench.token()) == "200")
        // The first was dropped from the twenty minutes, not the two after it.
        #expect(try await bench.answer(sender, bench.token()) == "429 TooManyProviderTokenUpdates")
        await sender.stop()
        await bench.simulator.stop()
    }

    @Test("each connection may have tokens of its own, as pools and several processes have")
    func pools() async throws {
        let bench = try await Bench()
        for _ in 0..<20 {
            let sender = try RawSender(bench.simulator)
            #expect(try await bench.answer(sender, bench.token()) == "200")
            await sender.stop()
        }
        await bench.simulator.stop()
    }

    @Test("a limit for the team counts the tokens of all connections together")
    func team() async throws {
        let bench = try await Bench { $0.providerTokensPerTeam = 2 }
        var answers: [String] = []
        for _ in 0..<3 {
            let sender = try RawSender(bench.simulator)
            answers.append(try await bench.answer(sender, bench.token()))
            await sender.stop()
        }
        #expect(answers == ["200", "200", "429 TooManyProviderTokenUpdates"])
        let sender = try RawSender(bench.simulator)
        #expect(try await bench.answer(sender, bench.token(team: "OTHER12345")) == "200")
        await sender.stop()
        await bench.simulator.stop()
    }

    @Test("a connection stays with one team")
    func oneTeam() async throws {
        let bench = try await Bench()
        let sender = try RawSender(bench.simulator)
        #expect(try await bench.answer(sender, bench.token()) == "200")
        let other = try await bench.answer(sender, bench.token(team: "OTHER12345"))
        #expect(other == "403 UnrelatedKeyIdInToken")
        await sender.stop()
        await bench.simulator.stop()
    }
}
