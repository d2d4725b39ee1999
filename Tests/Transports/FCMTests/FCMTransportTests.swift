import FCM
import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import NoroshiWire
import Ports
import PushHTTP
import PushTesting
import Reasons
import Testing
import _CryptoExtras

@Suite("A push travels through Firebase to an Android device")
struct FCMTransportTests {
    @Test("a notification arrives with title, channel, tag and our data")
    func notification() async throws {
        try await FCMTestBench.run { bench in
            let token = bench.simulator.registerDevice(project: FCMTestBench.project)
            let expiration = Date() + 3600
            let push = bench.push(to: token, options: DeliveryOptions(expiration: expiration)) {
                $0.keyValuePairs = ["color": "red", "google_x": "refused by FCM"]
            }

            let outcome = await bench.transport.send(push)

            let arrived = try #require(bench.simulator.accepted.first)
            #expect(outcome == .accepted(providerID: arrived.name))
            #expect(arrived.priority == "HIGH")
            // Whole seconds, rounded up: what passes on the way is no second less to live.
            #expect(arrived.timeToLive <= 3600)
            #expect(arrived.receivedAt + arrived.timeToLive >= expiration)
            #expect(arrived.data["push_no"] == "42")
            #expect(arrived.data["color"] == "red")
            #expect(arrived.data["google_x"] == nil)
            #expect(arrived.data["noroshi"]?.contains(push.dispatch.description) == true)
            let notification = arrived.message["notification"]
            #expect(notification?["title"]?.stringValue == "狼煙")
            let android = arrived.message["android"]?["notification"]
            #expect(android?["channel_id"]?.stringValue == "offers")
            #expect(android?["tag"]?.stringValue == push.dispatch.description)
        }
    }

    @Test("in the data-only style the texts travel in data and nothing is shown by the system")
    func dataOnly() async throws {
        try await FCMTestBench.run(style: .dataOnly) { bench in
            let token = bench.simulator.registerDevice(project: FCMTestBench.project)
            _ = await bench.transport.send(bench.push(to: token))
            let arrived = try #require(bench.simulator.accepted.first)
            #expect(arrived.message["notification"] == nil)
            #expect(arrived.data["title"] == "狼煙")
            #expect(arrived.data["body"] == "The fire is lit.")
        }
    }

    @Test("many pushes share one access token")
    func manyPushes() async throws {
        try await FCMTestBench.run { bench in
            let tokens = (0..<50).map { _ in
                bench.simulator.registerDevice(project: FCMTestBench.project)
            }
            await withTaskGroup(of: Void.self) { group in
                for token in tokens {
                    group.addTask { _ = await bench.transport.send(bench.push(to: token)) }
                }
            }
            #expect(bench.simulator.acceptedCount == 50)
            #expect(bench.simulator.accessTokenCount == 1)
        }
    }

    @Test("a removed app, an unknown token and another project's token have their consequences")
    func tokens() async throws {
        try await FCMTestBench.run { bench in
            let gone = bench.simulator.registerDevice(project: FCMTestBench.project)
            bench.simulator.unregisterDevice(token: gone)
            let foreign = bench.simulator.registerDevice(project: "other")
            for (token, reason, consequence) in [
                (gone, "UNREGISTERED", PushRejection.Consequence.retireToken),
                ("damaged", "INVALID_ARGUMENT", .retireToken),
                (foreign, "SENDER_ID_MISMATCH", .fixApp),
            ] {
                let outcome = await bench.transport.send(bench.push(to: token)).rejection
                #expect(outcome?.reason == reason)
                #expect(outcome?.consequence == consequence)
            }
        }
    }

    @Test("an access token that ended early is replaced once")
    func expiredAccessToken() async throws {
        try await FCMTestBench.run { bench in
            let token = bench.simulator.registerDevice(project: FCMTestBench.project)
            _ = await bench.transport.send(bench.push(to: token))
            bench.simulator.expireAccessTokens()
            _ = await bench.transport.send(bench.push(to: token))
            #expect(bench.simulator.acceptedCount == 2)
        }
    }

    @Test("quota and outages are tried again after the time the service names")
    func retries() async throws {
        try await FCMTestBench.run { bench in
            let script = """
                {"faults": [
                  {"times": 1, "status": 429, "reason": "QUOTA_EXCEEDED", "retry_after": 33},
                  {"times": 1, "status": 503, "reason": "UNAVAILABLE"},
                  {"times": 1, "status": 500, "reason": "INTERNAL"}]}
                """
            bench.simulator.play(try FaultScript(json: Data(script.utf8)))
            let token = bench.simulator.registerDevice(project: FCMTestBench.project)
            for (reason, seconds) in [
                ("QUOTA_EXCEEDED", 33), ("UNAVAILABLE", 10), ("INTERNAL", 10),
            ] {
                let outcome = await bench.transport.send(bench.push(to: token))
                #expect(outcome == .retry(reason: reason, after: .seconds(seconds)))
            }
        }
    }

    @Test("a service account of another simulator is refused, with Google's words")
    func wrongAccount() async throws {
        let other = try await FCMSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test")
        )
        let account = try FCMCredentials(
            serviceAccount: other.makeServiceAccount(
                project: FCMTestBench.project,
                privateKeyPEM: FCMTestBench.keys.get()[1]
            )
        )
        await other.stop()
        try await FCMTestBench.run(credentials: { _ in account }) { bench in
            let token = bench.simulator.registerDevice(project: FCMTestBench.project)
            let outcome = await bench.transport.send(bench.push(to: token)).rejection
            #expect(outcome?.reason == "BadServiceAccount")
            #expect(outcome?.consequence == .fixCredentials)
            #expect(outcome?.advice.contains("Invalid JWT Signature") == true)
        }
    }

    @Test("a file that is not a service account says what it is missing")
    func badFiles() {
        #expect(throws: CredentialError(.noAccount)) {
            _ = try FCMCredentials(serviceAccount: Array("hello".utf8))
        }
        #expect(throws: CredentialError(.accountWithout, ["name": "client_email"])) {
            _ = try FCMCredentials(serviceAccount: Array(#"{"project_id": "a"}"#.utf8))
        }
    }

    @Test("a file of another kind is named")
    func otherFiles() throws {
        for (json, words) in [
            (#"{"project_info": {"project_id": "a"}, "client": []}"#, "google-services.json"),
            (#"{"installed": {"client_id": "a"}}"#, "OAuth client"),
            (#"{"type": "authorized_user"}"#, "authorized_user"),
        ] {
            let error = #expect(throws: CredentialError.self) {
                _ = try FCMCredentials(serviceAccount: Array(json.utf8))
            }
            #expect(error?.description.contains(words) == true, "\(json)")
            #expect(error?.description.contains("Generate new private key") == true)
        }
        let noKey = #"""
            {"type": "service_account", "project_id": "a", "client_email": "a@b",
             "private_key_id": "1", "private_key": "hello", "token_uri": "https://x"}
            """#
        #expect(throws: CredentialError(.accountKey)) {
            _ = try FCMCredentials(serviceAccount: Array(noKey.utf8))
        }
    }

    @Test("a wrong message is told from a wrong token, though both are INVALID_ARGUMENT")
    func invalidArgument() {
        let code =
            #"{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError","#
            + #""errorCode": "INVALID_ARGUMENT"}"#
        let field = #"{"@type": "type.googleapis.com/google.rpc.BadRequest"}"#
        for (details, consequence) in [
            (code, PushRejection.Consequence.retireToken), ("\(code), \(field)", .fixMessage),
        ] {
            let body = #"{"error": {"code": 400, "details": [\#(details)]}}"#
            let response = PushHTTPResponse(status: 400, headers: [], body: Array(body.utf8))
            #expect(FCMResponse.outcome(response).rejection?.consequence == consequence)
        }
    }

    @Test("credentials are tried without a message to anybody and without another access token")
    func trial() async throws {
        try await FCMTestBench.run { bench in
            let app = AppID(1)
            let first = await bench.transport.testCredentials(app: app, deadline: .seconds(600))
            #expect(first == .works)
            let before = bench.simulator.accessTokenCount
            let second = await bench.transport.testCredentials(app: app, deadline: .seconds(600))
            #expect(second == .works)
            #expect(bench.simulator.accessTokenCount == before)
            #expect(bench.simulator.acceptedCount == 0)
        }
        try await FCMTestBench.run(credentials: { _ in nil }) { bench in
            let test = await bench.transport.testCredentials(app: AppID(1))
            guard case .refused("MissingCredentials", let advice) = test else {
                Issue.record("\(test)")
                return
            }
            #expect(advice.contains("Upload"))
        }
    }
}
