import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import Testing

@Suite("Keys and paths")
struct KeyTests {
    private func range(_ text: String) throws -> AddressRange { try #require(AddressRange(text)) }

    @Test("a key with addresses is good from there only")
    func addresses() async throws {
        try await APIClient.run(overSocket: true) { client in
            let here = try await client.key(
                ["events.list"],
                from: [try range("127.0.0.0/8"), try range("::1")]
            )
            let elsewhere = try await client.key(["events.list"], from: [try range("10.0.0.0/8")])
            #expect(try await client.get("/events/list", key: here).status == .ok)
            let refused = try await client.get("/events/list", key: elsewhere)
            #expect(refused.status == .forbidden)
            #expect(refused.message.contains("may not be used from"))
            // Nobody but a trusted proxy says where a request comes from.
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            let pretended = try await client.send(
                "/events/list",
                .get,
                [.authorization: "Bearer \(elsewhere)", forwarded: "10.1.2.3"],
                nil
            )
            #expect(pretended.status == .forbidden)
        }
    }

    @Test("every endpoint asks for its own permission, and no longer answers a revoked key")
    func permissions() async throws {
        try await APIClient.run { client in
            let other = try await client.key(["none.of.these"])
            let revoked = try await client.key(["*"])
            #expect(
                try await client.store.revokeAPIKey(
                    named: "*",
                    in: client.workspace,
                    noting: nil,
                    now: APIClient.now
                )
            )
            let description = try await client.send("/openapi.json", .get, [:], nil).body
            let paths = try #require(description["paths"]?.objectValue)
            for (path, operations) in paths {
                for (method, operation) in operations.objectValue ?? [:] {
                    let permission = try #require(operation["x-permission"]?.stringValue)
                    let method = try #require(HTTPRequest.Method(rawValue: method.uppercased()))
                    let path = path.replacing(/{\w+}/, with: "x")
                    let body = operation["requestBody"].map { _ in ByteBuffer(string: "{}") }
                    func ask(_ key: String) async throws -> APIClient.Answer {
                        try await client.send(path, method, [.authorization: "Bearer \(key)"], body)
                    }
                    let refused = try await ask(other)
                    #expect(refused.status == .forbidden, "\(method) \(path)")
                    #expect(refused.message.contains("'\(permission)'"))
                    #expect(try await ask(revoked).status == .unauthorized, "\(method) \(path)")
                    #expect(try await ask("").status == .unauthorized, "\(method) \(path)")
                }
            }
        }
    }

    @Test("the last use of a key is kept, to the minute")
    func lastUse() async throws {
        try await APIClient.run { client in
            let before = try await client.store.apiKeys(in: client.workspace)
            #expect(before.first?.lastUsedAt == nil)
            _ = try await client.get("/events/list")
            let after = try await client.store.apiKeys(in: client.workspace)
            #expect(after.first?.lastUsedAt == APIClient.now)
        }
    }

    @Test("an old client's key beside the parameters is good too")
    func parameter() async throws {
        try await APIClient.run { client in
            let posted = try await client.send(
                "/users/track",
                .post,
                [:],
                ByteBuffer(
                    bytes: try JSONEncoder().encode(
                        JSONValue.object([
                            "api_key": .string(client.secret),
                            "attributes": [["external_id": "ada"]],
                        ])
                    )
                )
            )
            #expect(posted.status == .created)
            let got = try await client.send(
                "/events/list?api_key=\(client.secret)",
                .get,
                [:],
                nil
            )
            #expect(got.status == .ok)
            let wrong = try await client.send("/events/list?api_key=x", .get, [:], nil)
            #expect(wrong.status == .unauthorized)
            // In the query a key is known before the body is read.
            let long = String(repeating: "x", count: 300_000)
            let bytes = try JSONEncoder().encode(
                ["attributes": [["external_id": "ben", "note": long]]]
            )
            let ahead = try await client.send(
                "/users/track?api_key=\(client.secret)",
                .post,
                [:],
                ByteBuffer(bytes: bytes)
            )
            #expect(ahead.status == .created)
        }
    }

    @Test("of who is not known no more is read than an old client sends")
    func strangers() async throws {
        try await APIClient.run { client in
            let long = String(repeating: "x", count: 300_000)
            for body in [
                #"{"note": "\#(long)"}"#, #"{"api_key": "\#(client.secret)", "n": "\#(long)"}"#,
            ] {
                let answer = try await client.send(
                    "/users/track",
                    .post,
                    [:],
                    ByteBuffer(string: body)
                )
                #expect(answer.status == .unauthorized)
                #expect(answer.message.contains("Authorization"))
                #expect(answer.message.contains("262144"))
            }
            let broken = try await client.send("/users/track", .post, [:], ByteBuffer(string: "{"))
            #expect(broken.status == .badRequest)
        }
    }

    @Test("an unknown path and a wrong method are answered in JSON")
    func paths() async throws {
        try await APIClient.run { client in
            let unknown = try await client.get("/users/trace")
            #expect(unknown.status == .notFound)
            #expect(unknown.message.contains("/users/trace"))
            let wrong = try await client.get("/users/track")
            #expect(wrong.status == .methodNotAllowed)
            #expect(wrong.headers[.allow] == "POST")
            #expect(wrong.message.contains("POST"))
        }
    }
}
