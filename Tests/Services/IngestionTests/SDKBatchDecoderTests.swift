import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Testing

@Suite("Reading an SDK's batch")
struct SDKBatchDecoderTests {
    private static let device = #"{"id":"11111111-1111-4111-8111-111111111111","platform":"ios"}"#
    private static let ada = #""user":{"external_id":"ada"}"#

    private func decode(_ records: [String]) throws -> SDKBatchDecoder {
        let text = #"{"device":\#(Self.device),"records":[\#(records.joined(separator: ","))]}"#
        return try SDKBatchDecoder(JSONDocument(Array(text.utf8), flawedStrings: .kept).root)
    }

    /// A record with the fields, which come before those that every record needs.
    private func record(_ fields: String, time: String = "1783189800000") -> String {
        #"{"id":"\#(UUID())","seq":1,"time_ms":\#(time),\#(Self.ada),\#(fields)}"#
    }

    @Test("a purchase without a quantity is one piece")
    func quantity() throws {
        let bought = #""type":"purchase","product":"tea","currency":"EUR","price":3"#
        for (fields, pieces) in [(bought, 1), (bought + #","quantity":4"#, 4)] {
            let content = try decode([record(fields)]).batch.records.first?.content
            guard case .purchase(_, _, _, let quantity, _) = content else {
                Issue.record("\(String(describing: content))")
                continue
            }
            #expect(quantity == pieces)
        }
    }

    @Test("what the SDK writes is read as the SDK reads it, for every kind of record")
    func agreement() throws {
        let properties: [String: JSONValue] = ["a": [1, 2.5, "x", nil, true], "狼": ["煙": "\n\""]]
        let contents: [SDKRecord.Content] = [
            .event(name: "viewed", properties: properties), .event(name: "x", properties: [:]),
            .purchase(
                product: "tea",
                currency: "JPY",
                price: -12.5,
                quantity: 3,
                properties: properties
            ),
            .attributes(properties, mergeObjects: true), .attributes([:], mergeObjects: false),
            .userChanged(previous: .anonymous(UUID())), .userChanged(previous: .external("b")),
            .alias(name: "n", label: "l"), .sessionStarted, .sessionEnded(duration: 12.25),
            .pushToken(
                .init(
                    token: "ab",
                    provider: "webpush",
                    environment: "sandbox",
                    authorization: "authorized",
                    publicKey: "k",
                    authenticationSecret: "s"
                )
            ),
            .pushTokenCleared,
            .push(.init(kind: .action, dispatch: UUID(), pushNumber: .max, action: "yes")),
            .push(.init(kind: .received, dispatch: UUID())),
            .push(.init(kind: .opened, dispatch: UUID(), pushNumber: 7, page: 10)),
            .inAppMessage(.init(kind: .button, message: "m", button: "0", variant: "1")),
        ]
        let batch = SDKBatch(
            device: SDKDevice(
                id: UUID(),
                platform: "ios",
                model: "iPhone17,1",
                osVersion: "19.0",
                appVersion: "1.2",
                sdkVersion: "0.2",
                locale: "ja_JP",
                timeZone: "Asia/Tokyo"
            ),
            records: contents.enumerated().map { number, content in
                SDKRecord(
                    id: UUID(),
                    sequence: UInt64(number),
                    timeMilliseconds: -1,
                    user: number.isMultiple(of: 2) ? .external("ada") : .anonymous(UUID()),
                    session: number.isMultiple(of: 3) ? UUID() : nil,
                    content: content
                )
            },
            signature: "a.b.c"
        )
        let bytes = try JSONEncoder().encode(batch)
        let decoded = try SDKBatchDecoder(JSONDocument(bytes).root)
        #expect(decoded.batch == batch)
        #expect(decoded.batch == (try JSONDecoder().decode(SDKBatch.self, from: bytes)))
        #expect(decoded.rejections.isEmpty)
    }

    @Test(
        "a record that cannot be read is rejected by the name of its field; the others count",
        arguments: [
            (#""type":"event""#, "name"), (#""type":"event","name":7"#, "name"),
            (#""type":"event","name":"a\u0000b""#, "name"),
            (#""type":"event","name":"a","properties":{"b":["\ud800"]}"#, "properties.b.0"),
            (#""type":"event","name":"a","properties":{"b\u0000":1}"#, "properties.b␀"),
            (#""type":"dance""#, "type"), (#""type":"session_ended""#, "duration_seconds"),
            (#""type":"purchase","product":"a","currency":"EUR","price":"1""#, "price"),
            (#""type":"push","push":{"kind":"received","dispatch":"7"}"#, "push.dispatch"),
            (#""type":"push","push":{"kind":"lost"}"#, "push.kind"),
            (#""type":"attributes""#, "attributes"),
        ]
    )
    func rejections(fields: String, field: String) throws {
        let good = record(#""type":"session_started""#)
        let decoded = try decode([good, record(fields), good])
        #expect(decoded.batch.records.count == 2)
        #expect(decoded.rejections.map(\.field) == [field])
    }

    @Test(
        "a time that is no moment is rejected, and so is every amount that no sum can bear",
        arguments: [
            (#""type":"session_started""#, "-9223372036854775808", "time_ms"),
            (#""type":"session_started""#, "-9223372036854775807", "time_ms"),
            (#""type":"session_started""#, "-62135596800001", "time_ms"),
            (#""type":"session_started""#, "253402300800000", "time_ms"),
            (#""type":"session_started""#, "9223372036854775807", "time_ms"),
            (#""type":"session_ended","duration_seconds":1e308"#, "0", "duration_seconds"),
            (#""type":"session_ended","duration_seconds":-1"#, "0", "duration_seconds"),
            (#""type":"purchase","product":"a","currency":"EUR","price":1e308"#, "0", "price"),
            (#""type":"purchase","product":"a","currency":"EUR","price":-1.1e12"#, "0", "price"),
            (
                #""type":"purchase","product":"a","currency":"EUR","price":1,"quantity":9223372036854775807"#,
                "0", "quantity"
            ),
        ]
    )
    func bounds(fields: String, time: String, field: String) throws {
        let decoded = try decode([record(fields, time: time)])
        let (items, rejections) = SDKBatchReader.read(decoded.batch, now: Date())
        #expect(items.isEmpty)
        #expect(rejections.map(\.field) == [field])
    }

    @Test(
        "numbers beyond the wire's types reject the record, not the batch",
        arguments: ["1.5", "9223372036854775808", "1e300", "\"1\"", "null", "[]"]
    )
    func times(time: String) throws {
        let decoded = try decode([record(#""type":"session_started""#, time: time)])
        #expect(decoded.rejections.map(\.field) == ["time_ms"])
    }

    @Test(
        "a batch without a device, or with a record that cannot be answered, is refused by name",
        arguments: [
            (#"{"records":[]}"#, "device"),
            (#"{"device":{"platform":"ios"},"records":[]}"#, "device.id"),
            (#"{"device":\#(Self.device)}"#, "records"),
            (#"{"device":\#(Self.device),"records":[{"id":"x"}]}"#, "records.0.id"),
            (#"{"device":\#(Self.device),"records":[7]}"#, "records.0"), ("[]", "body"),
            (
                #"{"device":{"id":"11111111-1111-4111-8111-111111111111","platform":"i\u0000"},"records":[]}"#,
                "device.platform"
            ),
        ]
    )
    func refusals(text: String, field: String) throws {
        let root = try JSONDocument(Array(text.utf8), flawedStrings: .kept).root
        let problem = #expect(throws: FieldProblem.self) { try SDKBatchDecoder(root) }
        #expect(problem?.field == field)
    }
}
