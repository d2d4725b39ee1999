import API
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("POST /sdk/v1/batch")
struct SDKTests {
    private let path = "/sdk/v1/batch"

    private func record(_ id: UUID, _ content: SDKRecord.Content) -> SDKRecord {
        SDKRecord(
            id: id,
            sequence: 1,
            timeMilliseconds: APIClient.now.milliseconds,
            user: .external("ada"),
            content: content
        )
    }

    private func send(_ records: [SDKRecord], by client: APIClient) async throws -> SDKBatchReceipt
    {
        let batch = SDKBatch(device: SDKDevice(id: UUID(), platform: "ios"), records: records)
        let answer = try await client.post(
            path,
            bytes: try JSONEncoder().encode(batch),
            key: client.app.sdkKey
        )
        #expect(answer.status == .ok)
        return try JSONDecoder().decode(
            SDKBatchReceipt.self,
            from: try JSONEncoder().encode(answer.body)
        )
    }

    @Test("an app that asks too often is told when to come back, and loses nothing")
    func limit() async throws {
        var limits = RateLimits()
        limits.sdk = RateLimit(requests: 2, seconds: 60)
        try await APIClient.run(limits: limits) { client in
            let sent = record(UUID(), .event(name: "viewed", properties: [:]))
            for _ in 0..<2 {
                #expect(try await send([sent], by: client).acknowledged == [sent.id])
            }
            let batch = SDKBatch(device: SDKDevice(id: UUID(), platform: "ios"), records: [sent])
            let refused = try await client.post(
                path,
                bytes: try JSONEncoder().encode(batch),
                key: client.app.sdkKey
            )
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "30")
            #expect(refused.message.contains("wait 30 seconds"))
            for (name, value) in [("X-RateLimit-Limit", "2"), ("X-RateLimit-Remaining", "0")] {
                #expect(refused.headers[try #require(HTTPField.Name(name))] == value)
            }
            let other = try await client.post("/users/track", ["events": []])
            #expect(other.status == .created)
        }
    }

    @Test("a record is acknowledged each time and stored once; a bad one is named")
    func batch() async throws {
        try await APIClient.run { client in
            let good = record(UUID(), .event(name: "viewed", properties: [:]))
            let bad = record(UUID(), .event(name: "$viewed", properties: [:]))
            for _ in 0..<2 {
                let receipt = try await send([good, bad], by: client)
                #expect(receipt.acknowledged == [good.id])
                #expect(receipt.rejected.map(\.id) == [bad.id])
                #expect(receipt.rejected.map(\.field) == ["name"])
            }
            let ada = try #require(try await client.profile("ada"))
            #expect(try await client.store.events(of: ada.id, limit: 10).count == 1)
        }
    }

    @Test("every answer says what is left of the app's limit, a refusal too")
    func headers() async throws {
        var limits = RateLimits()
        limits.sdk = RateLimit(requests: 100, seconds: 60)
        try await APIClient.run(limits: limits) { client in
            let key = "Bearer \(client.app.sdkKey)"
            let requests: [(HTTPRequest.Method, String)] = [
                (.post, path), (.get, "/sdk/v1/in_app_messages"), (.get, "/sdk/v1/web_push_key"),
                (.put, "/sdk/v1/push-token"), (.delete, "/sdk/v1/push-token"),
                (.get, "/sdk/v1/news"),
            ]
            for (number, (method, path)) in requests.enumerated() {
                let answer = try await client.send(path, method, [.authorization: key], nil)
                for (name, value) in [
                    ("X-RateLimit-Limit", "100"),
                    ("X-RateLimit-Remaining", "\(99 - number)"),
                ] {
                    let name = try #require(HTTPField.Name(name))
                    #expect(answer.headers[name] == value, "\(method) \(path)")
                }
                let unknown = try await client.send(path, method, [.authorization: "Bearer x"], nil)
                #expect(unknown.status == .unauthorized, "\(method) \(path)")
            }
        }
    }

    @Test("a key of the REST API is no SDK key")
    func wrongKey() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(path, ["device": [:], "records": []])
            #expect(answer.status == .unauthorized)
        }
    }

    @Test("a batch without its device is refused with the field's name")
    func incomplete() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(path, ["records": []], key: client.app.sdkKey)
            #expect(answer.status == .badRequest)
            #expect(answer.errors.first?["field"] == "device")
        }
    }

    @Test("where the app requires signed tokens, records of a named user without one are refused")
    func authentication() async throws {
        try await APIClient.run { client in
            try await client.store.setAuthentication(
                SDKAuthenticationPolicy(mode: .required, keys: []),
                of: client.app
            )
            var named = record(UUID(), .event(name: "viewed", properties: [:]))
            let batch = SDKBatch(device: SDKDevice(id: UUID(), platform: "ios"), records: [named])
            let answer = try await client.post(
                path,
                bytes: try JSONEncoder().encode(batch),
                key: client.app.sdkKey
            )
            #expect(answer.status == .unauthorized)
            #expect(answer.body["authentication"]?["code"] == 26)
            #expect(answer.body["authentication"]?["reason"] == "MISSING_TOKEN")
            #expect(try await client.profile("ada") == nil)
            named.user = .anonymous(UUID())
            #expect(try await send([named], by: client).acknowledged == [named.id])
        }
    }

    @Test("where signed tokens are optional, a bad one changes nothing")
    func optionalAuthentication() async throws {
        try await APIClient.run { client in
            try await client.store.setAuthentication(
                SDKAuthenticationPolicy(mode: .optional, keys: []),
                of: client.app
            )
            let named = record(UUID(), .event(name: "viewed", properties: [:]))
            #expect(try await send([named], by: client).acknowledged == [named.id])
        }
    }
}
