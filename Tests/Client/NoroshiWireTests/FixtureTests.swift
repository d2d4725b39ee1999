import Foundation
import NoroshiOutbox
import NoroshiWire
import Testing

@Suite("The wire contract")
struct FixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Protocol/fixtures")

    private func fixture(_ name: String) throws -> Data {
        try Data(contentsOf: Self.folder.appendingPathComponent(name))
    }

    /// Reads a fixture as `Value` and expects the same JSON when it is written again.
    private func roundTrip<Value: Codable>(_ name: String, as type: Value.Type) throws -> Value {
        let data = try fixture(name)
        let value = try JSONDecoder().decode(type, from: data)
        let written = try JSONDecoder().decode(
            JSONValue.self,
            from: try JSONEncoder().encode(value)
        )
        #expect(try written == JSONDecoder().decode(JSONValue.self, from: data), "\(name)")
        return value
    }

    @Test("the version is the same in the server, both SDKs and the changelog's newest entry")
    func version() throws {
        let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
        func text(_ path: String) throws -> String {
            try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        }
        let version = NoroshiVersion.current
        #expect(try text("Clients/web/outbox.js").contains("const VERSION = \"\(version)\";"))
        let entry = try text("CHANGELOG.md").components(separatedBy: "\n")
            .first { $0.hasPrefix("## ") }
        #expect(entry?.hasPrefix("## \(version) ") == true)
    }

    @Test("a batch with every kind of record is read and written without loss")
    func batch() throws {
        let batch = try roundTrip("batch.json", as: SDKBatch.self)
        #expect(batch.records.map(\.sequence) == Array(1...13))
        #expect(batch.records[1].user != batch.records[2].user)
        guard case .event(_, let properties) = batch.records[3].content else {
            Issue.record("the fourth record is no event")
            return
        }
        // Beyond the whole numbers that a Double holds.
        #expect(properties["count"] == .integer(9_007_199_254_740_993))
    }

    @Test("receipts and failures are read and written without loss")
    func answers() throws {
        let receipt = try roundTrip("receipt.json", as: SDKBatchReceipt.self)
        #expect(receipt.rejected.map(\.field) == ["properties.price"])
        _ = try roundTrip("failure.json", as: SDKFailure.self)
        let refused = try roundTrip("failure-authentication.json", as: SDKFailure.self)
        #expect(refused.authentication?.reason == "EXPIRED")
    }

    @Test("in-app messages are read and written without loss")
    func inAppMessages() throws {
        let list = try roundTrip("in_app_messages.json", as: SDKInAppMessages.self)
        #expect(list.messages.map(\.kind) == [.modal, .slideup, .full])
    }

    @Test("a message of an unknown kind is left out, its neighbours stay")
    func unknownMessage() throws {
        let text = String(decoding: try fixture("in_app_messages.json"), as: UTF8.self)
            .replacingOccurrences(of: #""type": "slideup""#, with: #""type": "hologram""#)
        let list = try JSONDecoder().decode(SDKInAppMessages.self, from: Data(text.utf8))
        #expect(list.messages.map(\.id) == ["picker", "primer"])
    }

    @Test("a push of Apple's and a message of Firebase's say the same")
    func pushes() throws {
        let apns = try #require(
            JSONDecoder().decode(JSONValue.self, from: fixture("push-apns.json")).anyValue
                as? [String: Any]
        )
        let fcm = try JSONDecoder().decode([String: String].self, from: fixture("push-fcm.json"))
        let first = try #require(PushPayload(userInfo: apns))
        let second = try #require(PushPayload(data: fcm))
        #expect(first.dispatch == second.dispatch)
        #expect(first.pushNumber == 42 && second.pushNumber == 42)
        #expect(first.uri?.absoluteString == "tea://menu" && first.uri == second.uri)
        #expect(first.actionURIs == second.actionURIs)
        #expect(first.attachment == second.attachment)
        #expect(first.values["colour"] == "green")
        #expect(first.values["custom_vars"] == #"{"table":7}"#)
    }

    @Test("dynamic values come back from JSON as they went")
    func dynamicValues() throws {
        let value: JSONValue = [
            "a": [1, 1.5, "x", true, nil], "b": ["c": -1], "large": 9_007_199_254_740_993,
        ]
        #expect(JSONValue(any: value.anyValue) == value)
        #expect(JSONValue(any: Data()) == Optional<JSONValue>.none)
        #expect(JSONValue(any: UInt64.max) == .number(Double(UInt64.max)))
    }
}
