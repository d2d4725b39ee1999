import Foundation
import NoroshiAdmin
import NoroshiOutbox
import NoroshiWire
import Testing

@Suite("The client of the REST API")
struct AdminClientTests {
    /// Notes requests and gives one answer.
    private final class Wire: NoroshiTransport {
        let requests = Locked<[NoroshiRequest]>([])
        let answer: NoroshiResponse

        init(_ body: String, status: Int = 200, headers: [String: String] = [:]) {
            answer = NoroshiResponse(status: status, headers: headers, body: Data(body.utf8))
        }

        func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
            requests.withLock { $0.append(request) }
            return answer
        }

        var body: JSONValue? {
            requests.withLock { $0.last?.body }
                .flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        }
    }

    private func admin(_ wire: Wire) -> NoroshiAdmin {
        NoroshiAdmin(endpoint: "push.example.com", apiKey: "rest-key", transport: wire)
    }

    @Test("track sends attributes, events and purchases in the names of the wire")
    func track() async throws {
        let wire = Wire(#"{"message":"success","attributes_processed":1,"errors":["one is bad"]}"#)
        let receipt = try await admin(wire).track(
            attributes: [
                .init(externalID: "ann", values: ["camelCase": ["keptKey": 1]], mergesObjects: true)
            ],
            events: [
                .init(externalID: "ann", name: "e", time: Date(timeIntervalSince1970: 0))
            ],
            purchases: [
                .init(
                    externalID: "ann",
                    productID: "tea",
                    currency: "JPY",
                    price: 480,
                    time: Date(timeIntervalSince1970: 0)
                )
            ]
        )
        #expect(receipt.attributesProcessed == 1)
        #expect(receipt.errors?.map(\.text) == ["one is bad"])
        let request = try #require(wire.requests.withLock { $0.first })
        #expect(request.url.absoluteString == "https://push.example.com/users/track")
        #expect(request.headers["Authorization"] == "Bearer rest-key")
        #expect(
            wire.body == [
                "attributes": [
                    [
                        "external_id": "ann", "camelCase": ["keptKey": 1],
                        "_merge_objects": true,
                    ]
                ],
                "events": [
                    [
                        "external_id": "ann", "name": "e", "time": "1970-01-01T00:00:00Z",
                        "properties": [:],
                    ]
                ],
                "purchases": [
                    [
                        "external_id": "ann", "product_id": "tea", "currency": "JPY",
                        "price": 480, "quantity": 1, "time": "1970-01-01T00:00:00Z",
                    ]
                ],
            ]
        )
    }

    @Test("a push is sent, reserved, changed and cancelled")
    func messages() async throws {
        let wire = Wire(#"{"message":"success","dispatch_id":"d","schedule_id":"s"}"#)
        let admin = admin(wire)
        let message = NoroshiAdmin.Message(
            push: .init(title: "T", body: "B", badge: 0, extra: ["k": "v"], uri: "tea://menu"),
            to: .users(["ann"])
        )
        #expect(try await admin.send(message).dispatchId == "d")
        #expect(
            wire.body == [
                "external_user_ids": ["ann"],
                "messages": [
                    "apple_push": [
                        "alert": ["title": "T", "body": "B"], "badge": 0, "extra": ["k": "v"],
                        "custom_uri": "tea://menu",
                    ]
                ],
            ]
        )
        let schedule = NoroshiAdmin.Schedule(time: Date(timeIntervalSince1970: 0))
        #expect(try await admin.schedule(message, at: schedule).scheduleId == "s")
        #expect(wire.body?["schedule"]?["time"] == "1970-01-01T00:00:00.000Z")
        try await admin.updateSchedule("s", at: schedule)
        try await admin.cancelSchedule("s")
        #expect(wire.body == ["schedule_id": "s"])
        #expect(
            wire.requests.withLock { $0.map(\.url.path) } == [
                "/messages/send", "/messages/schedule/create", "/messages/schedule/update",
                "/messages/schedule/delete",
            ]
        )
    }

    @Test("a campaign is triggered for named users or for all")
    func campaign() async throws {
        let wire = Wire(#"{"message":"success","dispatch_id":"d"}"#)
        try await admin(wire).triggerCampaign(
            "c",
            recipients: [.init(externalID: "ann", triggerProperties: ["a": 1])]
        )
        #expect(wire.body?["recipients"]?.arrayValue?.first?["trigger_properties"] == ["a": 1])
        try await admin(wire).triggerCampaign("c", recipients: nil)
        #expect(wire.body?["broadcast"] == true)
    }

    @Test("segments and histories are read")
    func reports() async throws {
        let segments = Wire(#"{"message":"success","segments":[{"id":"1","name":"All"}]}"#)
        #expect(try await admin(segments).segments().map(\.name) == ["All"])
        let series = Wire(#"{"message":"success","data":[{"time":"2026-01-01","sent":3}]}"#)
        let rows = try await admin(series).history(ofCampaign: "c", days: 7)
        #expect(rows == [["time": "2026-01-01", "sent": 3]])
        #expect(
            series.requests.withLock { $0.first?.url.query } == "campaign_id=c&length=7"
        )
    }

    @Test("a refusal is an error with the server's words and the pause it asks for")
    func refusal() async throws {
        let wire = Wire(
            #"{"message":"slow down","errors":[{"type":"bad","input_array":"events","index":3}]}"#,
            status: 429,
            headers: ["retry-after": "7"]
        )
        let error = await #expect(throws: NoroshiAdminError.self) {
            try await admin(wire).segments()
        }
        #expect(
            error
                == NoroshiAdminError(
                    status: 429,
                    message: "slow down",
                    errors: ["events 3 bad"],
                    retryAfter: 7
                )
        )
    }
}
