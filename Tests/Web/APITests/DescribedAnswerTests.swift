import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("Drawn requests")
struct DescribedAnswerTests {
    private static let drawsOfEach = 20

    @Test("whatever is asked, the answer is one that the description has")
    func answers() async throws {
        try await APIClient.run { client in
            let known = try await Self.fill(client)
            let description = try await client.send("/openapi.json", .get, [:], nil).body
            let validator = SchemaValidator(description)
            var requests = DrawnRequests(description, known: known, seed: 20_261_121)
            let paths = try #require(description["paths"]?.objectValue)
            var answered: [Int: Int] = [:]
            let operations = paths.flatMap { path, operations in
                (operations.objectValue ?? [:]).map { (path: path, method: $0, operation: $1) }
            }
            // What is deleted is asked for no more, so that comes last.
            let ordered = operations.sorted {
                ($0.method == "delete" ? 1 : 0, $0.path, $0.method)
                    < ($1.method == "delete" ? 1 : 0, $1.path, $1.method)
            }
            for (path, method, operation) in ordered {
                for _ in 0..<Self.drawsOfEach {
                    let address = requests.path(path, operation)
                    var body: JSONValue?
                    if operation["requestBody"] != nil { body = requests.body(operation) }
                    let answer = try await client.send(
                        address,
                        try #require(HTTPRequest.Method(rawValue: method.uppercased())),
                        [.authorization: "Bearer \(client.secret)"],
                        try body.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) }
                    )
                    answered[answer.status.code, default: 0] += 1
                    let what = "\(method) \(address) \(body ?? .null): \(answer.body)"
                    let described = operation["responses"]?["\(answer.status.code)"]
                    #expect(described != nil, "\(answer.status) of \(what)")
                    let schema = described?["content"]?["application/json"]?["schema"]
                    let line = described?["content"]?["application/x-ndjson"]?["schema"]
                    let problems =
                        if let line, let lines = answer.body.arrayValue {
                            lines.flatMap { validator.problems($0, line) }
                        } else {
                            validator.problems(answer.body, schema ?? [:])
                        }
                    #expect(problems.isEmpty, "\(problems) of \(what)")
                }
            }
            // Requests that are all refused would prove little.
            let good = answered.filter { $0.key < 300 }.values.reduce(0, +)
            #expect(good * 4 > answered.values.reduce(0, +), "\(answered)")
            #expect(answered.keys.allSatisfy { $0 < 500 })
        }
    }

    /// Stores something of everything and says what it is called.
    private static func fill(_ client: APIClient) async throws -> [String: [JSONValue]] {
        let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
        let conformance = StoreConformance(client.store)
        let device = try await conformance.register("ada", token: "01", in: fixture)
        _ = try await conformance.register("bob", token: "02", in: fixture)
        let stored = try await client.post(
            "/users/track",
            [
                "attributes": [
                    ["external_id": "ada", "email": "ada@example.org", "phone": "+815012345678"],
                    ["external_id": "bob", "plan": "pro", "tags": ["a"]],
                ],
                "events": [["external_id": "ada", "name": "viewed", "time": "2026-09-01"]],
                "purchases": [
                    [
                        "external_id": "ada", "product_id": "tea", "currency": "JPY", "price": 3,
                        "time": "2026-09-01",
                    ]
                ],
            ]
        )
        #expect(stored.errors.isEmpty)
        let block = try await client.post(
            "/content_blocks/create",
            ["name": "greeting", "content": "Hi"]
        )
        let catalog = try await client.post(
            "/catalogs",
            ["catalogs": [["name": "teas", "fields": [["name": "id", "type": "string"]]]]]
        )
        #expect(catalog.status == .created)
        let tea = try await client.post("/catalogs/teas/items/T-1", ["items": [[:]]])
        #expect(tea.status == .created)
        let shown = try await client.post(
            "/in_app_messages/create",
            [
                "name": "Welcome",
                "message": [
                    "type": "modal", "message": "Hello",
                    "rules": ["triggers": [["type": "session_start"]]],
                ],
            ]
        )
        let ada = try #require(try await client.profile("ada"))
        let center = try await client.post(
            "/preference_center/v1",
            [
                "name": "letters", "preference_center_page_html": "Choose",
                "confirmation_page_html": "Thank you",
            ]
        )
        let item = try await client.store.createNews(
            NewsContent(title: "New"),
            author: "Ada",
            in: client.workspace,
            now: APIClient.now
        )
        var form = JourneySchemaExample.value
        form["entry"] = ["type": "api"]
        let journey = try await client.post("/journeys/create", .object(form))
        let journeyID = journey.body["journey_id"] ?? .null
        let published = try await client.post("/journeys/publish", ["journey_id": journeyID])
        #expect(published.status == .created, "\(published.body)")
        let details = try await client.get(
            "/journeys/details?journey_id=\(journeyID.stringValue ?? "")"
        )
        let step = details.body["journey"]?["steps"]?.arrayValue?.first?["id"] ?? .null
        let member = try await client.post("/scim/v2/Users", ["userName": "ada@example.com"])
        return [
            "external_id": ["ada", "bob", "nobody"], "external_ids": ["ada", ["bob", "nobody"]],
            "external_user_id": ["ada", "bob"], "email": ["ada@example.org", "x@example.org"],
            "phone": ["+815012345678"], "braze_id": [.string(ada.publicID.uuidString)],
            "device_id": [.string(device.uuidString)], "name": ["viewed", "greeting"],
            "event": ["viewed", "unknown"], "product": ["tea"], "currency": ["JPY", "USD"],
            "time": ["2026-07-04T18:30:00Z", "2026-07-04"], "catalog_name": ["teas", "none"],
            "item_id": ["T-1", "T-2"], "content": ["Hello", "{{ x }}"],
            "content_block_id": [block.body["content_block_id"] ?? .null],
            "in_app_message_id": [shown.body["in_app_message_id"] ?? .null],
            "app_id": [.string(client.app.sdkKey)], "token": ["ab01", "x"],
            "preference_center_id": [center.body["preference_center_api_id"] ?? .null],
            "user_id": ["ada"], "card_id": [.string("\(item.id)")],
            "member_id": [member.body["id"] ?? .null], "startIndex": ["1"], "count": ["2"],
            "filter": ["userName eq \"ada@example.com\""], "userName": ["ada@example.com"],
            "length": ["3"], "page": ["0"], "journey_id": [journeyID], "canvas_id": [journeyID],
            "step_id": [step],
        ]
    }
}
