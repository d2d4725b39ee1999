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

    @Test("what is wrong with an item or a catalog is named, for programs and for people")
    func problems() async throws {
        try await APIClient.run { client in
            try await make(client)
            let path = "/catalogs/teas/items"
            let items: [(JSONValue, id: String, names: String)] = [
                ([["id": "a", "price": "cheap"]], "unable-to-coerce-value", "'price'"),
                ([["id": "a", "size": 1]], "invalid-fields", "'size'"),
                ([["price": 1]], "items-missing-ids", "id"),
                ([["id": 7]], "ids-not-strings", "id"),
                ([["id": "a b"]], "invalid-ids", "'-'"),
                ([["id": .string(String(repeating: "a", count: 251))]], "ids-too-large", "250"),
                ([["id": "a"], ["id": "a"]], "ids-not-unique", "'a'"),
                ([["id": "a", "since": "noon"]], "unable-to-coerce-value", "'since'"),
                ([], "item-array-invalid", "'items'"), ("a", "item-array-invalid", "'items'"),
                ([7], "item-array-invalid", "'items.0'"),
            ]
            for (items, id, names) in items {
                let answer = try await call(client, .post, path, ["items": items])
                #expect(answer.status == .badRequest)
                expect(answer, id, names)
            }
            let many = JSONValue.array((0...50).map { ["id": .string("a\($0)")] })
            let tooMany = try await call(client, .post, path, ["items": many])
            expect(tooMany, "request-includes-too-many-items", "50")
            let named = try await call(client, .post, path + "/a", ["items": [["id": "a"]]])
            expect(named, "id-in-body", "path")
            let item: JSONValue = ["items": [["id": "a"]]]
            let missing = try await call(client, .patch, path, item)
            #expect(missing.status == .notFound)
            expect(missing, "item-not-found", "'a'")
            #expect(try await call(client, .post, path, item).status == .accepted)
            let twice = try await call(client, .post, path, item)
            #expect(twice.status == .conflict)
            expect(twice, "item-already-exists", "'a'")
            let none = try await call(client, .post, "/catalogs/none/items", item)
            #expect(none.status == .notFound)
            expect(none, "catalog-not-found", "'none'")
            #expect(none.errors.first?["parameters"] == ["catalog_name"])
            #expect(none.errors.first?["parameter_values"] == ["none"])
            let catalogs: [(JSONValue, id: String)] = [
                (
                    ["name": "x", "fields": [["name": "a", "type": "number"]]],
                    "id-not-first-column"
                ),
                (
                    ["name": "teas", "fields": [["name": "id", "type": "string"]]],
                    "catalog-name-already-exists"
                ),
                (
                    ["name": "x y", "fields": [["name": "id", "type": "string"]]],
                    "invalid-catalog-name"
                ),
                (
                    ["name": "x", "fields": [["name": "id", "type": "text"]]], "invalid-field-types"
                ),
                (
                    [
                        "name": "x",
                        "fields": [
                            ["name": "id", "type": "string"], ["name": "é", "type": "string"],
                        ],
                    ], "invalid-field-names"
                ),
            ]
            for (catalog, id) in catalogs {
                let answer = try await client.post("/catalogs", ["catalogs": [catalog]])
                #expect(answer.status == .badRequest)
                expect(answer, id, "")
            }
        }
    }

    @Test("a name with U+0000 in it is not the name before it")
    func zeros() async throws {
        try await APIClient.run { client in
            try await make(client)
            let path = "/catalogs/teas/items"
            #expect(
                try await call(client, .post, path, ["items": [["id": "a"]]]).status == .accepted
            )
            for (method, body) in [
                (.delete, ["items": [["id": "a\u{0}"]]]),
                (.put, ["items": [["id": "b", "since": "\u{0}"]]]),
            ] as [(HTTPRequest.Method, JSONValue)] {
                let answer = try await call(client, method, path, body)
                #expect(answer.status == .badRequest)
                #expect(answer.message.contains("items.0"), "\(answer.message)")
            }
            let items = try await call(client, .get, path)
            #expect(items.body["items"] == [["id": "a"]])
        }
    }

    @Test("fields are added later; one that is removed takes its values along")
    func fields() async throws {
        try await APIClient.run { client in
            try await make(client)
            let path = "/catalogs/teas/fields"
            let filled = try await call(
                client,
                .post,
                "/catalogs/teas/items",
                ["items": [["id": "a", "price": 3], ["id": "b"]]]
            )
            #expect(filled.status == .accepted)
            let added = try await call(
                client,
                .post,
                path,
                [
                    "fields": [
                        ["name": "tags", "type": "array"], ["name": "new", "type": "boolean"],
                    ]
                ]
            )
            #expect(added.status == .accepted, "\(added.body)")
            let used = try await call(
                client,
                .patch,
                "/catalogs/teas/items/b",
                ["items": [["tags": ["green"], "new": true]]]
            )
            #expect(used.status == .ok, "\(used.body)")
            #expect(try await call(client, .delete, path + "/price").status == .accepted)
            let again = try await call(
                client,
                .post,
                path,
                ["fields": [["name": "price", "type": "string"]]]
            )
            #expect(again.status == .accepted)
            let items = try await call(client, .get, "/catalogs/teas/items")
            #expect(
                items.body["items"] == [["id": "a"], ["id": "b", "tags": ["green"], "new": true]]
            )
            let catalogs = try await client.get("/catalogs")
            let names = catalogs.body["catalogs"]?.arrayValue?.first?["fields"]?.arrayValue?
                .compactMap { $0["name"]?.stringValue }
            #expect(names == ["id", "since", "tags", "new", "price"])
        }
    }

    @Test("what is wrong with a field is named")
    func fieldProblems() async throws {
        try await APIClient.run { client in
            try await make(client)
            let path = "/catalogs/teas/fields"
            let many = JSONValue.array(
                (0...50).map { ["name": .string("f\($0)"), "type": "string"] }
            )
            let problems: [(JSONValue, id: String)] = [
                ([], "invalid-fields"), ("price", "invalid-fields"),
                ([["name": "price", "type": "number"]], "field-names-not-unique"),
                (
                    [["name": "a", "type": "number"], ["name": "a", "type": "number"]],
                    "field-names-not-unique"
                ),
                ([["name": "a b", "type": "number"]], "invalid-field-names"),
                ([["name": "a", "type": "money"]], "invalid-field-types"),
                (many, "request-includes-too-many-fields"),
            ]
            for (fields, id) in problems {
                let answer = try await call(client, .post, path, ["fields": fields])
                #expect(answer.status == .badRequest)
                expect(answer, id, "")
            }
            expect(try await call(client, .delete, path + "/id"), "invalid-field-name", "id")
            let none = try await call(client, .delete, path + "/size")
            #expect(none.status == .notFound)
            expect(none, "invalid-field-name", "'size'")
        }
    }

    @Test("selections are added, shown and deleted; a field that one needs stays")
    func selections() async throws {
        try await APIClient.run { client in
            try await make(client)
            let path = "/catalogs/teas/selections"
            let selection: JSONValue = [
                "name": "cheap", "description": "Below ten", "external_id": "s1",
                "filters": [["field": "price", "operator": "less than", "value": 10]],
                "results_limit": 3, "sort_field": "since", "sort_order": "desc",
            ]
            let added = try await call(client, .post, path, ["selection": selection])
            #expect(added.status == .accepted, "\(added.body)")
            let shown = try await call(client, .get, path)
            var expected = try #require(selection.objectValue)
            expected["source"] = .null
            #expect(shown.body["selections"] == [.object(expected)])
            let catalogs = try await client.get("/catalogs")
            #expect(
                catalogs.body["catalogs"]?.arrayValue?.first?["selections"]
                    == shown.body["selections"]
            )
            for field in ["price", "since"] {
                let refused = try await call(client, .delete, "/catalogs/teas/fields/\(field)")
                #expect(refused.status == .badRequest)
                expect(refused, "field-referenced-by-selection", "cheap")
            }
            #expect(try await call(client, .delete, path + "/cheap").status == .accepted)
            let gone = try await call(client, .delete, path + "/cheap")
            #expect(gone.status == .notFound)
            expect(gone, "selection-not-found", "'cheap'")
            #expect(
                try await call(client, .delete, "/catalogs/teas/fields/price").status == .accepted
            )
        }
    }

    @Test("a catalog has thirty selections at most")
    func selectionLimit() async throws {
        try await APIClient.run { client in
            try await make(client)
            for number in 0..<30 {
                let added = try await call(
                    client,
                    .post,
                    "/catalogs/teas/selections",
                    ["selection": ["name": .string("s\(number)")]]
                )
                #expect(added.status == .accepted)
            }
            let refused = try await call(
                client,
                .post,
                "/catalogs/teas/selections",
                ["selection": ["name": "more"]]
            )
            #expect(refused.status == .badRequest)
            expect(refused, "selection-limit-reached", "30")
        }
    }

    @Test("what is wrong with a selection is named")
    func selectionProblems() async throws {
        try await APIClient.run { client in
            try await make(client)
            _ = try await call(
                client,
                .post,
                "/catalogs/teas/fields",
                [
                    "fields": [
                        ["name": "tags", "type": "array"], ["name": "shops", "type": "array"],
                        ["name": "box", "type": "object"],
                    ]
                ]
            )
            func filtered(_ filters: JSONValue) -> JSONValue { ["name": "s", "filters": filters] }
            func filter(_ field: String, _ comparison: String, _ value: JSONValue) -> JSONValue {
                filtered([
                    ["field": .string(field), "operator": .string(comparison), "value": value]
                ])
            }
            let price: JSONValue = ["field": "price", "operator": "equals", "value": 1]
            let wrong = "selection-has-invalid-filter"
            let problems: [(JSONValue, id: String)] = [
                ("cheap", "invalid-selection"), ([:], "invalid-selection"),
                (["name": "a b"], "invalid-selection"),
                (filter("size", "equals", 1), wrong), (filter("price", "like", 1), wrong),
                (filter("price", "is", 1), wrong), (filter("price", "equals", "1"), wrong),
                (filter("since", "before", "noon"), wrong), (filter("box", "equals", "a"), wrong),
                (filter("id", "equals", "{{${tea}}}"), wrong),
                (filtered(.array(Array(repeating: price, count: 5))), "too-many-filters"),
                (
                    filtered([
                        ["field": "tags", "operator": "includes value", "value": "a"],
                        ["field": "shops", "operator": "includes value", "value": "a"],
                    ]), "selection-contains-too-many-arrays"
                ),
                (["name": "s", "results_limit": 0], "selection-invalid-results-limit"),
                (["name": "s", "results_limit": 51], "selection-invalid-results-limit"),
                (["name": "s", "sort_field": "price"], "invalid-sorting"),
                (["name": "s", "sort_order": "asc"], "invalid-sorting"),
                (["name": "s", "sort_field": "price", "sort_order": "up"], "invalid-sort-order"),
                (["name": "s", "sort_field": "tags", "sort_order": "asc"], "invalid-sort-field"),
            ]
            for (selection, id) in problems {
                let answer = try await call(
                    client,
                    .post,
                    "/catalogs/teas/selections",
                    ["selection": selection]
                )
                #expect(answer.status == .badRequest, "\(selection)")
                expect(answer, id, "")
            }
            let shown = try await call(client, .get, "/catalogs/teas/selections")
            #expect(shown.body["selections"] == [])
        }
    }

    /// Whether a refusal has Braze's form, this id, and these words for a person.
    private func expect(
        _ answer: APIClient.Answer,
        _ id: String,
        _ words: String,
        at place: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.message == "Invalid Request", sourceLocation: place)
        let error = answer.errors.first
        #expect(error?["id"] == .string(id), "\(answer.body)", sourceLocation: place)
        let message = error?["message"]?.stringValue ?? ""
        #expect(
            !message.isEmpty && (words.isEmpty || message.contains(words)),
            "\(answer.body)",
            sourceLocation: place
        )
        #expect(
            error?["parameters"]?.arrayValue?.count
                == error?["parameter_values"]?.arrayValue?.count,
            sourceLocation: place
        )
    }
}
