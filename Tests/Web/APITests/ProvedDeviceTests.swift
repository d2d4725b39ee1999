import API
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing
import _CryptoExtras

/// What a device gets that says it is somebody's, and what one gets that has proved it.
@Suite("Proved devices")
struct ProvedDeviceTests {
    /// Signs users' tokens, as an app's back end does.
    private struct Signer {
        let key: _RSA.Signing.PrivateKey

        init() throws {
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        }

        func token(_ user: String, expiresIn seconds: Int = 60) throws -> String {
            let claims = #"{"sub":"\#(user)","exp":\#(1_790_000_000 + seconds)}"#
            let signed =
                base64url(Data(#"{"alg":"RS256"}"#.utf8)) + "." + base64url(Data(claims.utf8))
            let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
            return signed + "." + base64url(signature.rawRepresentation)
        }

        private func base64url(_ data: Data) -> String {
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
    }

    private struct Site {
        let client: APIClient
        let signer: Signer

        func require(_ mode: SDKAuthenticationPolicy.Mode = .required) async throws {
            try await client.store.setAuthentication(
                SDKAuthenticationPolicy(
                    mode: mode,
                    keys: [
                        .init(
                            id: UUID(),
                            publicKey: signer.key.publicKey.pemRepresentation,
                            description: ""
                        )
                    ]
                ),
                of: client.app
            )
        }

        /// A session of a user on a device; the status of the answer.
        func session(
            _ device: UUID,
            _ user: SDKUser,
            token: String? = nil
        ) async throws -> HTTPResponse.Status {
            let record = SDKRecord(
                id: UUID(),
                sequence: 1,
                timeMilliseconds: APIClient.now.milliseconds,
                user: user,
                content: .sessionStarted
            )
            let batch = SDKBatch(
                device: SDKDevice(id: device, platform: "ios"),
                records: [record],
                signature: token
            )
            return try await client.post(
                "/sdk/v1/batch",
                bytes: try JSONEncoder().encode(batch),
                key: client.app.sdkKey
            ).status
        }

        /// A user's wish to be deleted; the status, and how many were.
        func delete(
            _ device: UUID,
            _ user: SDKUser,
            token: String? = nil
        ) async throws -> (HTTPResponse.Status, Int64?) {
            let answer = try await client.post(
                "/sdk/v1/users/delete",
                bytes: try JSONEncoder().encode(
                    SDKDeletion(device: device, user: user, signature: token)
                ),
                key: client.app.sdkKey
            )
            return (answer.status, answer.body["deleted"]?.integerValue)
        }

        /// The text of the one message, as a device reads it.
        func message(
            _ device: UUID,
            _ user: String,
            token: String? = nil
        ) async throws -> String? {
            var headers: HTTPFields = [.authorization: "Bearer \(client.app.sdkKey)"]
            if let name = HTTPField.Name("X-Noroshi-User-Token") { headers[name] = token }
            let answer = try await client.send(
                "/sdk/v1/in_app_messages?device=\(device.uuidString)&user=\(user)",
                .get,
                headers,
                nil
            )
            return try JSONDecoder().decode(
                SDKInAppMessages.self,
                from: try JSONEncoder().encode(answer.body)
            ).messages.first?.message
        }
    }

    /// A site whose one message says the balance of the user.
    private func run(_ work: @escaping @Sendable (Site) async throws -> Void) async throws {
        let signer = try Signer()
        try await APIClient.run { client in
            let tracked = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "victim", "balance": 12345]]]
            )
            #expect(tracked.errors.isEmpty)
            let made = try await client.post(
                "/in_app_messages/create",
                [
                    "name": "Balance", "state": "active",
                    "message": [
                        "type": "modal",
                        "message": "Balance {{custom_attribute.${balance} | default: 'none'}}",
                        "rules": ["triggers": [["type": "session_start"]]],
                    ],
                ]
            )
            #expect(made.status == .created, "\(made.message)")
            try await work(Site(client: client, signer: signer))
        }
    }

    @Test("a user with a name is deleted only with a token that holds, whatever batches need")
    func deletion() async throws {
        try await run { site in
            let (phone, stranger) = (UUID(), UUID())
            func exists() async throws -> Bool {
                try await site.client.store.profile(.external("victim"), in: site.client.workspace)
                    != nil
            }
            #expect(try await site.session(phone, .external("victim")) == .ok)
            // The app has no keys: whoever has its SDK key could name anybody.
            #expect(try await site.delete(phone, .external("victim")).0 == .forbidden)
            for mode in [SDKAuthenticationPolicy.Mode.optional, .required] {
                try await site.require(mode)
                for token in [
                    nil, try site.signer.token("eve"), try Signer().token("victim"),
                    try site.signer.token("victim", expiresIn: -60),
                ] {
                    let (status, _) = try await site.delete(
                        stranger,
                        .external("victim"),
                        token: token
                    )
                    #expect(status == .unauthorized)
                }
            }
            #expect(try await exists())
            let token = try site.signer.token("victim")
            let first = try await site.delete(stranger, .external("victim"), token: token)
            #expect(first.0 == .ok && first.1 == 1)
            #expect(try await !exists())
            let again = try await site.delete(stranger, .external("victim"), token: token)
            #expect(again.0 == .ok && again.1 == 0)
        }
    }

    @Test("who has a name by now is not deleted as the nameless user of before")
    func formerlyNameless() async throws {
        try await run { site in
            let (phone, user) = (UUID(), UUID())
            #expect(try await site.session(phone, .anonymous(user)) == .ok)
            #expect(try await site.session(phone, .external("victim")) == .ok)
            let (status, count) = try await site.delete(phone, .anonymous(user))
            #expect(status == .ok && count == 0)
            let left = try await site.client.store.profile(
                .external("victim"),
                in: site.client.workspace
            )
            #expect(left != nil)
        }
    }

    @Test("a nameless user is deleted from the installation they are on, and from no other")
    func namelessDeletion() async throws {
        try await run { site in
            let (phone, other, user) = (UUID(), UUID(), UUID())
            #expect(try await site.session(phone, .anonymous(user)) == .ok)
            #expect(try await site.session(other, .anonymous(UUID())) == .ok)
            for (device, deleted) in [(other, 0), (UUID(), 0), (phone, 1), (phone, 0)] {
                let (status, count) = try await site.delete(device, .anonymous(user))
                #expect(status == .ok)
                #expect(count == Int64(deleted))
            }
        }
    }

    @Test("a device claimed before tokens were required has proved nothing")
    func claimedBefore() async throws {
        try await run { site in
            let device = UUID()
            #expect(try await site.session(device, .external("victim")) == .ok)
            #expect(try await site.message(device, "victim") == "Balance 12345")
            try await site.require()
            #expect(try await site.message(device, "victim") == "Balance none")
            #expect(try await site.session(device, .external("victim")) == .unauthorized)
            #expect(try await site.message(device, "victim") == "Balance none")
        }
    }

    @Test("a device that has brought the user's token is proved until another user logs in on it")
    func proved() async throws {
        try await run { site in
            try await site.require()
            let device = UUID()
            let token = try site.signer.token("victim")
            #expect(try await site.session(device, .external("victim"), token: token) == .ok)
            #expect(try await site.message(device, "victim") == "Balance 12345")
            #expect(try await site.session(device, .anonymous(UUID())) == .ok)
            #expect(try await site.message(device, "victim") == "Balance none")
            try await site.require(.disabled)
            #expect(try await site.session(device, .external("victim")) == .ok)
            try await site.require()
            #expect(try await site.message(device, "victim") == "Balance none")
        }
    }

    @Test("a nameless user who gets a name with a token is proved at once")
    func identified() async throws {
        try await run { site in
            try await site.require()
            let device = UUID()
            #expect(try await site.session(device, .anonymous(UUID())) == .ok)
            let token = try site.signer.token("victim")
            #expect(try await site.session(device, .external("victim"), token: token) == .ok)
            #expect(try await site.message(device, "victim") == "Balance 12345")
        }
    }

    @Test("a request that reads may bring the token itself; it has to hold for its user")
    func tokenOfRequest() async throws {
        try await run { site in
            let device = UUID()
            #expect(try await site.session(device, .external("victim")) == .ok)
            try await site.require()
            let good = try site.signer.token("victim")
            #expect(try await site.message(device, "victim", token: good) == "Balance 12345")
            for token in [
                try site.signer.token("mallory"), try site.signer.token("victim", expiresIn: -1),
                try Signer().token("victim"), try site.signer.token("victim") + "x", "nonsense",
            ] {
                #expect(try await site.message(device, "victim", token: token) == "Balance none")
            }
            // A token opens nothing on a device that is somebody else's.
            let other = UUID()
            #expect(try await site.message(other, "victim", token: good) == "Balance none")
        }
    }

    @Test("where tokens are optional, devices are believed, and those that bring one are noted")
    func optional() async throws {
        try await run { site in
            try await site.require(.optional)
            let (quiet, honest) = (UUID(), UUID())
            #expect(try await site.session(quiet, .external("victim")) == .ok)
            let token = try site.signer.token("victim")
            #expect(try await site.session(honest, .external("victim"), token: token) == .ok)
            #expect(try await site.message(quiet, "victim") == "Balance 12345")
            let counts = try await site.client.store.namedDevices(of: site.client.app.id)
            #expect(counts.all == 2)
            #expect(counts.unproved == 1)
            try await site.require()
            #expect(try await site.message(quiet, "victim") == "Balance none")
            #expect(try await site.message(honest, "victim") == "Balance 12345")
        }
    }

    @Test("what a user has read is told only to who proves to be the user")
    func news() async throws {
        try await run { site in
            try await site.require()
            var content = NewsContent(title: "Hello")
            content.isDraft = false
            _ = try await site.client.store.createNews(
                content,
                author: "ada",
                in: site.client.workspace,
                now: APIClient.now.addingTimeInterval(-60)
            )
            func isTold(_ token: String?) async throws -> Bool {
                var headers: HTTPFields = [.authorization: "Bearer \(site.client.app.sdkKey)"]
                if let name = HTTPField.Name("X-Noroshi-User-Token") { headers[name] = token }
                let answer = try await site.client.send(
                    "/sdk/v1/news?user=victim",
                    .get,
                    headers,
                    nil
                )
                let rows = answer.body["news"]?.arrayValue ?? []
                #expect(rows.count == 1)
                return rows.first?["is_read"] != nil
            }
            #expect(try await !isTold(nil))
            #expect(try await !isTold(try site.signer.token("mallory")))
            #expect(try await isTold(try site.signer.token("victim")))
        }
    }
}
