import API
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Synchronization
import Testing

@Suite("Limits and resent requests")
struct LimitTests {
    private let path = "/users/track"
    private let body: JSONValue = ["attributes": [["external_id": "ada"]]]

    private func header(_ name: String, _ answer: APIClient.Answer) throws -> Int? {
        answer.headers[try #require(HTTPField.Name(name))].flatMap(Int.init)
    }

    @Test("each answer says what is left, and who asks too often is told when to come back")
    func limit() async throws {
        var limits = RateLimits()
        limits.track = RateLimit(requests: 2, seconds: 60)
        try await APIClient.run(limits: limits) { client in
            let first = try await client.post(path, body)
            #expect(try header("X-RateLimit-Limit", first) == 2)
            #expect(try header("X-RateLimit-Remaining", first) == 1)
            // One of two was taken: it is back after half of the minute.
            let reset = try #require(try header("X-RateLimit-Reset", first))
            #expect(reset == Int(APIClient.now.timeIntervalSince1970) + 30)
            // A request that fails counts too.
            let second = try await client.post(path, [:])
            #expect(second.status == .badRequest)
            #expect(try header("X-RateLimit-Remaining", second) == 0)
            let third = try await client.post(path, body)
            #expect(third.status == .tooManyRequests)
            #expect(third.headers[.retryAfter] == "30")
            #expect(third.message.contains("30 seconds"))
            // Another key and another kind of request have their own limits.
            let other = try await client.key(["users.track"])
            #expect(try await client.post(path, body, key: other).status == .created)
            let merge = try await client.post("/users/merge", [:])
            #expect(merge.status == .badRequest)
        }
    }

    @Test("each of several servers allows its part, and says what is left of the whole")
    func severalServers() async throws {
        var limits = RateLimits()
        limits.track = RateLimit(requests: 6, seconds: 60)
        let servers = Mutex(3)
        try await APIClient.run(limits: limits, servers: { servers.withLock(\.self) }) { client in
            let first = try await client.post(path, body)
            #expect(try header("X-RateLimit-Limit", first) == 6)
            #expect(try header("X-RateLimit-Remaining", first) == 3)
            #expect(try await client.post(path, body).status == .created)
            let third = try await client.post(path, body)
            #expect(third.status == .tooManyRequests)
            #expect(third.headers[.retryAfter] == "30")
            // The others are gone: what comes from now on is all for this one.
            servers.withLock { $0 = 1 }
            #expect(try await client.post(path, body).headers[.retryAfter] == "10")
            // Nobody is kept out where there are fewer requests than servers.
            servers.withLock { $0 = 12 }
            let key = try await client.key(["users.track"])
            #expect(try await client.post(path, body, key: key).status == .created)
            let refused = try await client.post(path, body, key: key)
            #expect(refused.headers[.retryAfter] == "120")
        }
    }

    @Test("limits that are changed hold from the next request on, and the reference says them")
    func changed() async throws {
        let limits = Mutex(RateLimits())
        try await APIClient.run(changingLimits: { limits.withLock(\.self) }) { client in
            #expect(try header("X-RateLimit-Limit", try await client.post(path, body)) == 30_000)
            #expect(try await client.text("/docs/api").contains("30000 requests in 3 seconds"))
            limits.withLock {
                $0.track = RateLimit(requests: 1, seconds: 60)
                $0.bodyBytes = 100
            }
            #expect(try header("X-RateLimit-Limit", try await client.post(path, body)) == 1)
            #expect(try await client.post(path, body).status == .tooManyRequests)
            #expect(try await client.text("/docs/api").contains("1 requests in 60 seconds"))
            let long: JSONValue = ["external_ids": [.string(String(repeating: "a", count: 100))]]
            let refused = try await client.post("/users/delete", long)
            #expect(refused.status == .contentTooLarge)
            #expect(refused.message.contains("100 bytes"))
        }
    }

    @Test("who is not known is told the limits too")
    func unknown() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(path, body, key: "nonsense")
            #expect(answer.status == .unauthorized)
            #expect(try header("X-RateLimit-Limit", answer) == RateLimits().track.requests)
            #expect(try header("X-RateLimit-Remaining", answer) != nil)
            #expect(try header("X-RateLimit-Reset", answer) != nil)
        }
    }

    @Test("a request sent again under the same Idempotency-Key is counted once")
    func idempotency() async throws {
        try await APIClient.run { client in
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            let event: JSONValue = [
                "external_id": "ada", "name": "viewed", "time": "2026-07-04T18:30:00Z",
            ]
            let body: JSONValue = [
                "attributes": [["external_id": "ada", "visits": ["inc": 1]]],
                "events": [event, event],
            ]
            for _ in 0..<3 {
                let answer = try await client.post(path, body, headers: [name: "import-1"])
                #expect(answer.status == .created)
                #expect(answer.body["events_processed"] == 2)
            }
            let ada = try #require(try await client.profile("ada"))
            #expect(ada.custom == ["visits": 1])
            #expect(try await client.store.events(of: ada.id, limit: 10).count == 2)
            _ = try await client.post(path, body, headers: [name: "import-2"])
            #expect(try await client.profile("ada")?.custom == ["visits": 2])
            let long = String(repeating: "x", count: 256)
            let refused = try await client.post(path, body, headers: [name: long])
            #expect(refused.status == .badRequest)
        }
    }

    @Test("messages to users who are not named have a limit of their own")
    func broadcasts() async throws {
        var limits = RateLimits()
        #expect(limits.broadcast == RateLimit(requests: 250, seconds: 60))
        limits.broadcast = RateLimit(requests: 1, seconds: 60)
        try await APIClient.run(limits: limits) { client in
            let messages: JSONValue = ["apple_push": ["alert": "Hello"]]
            let toAll: JSONValue = ["broadcast": true, "messages": messages]
            let toOne: JSONValue = ["external_user_ids": ["ada"], "messages": messages]
            let first = try await client.post("/messages/send", toAll)
            #expect(first.status == .created)
            #expect(try header("X-RateLimit-Limit", first) == 1)
            #expect(try header("X-RateLimit-Remaining", first) == 0)
            let second = try await client.post("/messages/send", toAll)
            #expect(second.status == .tooManyRequests)
            #expect(second.headers[.retryAfter] == "60")
            #expect(second.message.contains("broadcasts"))
            // Campaigns share it, messages to named users do not.
            for path in [
                "/campaigns/trigger/send", "/messages/schedule/create",
                "/campaigns/trigger/schedule/create",
            ] {
                let answer = try await client.post(path, ["broadcast": true])
                #expect(answer.status == .tooManyRequests, "\(path)")
            }
            #expect(try await client.post("/messages/send", toOne).status == .created)
            #expect(
                try await client.store.sends(in: client.workspace, limit: 9, offset: 0).count == 2
            )
        }
    }

    @Test("the description has every endpoint that is served, and no other")
    func description() async throws {
        try await APIClient.run { client in
            let answer = try await client.send("/openapi.json", .get, [:], nil)
            #expect(answer.status == .ok)
            #expect(answer.body["openapi"] == "3.1.0")
            var described: Set<String> = []
            for (path, operations) in try #require(answer.body["paths"]?.objectValue) {
                for (method, operation) in try #require(operations.objectValue) {
                    described.insert("\(method.uppercased()) \(path)")
                    #expect(operation["summary"]?.stringValue?.isEmpty == false)
                }
            }
            let served = client.routes.filter {
                !["/sdk/", "/openapi.json", "/docs/", "/exports/", "/preferences/"].contains(
                    where: $0.contains
                )
            }
            #expect(!served.isEmpty)
            #expect(described == Set(served))
        }
    }
}
