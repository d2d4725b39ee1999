import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("POST /messages/send")
struct MessageTests {
    private let path = "/messages/send"
    private let push: JSONValue = ["apple_push": ["alert": "Hello"]]

    @Test("named users get the push, unknown ones are passed over, and the key is the author")
    func named() async throws {
        try await APIClient.run { client in
            let conformance = StoreConformance(client.store)
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            try await conformance.register("ada", token: "01", in: fixture)
            try await conformance.register("ben", token: "02", in: fixture)
            let answer = try await client.post(
                path,
                ["external_user_ids": ["ada", "nobody"], "messages": push]
            )
            #expect(answer.status == .created)
            let id = SendID(try #require(answer.body["push_no"]?.integerValue))
            let send = try #require(try await client.store.send(id))
            let name = try #require(answer.body["dispatch_id"]?.stringValue)
            #expect(name == send.dispatchName)
            #expect(name.count == 32)
            #expect(name.allSatisfy { $0.isHexDigit && !$0.isUppercase })
            // Its name, that of its schedule and the number that devices report all find it.
            for text in [name, name.uppercased(), send.scheduleName, "\(id)"] {
                let found = try await client.store.send(named: text, in: client.workspace)
                #expect(found?.id == id, "\(text)")
            }
            let listed = try await client.store.sends(
                in: client.workspace,
                matching: SendQuery(text: name)
            )
            #expect(listed.sends.map(\.id) == [id])
            let ada = try #require(try await client.profile("ada"))
            #expect(send.content.audience == .profiles([ada.id]))
            #expect(send.content.message.body == "Hello")
            #expect(send.content.author == "all")
        }
    }

    @Test("a broadcast goes to everyone")
    func broadcast() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(path, ["broadcast": true, "messages": push])
            let id = SendID(try #require(answer.body["push_no"]?.integerValue))
            #expect(try await client.store.send(id)?.content.audience == .everyone)
        }
    }

    @Test(
        "a request that cannot be sent is refused with the field, and nothing is sent",
        arguments: [
            (["messages": ["apple_push": ["alert": "Hi"]]], "external_user_ids"),
            (["broadcast": true], "messages"),
            (["broadcast": true, "messages": [:]], "messages"),
            (["broadcast": true, "messages": ["sms": [:]]], "messages.sms"),
            (["broadcast": true, "messages": ["apple_push": [:]]], "messages.apple_push.alert"),
            (
                ["broadcast": true, "messages": ["apple_push": ["alert": "{{ a"]]], "body"
            ),
            (
                [
                    "broadcast": true, "external_user_ids": ["ada"],
                    "messages": ["apple_push": ["alert": "Hi"]],
                ], "broadcast"
            ),
            (
                ["external_user_ids": [true], "messages": ["apple_push": ["alert": "Hi"]]],
                "external_user_ids.0"
            ),
            (
                [
                    "external_user_ids": .array(Array(repeating: "ada", count: 51)),
                    "messages": ["apple_push": ["alert": "Hi"]],
                ], "external_user_ids"
            ),
            (
                [
                    "broadcast": true, "segment_id": "s",
                    "messages": ["apple_push": ["alert": "Hi"]],
                ], "segment_id"
            ),
        ] as [(JSONValue, String)]
    )
    func refused(_ body: JSONValue, _ field: String) async throws {
        try await APIClient.run { client in
            let answer = try await client.post(path, body)
            #expect(answer.status == .badRequest)
            #expect(answer.errors.first?["field"]?.stringValue == field)
            let sends = try await client.store.sends(in: client.workspace, limit: 1, offset: 0)
            #expect(sends.isEmpty)
        }
    }
}
