import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("Push tokens from another system")
struct PushTokenTests {
    private func track(
        _ client: APIClient,
        _ attributes: JSONValue...
    ) async throws -> APIClient.Answer {
        let answer = try await client.post("/users/track", ["attributes": .array(attributes)])
        #expect(answer.status == .created, "\(answer.message)")
        return answer
    }

    private func token(_ client: APIClient, _ text: String) -> JSONValue {
        ["app_id": .string(client.app.sdkKey), "token": .string(text)]
    }

    @Test("a named user gets the tokens that come with the attributes")
    func named() async throws {
        try await APIClient.run { client in
            let device = UUID()
            let answer = try await track(
                client,
                [
                    "external_id": "ada", "plan": "pro",
                    "push_tokens": [
                        token(client, "AB01"),
                        [
                            "app_id": .string(client.app.bundleID), "token": "cd02",
                            "device_id": .string(device.uuidString),
                        ],
                    ],
                ]
            )
            #expect(answer.errors.isEmpty)
            let ada = try #require(try await client.profile("ada"))
            #expect(ada.custom == ["plan": "pro"])
            let devices = try await client.store.devices(of: ada.id)
            #expect(devices.compactMap(\.push?.token) == ["ab01", "cd02"])
            #expect(devices.last?.installation == device)
            #expect(devices.first?.push?.environment == .production)
            // The same again changes nothing; another user takes a token over.
            _ = try await track(
                client,
                ["external_id": "ada", "push_tokens": [token(client, "ab01")]]
            )
            #expect(try await client.store.devices(of: ada.id).count == 2)
            _ = try await track(
                client,
                ["external_id": "bob", "push_tokens": [token(client, "ab01")]]
            )
            #expect(
                try await client.store.devices(of: ada.id).compactMap(\.push?.token) == ["cd02"]
            )
        }
    }

    @Test("tokens of nobody make a nameless user, unless they are known")
    func nobody() async throws {
        try await APIClient.run { client in
            let body: JSONValue = [
                "push_token_import": true, "push_tokens": [token(client, "ab01")],
            ]
            for _ in 0..<3 { #expect(try await track(client, body).errors.isEmpty) }
            let counts = try await client.store.userCounts(in: client.workspace)
            #expect(counts.users == 1)
            #expect(counts.reachableDevices == 1)

            // The app runs with the SDK for the first time: the token is its user's.
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            _ = try await StoreConformance(client.store).register("ada", token: "ab01", in: fixture)
            let later = try await client.store.userCounts(in: client.workspace)
            #expect(later.reachableDevices == 1)
            #expect(try await track(client, body).errors.isEmpty)
            let ada = try #require(try await client.profile("ada"))
            #expect(
                try await client.store.devices(of: ada.id).compactMap(\.push?.token) == ["ab01"]
            )
        }
    }

    @Test("a token at fault is left out by name; the other tokens and the attributes are stored")
    func partial() async throws {
        try await APIClient.run { client in
            let answer = try await track(
                client,
                [
                    "external_id": "ada", "plan": "pro",
                    "push_tokens": [
                        token(client, "AB01"),
                        [
                            "app_id": .string(client.app.sdkKey), "token": "ab02",
                            "device_id": "phone",
                        ],
                        token(client, "xyz"), token(client, "AB03"),
                    ],
                ]
            )
            #expect(answer.body["attributes_processed"] == 1)
            #expect(
                answer.errors.compactMap { $0["field"]?.stringValue } == [
                    "push_tokens.1.device_id", "push_tokens.2.token",
                ]
            )
            let ada = try #require(try await client.profile("ada"))
            #expect(ada.custom == ["plan": "pro"])
            let tokens = try await client.store.devices(of: ada.id).compactMap(\.push?.token)
            #expect(tokens == ["ab01", "ab03"])
        }
    }

    @Test(
        "what is wrong with tokens is named",
        arguments: [
            ("external_id", ["external_id": "ada", "push_token_import": true]),
            ("push_tokens", ["push_token_import": true]),
            ("push_tokens", ["push_token_import": true, "push_tokens": []]),
            ("push_tokens", ["external_id": "ada", "push_tokens": "ab"]),
            ("push_tokens.0", ["external_id": "ada", "push_tokens": ["ab"]]),
            ("push_tokens.0.app_id", ["external_id": "ada", "push_tokens": [["token": "ab"]]]),
            ("push_tokens.0.token", ["external_id": "ada", "push_tokens": [["app_id": "x"]]]),
            (
                "push_tokens.0.app_id",
                ["external_id": "ada", "push_tokens": [["app_id": "x", "token": "ab"]]]
            ),
            (
                "push_tokens.0.device_id",
                [
                    "external_id": "ada",
                    "push_tokens": [["app_id": "x", "token": "ab", "device_id": "1"]],
                ]
            ),
        ] as [(String, JSONValue)]
    )
    func problems(field: String, element: JSONValue) async throws {
        try await APIClient.run { client in
            let answer = try await track(client, element)
            #expect(answer.errors.compactMap { $0["field"]?.stringValue } == [field])
            #expect(answer.errors.first?["index"] == 0)
        }
    }
}
