import Accounts
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Testing

@Suite("Facts over HTTP")
struct FactRouteTests {
    @Test("a reader that goes on after the position gets each fact once, and is told of the end")
    func pages() async throws {
        try await APIClient.run { client in
            let stored = try await client.post(
                "/users/track",
                [
                    "attributes": [["external_id": "ada", "push_subscribe": "opted_in"]],
                    "events": [
                        ["external_id": "ada", "name": "poured", "time": "2026-09-01"],
                        ["external_id": "ada", "name": "poured", "time": "2026-09-02"],
                    ],
                ]
            )
            #expect(stored.errors.isEmpty)
            let name = try #require(HTTPField.Name("Noroshi-Position"))
            let end = try #require(HTTPField.Name("Noroshi-End"))
            var (position, kinds, numbers) = ("0", [String](), [Int64]())
            for _ in 0..<50 {
                let answer = try await client.get("/facts?limit=1&after=\(position)")
                #expect(answer.status == .ok)
                for fact in answer.body.arrayValue ?? [] {
                    kinds.append(fact["kind"]?.stringValue ?? "")
                    numbers.append(fact["number"]?.integerValue ?? 0)
                }
                position = try #require(answer.headers[name])
                if answer.headers[end] == "true" { break }
            }
            #expect(kinds.count { $0 == "event" } == 2)
            #expect(kinds.contains("user") && kinds.contains("consent"))
            #expect(numbers == Array(Set(numbers)).sorted())
            let some = try await client.get("/facts?kinds=event,consent&wait=1")
            let found = some.body.arrayValue?.compactMap { $0["kind"]?.stringValue } ?? []
            #expect(Set(found) == ["event", "consent"])
        }
    }

    @Test("positions of other servers, unknown kinds and keys without the permission are refused")
    func refused() async throws {
        try await APIClient.run { client in
            #expect(try await client.get("/facts?after=999999").status == .badRequest)
            #expect(try await client.get("/facts?kinds=tea").status == .badRequest)
            #expect(try await client.get("/facts?limit=0").status == .badRequest)
            let key = try await client.accounts.createAPIKey(
                name: "events",
                permissions: ["users.track"],
                by: client.actor
            )
            #expect(try await client.get("/facts", key: key).status == .forbidden)
        }
    }
}
