import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Ports
import Testing

@Suite("The body of /users/track")
struct TrackRequestTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func read(_ json: String) throws -> TrackRequest {
        try TrackRequest(try JSONDocument(Array(json.utf8)).root, now: now)
    }

    @Test("attributes, events and purchases become items in this order")
    func items() throws {
        let request = try read(
            """
            {"purchases": [{"external_id": "ada", "product_id": "tea", "currency": "jpy",
                "price": 12.5, "time": "2026-01-01T00:00:00Z"}],
             "events": [{"external_id": "ada", "name": "viewed", "time": "2026-01-01T00:00:00Z"}],
             "attributes": [{"external_id": "ada", "plan": "pro", "_merge_objects": true}]}
            """
        )
        #expect(request.origins.map(\.list) == ["attributes", "events", "purchases"])
        #expect(request.problems.isEmpty)
        guard case .attributes(let changes) = request.items[0].content else {
            Issue.record("the first item is no attributes item")
            return
        }
        #expect(changes == AttributeChanges(["plan": "pro"], mergesObjects: true))
    }

    @Test("an identifier that is null is none, and the next kind counts")
    func nullIdentifiers() throws {
        let request = try read(
            """
            {"attributes": [
                {"external_id": null, "braze_id": null, "email": "ada@example.org", "plan": "pro"},
                {"email": null, "phone": "+81312345678", "plan": "pro"},
                {"email": null, "phone": null, "plan": "pro"}
            ]}
            """
        )
        #expect(request.items.map(\.user) == [.email("ada@example.org"), .phone("+81312345678")])
        #expect(request.problems.map(\.index) == [2])
    }

    @Test("a bad element is named by list, index and field; the others count")
    func problems() throws {
        let request = try read(
            """
            {"events": [
                {"external_id": "ada", "name": "viewed", "time": "2026-01-01T00:00:00Z"},
                {"external_id": "ada", "name": "viewed"},
                {"name": "viewed", "time": "2026-01-01T00:00:00Z"},
                {"external_id": "ada", "name": "", "time": "2026-01-01T00:00:00Z"},
                {"external_id": true, "name": "viewed", "time": "2026-01-01T00:00:00Z"},
                {"external_id": "ada", "name": "viewed", "time": "2026-01-01T00:00:00Z",
                 "properties": {"time": 1}},
                "text"
            ]}
            """
        )
        #expect(request.items.count == 1)
        #expect(request.problems.map(\.index) == [1, 2, 3, 4, 5, 6])
        #expect(
            request.problems.map(\.problem.field)
                == ["time", "external_id", "name", "external_id", "properties", ""]
        )
        #expect(request.problems.allSatisfy { $0.list == "events" && !$0.problem.message.isEmpty })
    }

    @Test("an event in the future has happened now")
    func future() throws {
        let request = try read(
            #"{"events": [{"external_id": "a", "name": "v", "time": "2999-01-01T00:00:00Z"}]}"#
        )
        #expect(request.items.map(\.time) == [now])
    }

    @Test("an alias makes no user unless it is asked to")
    func aliases() throws {
        let request = try read(
            """
            {"attributes": [
                {"user_alias": {"alias_name": "a", "alias_label": "b"}, "x": 1},
                {"user_alias": {"alias_name": "a", "alias_label": "b"}, "x": 1,
                 "_update_existing_only": false}
            ]}
            """
        )
        #expect(request.items.map(\.updatesExistingOnly) == [true, false])
    }

    @Test(
        "a body of which nothing can be used is refused with the field",
        arguments: [
            ("[]", "body"), ("{}", "body"), (#"{"events": {}}"#, "events"),
        ]
    )
    func fatal(json: String, field: String) {
        let problem = #expect(throws: FieldProblem.self) { try read(json) }
        #expect(problem?.field == field)
    }

    @Test("the lists of a bulk request have up to 1,000 elements together")
    func allLists() throws {
        func read(_ attributes: Int, _ events: Int) throws -> TrackRequest {
            let body: [String: [[String: JSONValue]]] = [
                "attributes": (0..<attributes).map { ["external_id": .string("a\($0)"), "x": 1] },
                "events": (0..<events).map {
                    [
                        "external_id": .string("e\($0)"), "name": "viewed",
                        "time": "2026-01-01T00:00:00Z",
                    ]
                },
            ]
            return try TrackRequest(
                try JSONDocument(Array(try JSONEncoder().encode(body))).root,
                limits: .bulk,
                now: now
            )
        }
        #expect(try read(400, 600).items.count == 1_000)
        #expect(throws: FieldProblem.self) { try read(401, 600) }
    }

    @Test("an element that says nothing of the user is empty; each thing it says is something")
    func empty() throws {
        func isEmpty(_ json: String) throws -> Bool {
            try AttributeElement(try JSONDocument(Array(json.utf8)).root).isEmpty
        }
        #expect(try isEmpty("{}"))
        #expect(try isEmpty(#"{"external_id": "ada", "_merge_objects": true, "app_id": "x"}"#))
        #expect(try !isEmpty(#"{"plan": "pro"}"#))
        #expect(try !isEmpty(#"{"plan": null}"#))
        #expect(
            try !isEmpty(#"{"user_alias": {"alias_name": "ada", "alias_label": "crm"}}"#)
        )
        #expect(try !isEmpty(#"{"push_tokens": [{"app_id": "shop", "token": "aa"}]}"#))
    }

    @Test("more than 75 elements are refused")
    func limit() {
        let event = #"{"external_id": "a", "name": "v", "time": "2026-01-01T00:00:00Z"}"#
        let list = Array(repeating: event, count: 76).joined(separator: ",")
        let problem = #expect(throws: FieldProblem.self) { try read("{\"events\": [\(list)]}") }
        #expect(problem?.field == "events")
    }
}
