import Foundation
import HTTPTypes
import NIOCore
import NoroshiWire
import Testing

@Suite("Catalogs")
struct CatalogTests {
    private func make(_ client: APIClient) async throws {
        let answer = try await client.post(
            "/catalogs",
            [
                "catalogs": [
                    [
                        "name": "teas", "description": "Ours",
                        "fields": [
                            ["name": "id", "type": "string"], ["name": "price", "type": "number"],
                            ["name": "since", "type": "time"],
                        ],
                    ]
                ]
            ]
        )
        #expect(answer.status == .created, "\(answer.message)")
    }

    private func call(
        _ client: APIClient,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil
    ) async throws -> APIClient.Answer {
        try await client.send(
            path,
            method,
            [.authorization: "Bearer \(client.secret)"],
            try body.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) }
        )
    }

    @Test("a catalog is made, filled, read and deleted")
    func life() async throws {
        try await APIClient.run { client in
            try await make(client)
            let added = try await call(
                client,
                .post,
                "/catalogs/teas/items",
                ["items": [["id": "a", "price": 12], ["id": "b", "price": 9.5]]]
            )
            #expect(added.status == .accepted, "\(added.message)")
            let one = try await call(
                client,
                .post,
                "/catalogs/teas/items/c",
                ["items": [["price": 1, "since": "2026-07-04T18:30:00Z"]]]
            )
            #expect(one.status == .created, "\(one.message)")
            let edited = try await call(
                client,
                .patch,
                "/catalogs/teas/items/c",
                ["items": [["price": 2]]]
            )
            #expect(edited.status == .ok)
            let shown = try await call(client, .get, "/catalogs/teas/items/c")
            #expect(
                shown.body["items"]
                    == [["id": "c", "price": 2, "since": "2026-07-04T18:30:00Z"]]
            )
            let all = try await call(client, .get, "/catalogs/teas/items")
            #expect(all.body["items"]?.arrayValue?.count == 3)
            let next = try await call(client, .get, "/catalogs/teas/items?cursor=b")
            #expect(next.body["items"]?.arrayValue?.count == 1)
            #expect(
                try await call(client, .delete, "/catalogs/teas/items/c").status == .ok
            )
            let gone = try await call(
                client,
                .delete,
                "/catalogs/teas/items",
                ["items": [["id": "a"]]]
            )
            #expect(gone.status == .accepted)
            let list = try await client.get("/catalogs")
            #expect(list.body["catalogs"]?.arrayValue?.first?["num_items"] == 1)
            #expect(try await call(client, .delete, "/catalogs/teas").status == .ok)
            #expect(try await call(client, .delete, "/catalogs/teas").status == .notFound)
        }
    }

    @Test("what is wrong with an item or a catalog is named")
    func problems() async throws {
        try await APIClient.run { client in
            try await make(client)
            let items: [(JSONValue, String)] = [
                ([["id": "a", "price": "cheap"]], "price"), ([["id": "a", "size": 1]], "size"),
                ([["price": 1]], "id"), ([["id": "a b"]], "id"),
                ([["id": "a"], ["id": "a"]], "id"), ([["id": "a", "since": "noon"]], "since"),
                ([], "items"),
            ]
            for (items, field) in items {
                let answer = try await call(
                    client,
                    .post,
                    "/catalogs/teas/items",
                    ["items": items]
                )
                #expect(answer.status == .badRequest)
                #expect(answer.message.contains(field), "\(answer.message)")
            }
            let item: JSONValue = ["items": [["id": "a"]]]
            let path = "/catalogs/teas/items"
            #expect(try await call(client, .patch, path, item).status == .notFound)
            #expect(try await call(client, .post, path, item).status == .accepted)
            #expect(try await call(client, .post, path, item).status == .conflict)
            #expect(
                try await call(client, .post, "/catalogs/none/items", item).status == .notFound
            )
            let wrong = try await client.post(
                "/catalogs",
                ["catalogs": [["name": "x", "fields": [["name": "a", "type": "number"]]]]]
            )
            #expect(wrong.status == .badRequest)
            #expect(wrong.message.contains("fields"))
        }
    }
}
