import Foundation
import Gateways
import Logging
import NIOPosix
import PushHTTP
import Testing
import _CryptoExtras

@Suite("The FCM simulator refuses what Google refuses, with Google's words")
struct FCMRuleTests {
    private static let project = "fires-1234"

    private struct Account: Decodable {
        var client_email: String
        var private_key: String
        var token_uri: String
    }

    private struct Grant: Decodable {
        var access_token: String?
        var error: String?
    }

    private struct Refusal: Decodable {
        struct Failure: Decodable {
            var status: String
        }

        var error: Failure
    }

    /// Signs the claims that a service account is exchanged with.
    private func assertion(
        _ account: Account,
        audience: String? = nil,
        life: Int = 3600,
        scope: String = "https://www.googleapis.com/auth/firebase.messaging"
    ) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = """
            {"iss":"\(account.client_email)","aud":"\(audience ?? account.token_uri)","iat":\(now),\
            "exp":\(now + life),"scope":"\(scope)"}
            """
        let text = "\(encode(#"{"alg":"RS256","typ":"JWT"}"#.utf8)).\(encode(claims.utf8))"
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: account.private_key)
        let signature = try key.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5)
        return "\(text).\(encode(signature.rawRepresentation))"
    }

    private func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    private func grant(_ sender: RawSender, _ assertion: String) async throws -> Grant {
        let type = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        let response = try await sender.response(
            "/token",
            [(name: "content-type", value: "application/x-www-form-urlencoded")],
            "grant_type=\(type)&assertion=\(assertion)"
        )
        return try JSONDecoder().decode(Grant.self, from: Data(response.body))
    }

    private func rules(_ token: String, _ access: String) -> [RuleCase] {
        let path = "/v1/projects/\(Self.project)/messages:send"
        func rule(
            _ name: String,
            path: String = path,
            authorization: String? = "Bearer \(access)",
            body: String? = nil,
            members: String = "",
            _ status: Int,
            _ reason: String
        ) -> RuleCase {
            RuleCase(
                name: name,
                path: path,
                headers: authorization.map { [(name: "authorization", value: $0)] } ?? [],
                body: body ?? #"{"message": {"token": "\#(token)"\#(members)}}"#,
                status: status,
                reason: reason
            )
        }
        func wrong(_ name: String, _ members: String) -> RuleCase {
            rule(name, members: ", \(members)", 400, "INVALID_ARGUMENT")
        }
        let long = String(repeating: "x", count: 4096)
        return [
            rule("a good one", members: #", "data": {"a": "b"}"#, 200, ""),
            rule(
                "only validated",
                body: #"{"validate_only": true, "message": {"token": "\#(token)"}}"#,
                200,
                ""
            ),
            rule("no access token", authorization: nil, 401, "UNAUTHENTICATED"),
            rule("another access token", authorization: "Bearer x", 401, "UNAUTHENTICATED"),
            rule(
                "another project",
                path: "/v1/projects/other/messages:send",
                403,
                "PERMISSION_DENIED"
            ),
            rule("another path", path: "/fcm/send", 404, "NOT_FOUND"),
            rule("no JSON", body: "hello", 400, "INVALID_ARGUMENT"),
            rule("no message", body: "{}", 400, "INVALID_ARGUMENT"),
            rule("no target", body: #"{"message": {}}"#, 400, "INVALID_ARGUMENT"),
            wrong("two targets", #""topic": "news""#),
            wrong("a number in data", #""data": {"a": 1}"#),
            wrong("data that is no object", #""data": "a""#),
            wrong("the key from", #""data": {"from": "a"}"#),
            wrong("the key message_type", #""data": {"message_type": "a"}"#),
            wrong("a key of Google's", #""data": {"google.a": "a"}"#),
            wrong("a key of GCM's", #""data": {"gcm_a": "a"}"#),
            wrong("another priority", #""android": {"priority": "URGENT"}"#),
            wrong("a time without a unit", #""android": {"ttl": "5"}"#),
            wrong("more than four weeks", #""android": {"ttl": "2419201s"}"#),
            wrong("a time with an exponent", #""android": {"ttl": "9e99s"}"#),
            wrong("a time in words", #""android": {"ttl": "nans"}"#),
            wrong("an endless time", #""android": {"ttl": "infs"}"#),
            wrong("a time in hexadecimal", #""android": {"ttl": "0x10s"}"#),
            wrong("a time below zero", #""android": {"ttl": "-1s"}"#),
            rule("a time with decimals", members: #", "android": {"ttl": "3.5s"}"#, 200, ""),
            wrong("4,097 bytes", #""data": {"a": "\#(long)"}"#),
            rule(
                "a damaged token",
                body: #"{"message": {"token": "x"}}"#,
                400,
                "INVALID_ARGUMENT"
            ),
        ]
    }

    @Test("each rule of the exchange and of the message")
    func rules() async throws {
        let simulator = try await FCMSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let account = try JSONDecoder().decode(
            Account.self,
            from: Data(try simulator.makeServiceAccount(project: Self.project))
        )
        let sender = try RawSender(simulator)
        let token = simulator.registerDevice(project: Self.project)

        for audience in [
            "https://oauth2.googleapis.com/token/", "http://oauth2.googleapis.com/token",
            "https://www.googleapis.com/token", "https://fcm.googleapis.com/", simulator.origin, "",
        ] {
            let refused = try await grant(sender, assertion(account, audience: audience))
            #expect(refused.error == "invalid_grant", "\(audience)")
        }
        let google = "https://oauth2.googleapis.com/token"
        let byGoogle = try await grant(sender, assertion(account, audience: google))
        #expect(byGoogle.access_token != nil)
        let tooLong = try await grant(sender, assertion(account, life: 7200))
        #expect(tooLong.error == "invalid_grant")
        let elsewhere = try await grant(sender, assertion(account, scope: "https://example.com"))
        #expect(elsewhere.access_token == nil)
        let access = try #require(
            try await grant(sender, assertion(account)).access_token
        )

        for one in rules(token, access) {
            let response = try await sender.response(one.path, one.headers, one.body)
            #expect(response.status == one.status, "\(one)")
            guard one.status != 200 else { continue }
            let refusal = try JSONDecoder().decode(Refusal.self, from: Data(response.body))
            #expect(refusal.error.status == one.reason, "\(one)")
        }
        // What is only validated goes nowhere.
        #expect(simulator.acceptedCount == 2)
        await sender.stop()
        await simulator.stop()
    }
}
