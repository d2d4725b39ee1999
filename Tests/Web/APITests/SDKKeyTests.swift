import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import StoreConformance
import Testing
import _CryptoExtras

@Suite("The public keys of an app")
struct SDKKeyTests {
    private static let path = "/app_group/sdk_authentication"
    private static let publicKeys = (0..<4).map { _ in
        (try? _RSA.Signing.PrivateKey(keySize: .bits2048))?.publicKey.pemRepresentation ?? ""
    }

    private struct Bench {
        let client: APIClient
        let app: JSONValue

        func add(
            _ key: String,
            _ description: JSONValue = "A key",
            primary: JSONValue = .null
        ) async throws -> APIClient.Answer {
            try await client.post(
                path + "/create",
                [
                    "app_id": app, "rsa_public_key_str": .string(key), "description": description,
                    "make_primary": primary,
                ]
            )
        }

        func change(
            _ method: HTTPRequest.Method,
            _ verb: String,
            _ key: JSONValue
        ) async throws -> APIClient.Answer {
            let body: JSONValue = ["app_id": app, "key_id": key]
            return try await client.send(
                path + "/" + verb,
                method,
                [.authorization: "Bearer \(client.secret)"],
                ByteBuffer(bytes: try JSONEncoder().encode(body))
            )
        }

        func list() async throws -> JSONValue? {
            try await client.get(path + "/keys?app_id=\(client.app.sdkKey)").body["keys"]
        }
    }

    private func bench(_ work: @escaping @Sendable (Bench) async throws -> Void) async throws {
        try await APIClient.run { client in
            try await work(Bench(client: client, app: .string(client.app.sdkKey)))
        }
    }

    private static func row(
        _ id: JSONValue?,
        _ key: String,
        _ description: JSONValue = "A key",
        primary: Bool
    ) -> JSONValue {
        [
            "id": id ?? .null, "rsa_public_key": .string(key), "description": description,
            "is_primary": .bool(primary),
        ]
    }

    @Test("keys are added, listed with the primary one first, exchanged and removed")
    func life() async throws {
        let keys = Self.publicKeys
        try await bench { bench in
            #expect(try await bench.list() == [])
            let first = try await bench.add(keys[0], "Old")
            #expect(first.status == .created, "\(first.body)")
            let second = try await bench.add(keys[1])
            #expect(
                try await bench.list() == [
                    Self.row(first.body["id"], keys[0], "Old", primary: true),
                    Self.row(second.body["id"], keys[1], primary: false),
                ]
            )
            let stays = try await bench.change(.delete, "delete", first.body["id"] ?? .null)
            #expect(stays.status == .badRequest)
            #expect(stays.message.contains("primary"))
            let made = try await bench.change(.put, "primary", second.body["id"] ?? .null)
            #expect(made.status == .ok)
            #expect(made.body["keys"]?.arrayValue?.first?["id"] == second.body["id"])
            let removed = try await bench.change(.delete, "delete", first.body["id"] ?? .null)
            #expect(removed.body["keys"] == [Self.row(second.body["id"], keys[1], primary: true)])
            let third = try await bench.add(keys[2], primary: true)
            #expect(
                try await bench.list() == [
                    Self.row(third.body["id"], keys[2], primary: true),
                    Self.row(second.body["id"], keys[1], primary: false),
                ]
            )
        }
    }

    @Test("an app has three keys at most, each once, and each an RSA public key")
    func problems() async throws {
        let keys = Self.publicKeys
        try await bench { bench in
            for key in keys.prefix(3) {
                #expect(try await bench.add(key).status == .created)
            }
            let cases: [(APIClient.Answer, String)] = [
                (try await bench.add(keys[3]), "app_id"),
                (try await bench.add("nonsense"), "rsa_public_key_str"),
                (try await bench.add(keys[3], ""), "description"),
                (try await bench.add(keys[3], "a\u{0}"), "description"),
                (
                    try await bench.add(keys[3], .string(String(repeating: "a", count: 256))),
                    "description"
                ),
                (try await bench.change(.put, "primary", "x"), "key_id"),
                (try await bench.change(.put, "primary", .string(UUID().uuidString)), "key_id"),
                (try await bench.change(.delete, "delete", .string(UUID().uuidString)), "key_id"),
                (try await bench.client.get(Self.path + "/keys"), "app_id"),
                (try await bench.client.get(Self.path + "/keys?app_id=x"), "app_id"),
            ]
            for (answer, field) in cases {
                #expect(answer.status == .badRequest)
                #expect(answer.errors.first?["field"] == .string(field), "\(answer.body)")
            }
            #expect(try await bench.list()?.arrayValue?.count == 3)
        }
    }

    @Test("tokens are required once there is a key to verify them, and the keys stay")
    func mode() async throws {
        try await bench { bench in
            func set(_ mode: JSONValue) async throws -> APIClient.Answer {
                let body: JSONValue = ["app_id": bench.app, "mode": mode]
                return try await bench.client.send(
                    Self.path + "/mode",
                    .put,
                    [.authorization: "Bearer \(bench.client.secret)"],
                    ByteBuffer(bytes: try JSONEncoder().encode(body))
                )
            }
            for mode: JSONValue in ["required", "sometimes", 1, .null] {
                let refused = try await set(mode)
                #expect(refused.status == .badRequest)
                #expect(refused.errors.first?["field"] == "mode", "\(refused.body)")
            }
            let id = try await bench.add(Self.publicKeys[0]).body["id"]
            for mode: JSONValue in ["optional", "required", "disabled"] {
                let answer = try await set(mode)
                #expect(answer.status == .ok)
                #expect(answer.body["mode"] == mode)
                #expect(answer.body["keys"]?.arrayValue?.first?["id"] == id)
                let listed = try await bench.client.get(
                    Self.path + "/keys?app_id=\(bench.client.app.sdkKey)"
                )
                #expect(listed.body == answer.body)
            }
        }
    }

    @Test("a key that is there already is not added again")
    func twice() async throws {
        let key = Self.publicKeys[0]
        try await bench { bench in
            #expect(try await bench.add(key).status == .created)
            let again = try await bench.add(key)
            #expect(again.status == .badRequest)
            #expect(again.errors.first?["field"] == "rsa_public_key_str")
        }
    }

    @Test("keys that are added at the same time are all there afterwards")
    func atOnce() async throws {
        let keys = Self.publicKeys
        try await bench { bench in
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for key in keys { group.addTask { try await bench.add(key).status } }
                var statuses: [Int] = []
                for try await status in group { statuses.append(status.code) }
                #expect(statuses.sorted() == [201, 201, 201, 400])
            }
            #expect(try await bench.list()?.arrayValue?.count == 3)
        }
    }

    @Test("keys that were stored without ids can be named")
    func withoutIDs() async throws {
        let key = Self.publicKeys[0]
        let stored = Data(#"{"mode":"required","publicKeys":["a","b"]}"#.utf8)
        let read = try JSONDecoder().decode(SDKAuthenticationPolicy.self, from: stored)
        #expect(read.mode == .required)
        #expect(read.publicKeys == ["a", "b"])
        #expect(Set(read.keys.map(\.id)).count == 2)
        #expect(try JSONDecoder().decode(SDKAuthenticationPolicy.self, from: stored) == read)
        let written = try JSONEncoder().encode(read)
        #expect(try JSONDecoder().decode(SDKAuthenticationPolicy.self, from: written) == read)
        try await bench { bench in
            try await bench.client.store.setAuthentication(read, of: bench.client.app)
            let made = try await bench.change(
                .put,
                "primary",
                .string(read.keys[1].id.uuidString)
            )
            #expect(made.body["keys"]?.arrayValue?.first?["rsa_public_key"] == "b")
            #expect(try await bench.add(key).status == .created)
        }
    }
}
