import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Ports
import Testing

/// A limit is the last value that is taken; the next one is refused with the name of its field.
@Suite("Limits of what clients send")
struct LimitTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// The fields that are refused of one element of a list of `/users/track`.
    private func refused(_ list: String, _ members: [String: JSONValue]) throws -> [String] {
        var element: [String: JSONValue] = [
            "external_id": "ada", "time": "2026-01-01T00:00:00Z",
        ]
        switch list {
        case "events": element["name"] = "viewed"
        case "purchases":
            element["product_id"] = "tea"
            element["currency"] = "JPY"
            element["price"] = 1
        default: element["time"] = nil
        }
        element.merge(members) { $1 }
        let body = try JSONEncoder().encode([list: [element]])
        let request = try TrackRequest(try JSONDocument(Array(body)).root, now: now)
        #expect(request.items.count + request.problems.count == 1)
        return request.problems.map(\.problem.field)
    }

    private func text(_ count: Int, of character: String = "a") -> JSONValue {
        .string(String(repeating: character, count: count))
    }

    @Test("an external id has up to 997 bytes")
    func externalIDs() throws {
        for list in ["attributes", "events", "purchases"] {
            #expect(try refused(list, ["external_id": text(997), "x": 1]) == [])
            #expect(try refused(list, ["external_id": text(998), "x": 1]) == ["external_id"])
            #expect(try refused(list, ["external_id": text(499, of: "é"), "x": 1]) != [])
            #expect(try refused(list, ["external_id": "", "x": 1]) == ["external_id"])
        }
    }

    @Test("names have up to 255 characters, of however many bytes", arguments: ["a", "茶", "👩‍👩‍👧"])
    func names(character: String) throws {
        let (longest, tooLong) = (text(255, of: character), text(256, of: character))
        #expect(try refused("events", ["name": longest]) == [])
        #expect(try refused("events", ["name": tooLong]) == ["name"])
        #expect(try refused("purchases", ["product_id": longest]) == [])
        #expect(try refused("purchases", ["product_id": tooLong]) == ["product_id"])
        for (name, isTaken) in [(longest, true), (tooLong, false)] {
            let key = name.stringValue ?? ""
            let properties: JSONValue = .object([key: 1])
            let fields = isTaken ? [] : ["properties"]
            #expect(try refused("events", ["properties": properties]) == fields)
            #expect(try refused("purchases", ["properties": properties]) == fields)
        }
        for (name, label, isTaken) in [
            (longest, longest, true), (tooLong, "l", false), ("n", tooLong, false),
            ("", "l", false), ("n", "", false),
        ] {
            let alias: JSONValue = .object(["alias_name": name, "alias_label": label])
            #expect(
                try refused("events", ["external_id": .null, "user_alias": alias])
                    == (isTaken ? [] : ["user_alias"])
            )
        }
    }

    @Test("names are not empty and do not begin with a dollar sign, which may stand within")
    func dollarSigns() throws {
        for name in ["", "$viewed", "$茶"] {
            #expect(try refused("events", ["name": .string(name)]) == ["name"])
            let properties: JSONValue = .object([name: 1])
            #expect(try refused("events", ["properties": properties]) == ["properties"])
        }
        #expect(try refused("events", ["name": "us$"]) == [])
        #expect(try refused("purchases", ["product_id": ""]) == ["product_id"])
        for name in ["time", "event_name"] {
            let properties: JSONValue = .object([name: 1])
            #expect(try refused("events", ["properties": properties]) == ["properties"])
        }
    }

    @Test("a price lies between -10¹² and 10¹², a quantity between 1 and 100")
    func amounts() throws {
        for price in [-1e12, -0.01, 0, 1e12] {
            #expect(try refused("purchases", ["price": .number(price)]) == [], "\(price)")
        }
        for price in [-1e12 - 1, 1e12 + 1] {
            #expect(try refused("purchases", ["price": .number(price)]) == ["price"], "\(price)")
        }
        for (quantity, isTaken) in [(0, false), (1, true), (100, true), (101, false)] {
            #expect(
                try refused("purchases", ["quantity": .integer(Int64(quantity))])
                    == (isTaken ? [] : ["quantity"])
            )
        }
        for (currency, isTaken) in [
            ("JPY", true), ("jpy", true), ("JP", false), ("JPYE", false), ("J1Y", false),
            ("日本円", false),
        ] {
            #expect(
                try refused("purchases", ["currency": .string(currency)])
                    == (isTaken ? [] : ["currency"])
            )
        }
    }

    @Test("the properties of an event have up to 102,400 bytes as JSON")
    func properties() throws {
        // {"a":"…"} has eight bytes beside the text.
        for list in ["events", "purchases"] {
            let longest: JSONValue = .object(["a": text(102_400 - 8)])
            #expect(try refused(list, ["properties": longest]) == [])
            let tooLong: JSONValue = .object(["a": text(102_400 - 7)])
            #expect(try refused(list, ["properties": tooLong]) == ["properties"])
        }
        func fromDevice(_ count: Int) -> [String] {
            rejected(.event(name: "viewed", properties: ["a": text(count)]))
        }
        #expect(fromDevice(102_400 - 8) == [])
        #expect(fromDevice(102_400 - 7) == ["properties"])
    }

    @Test("a user brings up to 50 push tokens of 1 to 4,096 bytes")
    func importedTokens() throws {
        func attributes(_ tokens: [JSONValue]) throws -> ([String], [String]) {
            let element: [String: JSONValue] = [
                "external_id": "ada", "push_tokens": .array(tokens),
            ]
            let body = try JSONEncoder().encode(["attributes": [element]])
            let request = try TrackRequest(try JSONDocument(Array(body)).root, now: now)
            let left = request.items.flatMap(\.leftOut).map(\.field)
            return (request.problems.map(\.problem.field), left)
        }
        func token(_ count: Int) -> JSONValue {
            .object(["app_id": "key", "token": text(count)])
        }
        #expect(try attributes(Array(repeating: token(1), count: 50)).0 == [])
        #expect(try attributes(Array(repeating: token(1), count: 51)).0 == ["push_tokens"])
        #expect(try attributes([token(1), token(4096)]).1 == [])
        #expect(try attributes([token(1), token(4097)]).1 == ["push_tokens.1.token"])
        #expect(try attributes([token(1), token(0)]).1 == ["push_tokens.1.token"])
        #expect(try attributes(["text"]).1 == ["push_tokens.0"])
        let body = try JSONEncoder().encode([
            "attributes": [["external_id": "ada", "push_tokens": "text"] as [String: JSONValue]]
        ])
        let request = try TrackRequest(try JSONDocument(Array(body)).root, now: now)
        #expect(request.problems.map(\.problem.field) == ["push_tokens"])
    }

    @Test("a request has up to 75 elements in each list")
    func elements() throws {
        let event = #"{"external_id": "a", "name": "v", "time": "2026-01-01T00:00:00Z"}"#
        let list = Array(repeating: event, count: 75).joined(separator: ",")
        let body = try JSONDocument(Array("{\"events\": [\(list)]}".utf8))
        let request = try TrackRequest(body.root, now: now)
        #expect(request.items.count == 75)
    }

    // MARK: Devices

    private func device(_ fields: String = "") -> String {
        #"{"id":"11111111-1111-4111-8111-111111111111","platform":"ios"\#(fields)}"#
    }

    private func batch(_ device: String, records: [String] = []) throws -> SDKBatchDecoder {
        let text = #"{"device":\#(device),"records":[\#(records.joined(separator: ","))]}"#
        return try SDKBatchDecoder(JSONDocument(Array(text.utf8), flawedStrings: .kept).root)
    }

    @Test(
        "each text that describes a device has up to 255 bytes",
        arguments: ["model", "os_version", "app_version", "sdk_version", "locale", "time_zone"]
    )
    func devices(field: String) throws {
        let longest = String(repeating: "a", count: 255)
        _ = try batch(device(#","\#(field)":"\#(longest)""#))
        let problem = #expect(throws: FieldProblem.self) {
            try batch(device(#","\#(field)":"\#(longest)a""#))
        }
        #expect(problem?.field == "device.\(field)")
    }

    @Test("a large request has up to 100 elements of one user, in all lists together")
    func elementsOfOneUser() throws {
        func check(_ ada: Int, _ ben: Int) throws {
            let events = (0..<(ada - 40)).map { _ in
                JSONValue.object([
                    "external_id": "ada", "name": "viewed", "time": "2026-01-01T00:00:00Z",
                ])
            }
            let attributes = (0..<40).map { _ in JSONValue.object(["external_id": "ada", "n": 1]) }
            let others = (0..<ben).map { _ in JSONValue.object(["external_id": "ben", "n": 1]) }
            let body = try JSONEncoder().encode([
                "events": events, "attributes": attributes + others,
            ])
            let request = try TrackRequest(
                try JSONDocument(Array(body)).root,
                limits: .bulk,
                now: now
            )
            #expect(request.items.count == ada + ben)
        }
        try check(100, 1)
        try check(100, 100)
        #expect(throws: FieldProblem.self) { try check(101, 0) }
        #expect(throws: FieldProblem.self) { try check(101, 50) }
    }

    @Test("a batch has up to 500 records")
    func records() throws {
        func records(_ count: Int) -> [String] {
            (0..<count).map { _ in
                #"{"id":"\#(UUID())","seq":1,"time_ms":1,"user":{"external_id":"a"},"#
                    + #""type":"session_started"}"#
            }
        }
        #expect(try batch(device(), records: records(500)).batch.records.count == 500)
        let problem = #expect(throws: FieldProblem.self) {
            try batch(device(), records: records(501))
        }
        #expect(problem?.field == "records")
    }

    private func rejected(_ content: SDKRecord.Content) -> [String] {
        let record = SDKRecord(
            id: UUID(),
            sequence: 1,
            timeMilliseconds: 1_783_189_800_000,
            user: .external("ada"),
            session: nil,
            content: content
        )
        let batch = SDKBatch(
            device: SDKDevice(id: UUID(), platform: "ios"),
            records: [record],
            signature: nil
        )
        return SDKBatchReader.read(batch, now: now).rejections.map(\.field)
    }

    @Test("a session lasts between none and 31,622,400 seconds")
    func sessions() {
        for duration in [0, 1, 31_622_400] as [Double] {
            #expect(rejected(.sessionEnded(duration: duration)) == [])
        }
        for duration in [-0.001, 31_622_400.5, .infinity, .nan] {
            #expect(rejected(.sessionEnded(duration: duration)) == ["duration_seconds"])
        }
    }

    @Test("a push token has 1 to 4,096 bytes")
    func tokens() {
        for (count, isTaken) in [(0, false), (1, true), (4096, true), (4097, false)] {
            let token = SDKRecord.PushToken(
                token: String(repeating: "a", count: count),
                provider: "apns",
                environment: "sandbox",
                authorization: "authorized"
            )
            #expect(rejected(.pushToken(token)) == (isTaken ? [] : ["token.token"]), "\(count)")
        }
    }

    @Test("Apple's tokens are hexadecimal and kept in small letters, others as they are")
    func spelling() {
        func kept(_ provider: String, _ environment: String?) -> [String] {
            let token = SDKRecord.PushToken(
                token: "aBc1",
                provider: provider,
                environment: environment,
                authorization: "authorized"
            )
            let record = SDKRecord(
                id: UUID(),
                sequence: 1,
                timeMilliseconds: 1_783_189_800_000,
                user: .external("ada"),
                session: nil,
                content: .pushToken(token)
            )
            let batch = SDKBatch(
                device: SDKDevice(id: UUID(), platform: "ios"),
                records: [record],
                signature: nil
            )
            return SDKBatchReader.read(batch, now: now).items.compactMap { item in
                guard case .pushRegistered(let registration) = item.content else { return nil }
                return registration.token
            }
        }
        #expect(kept("apns", "sandbox") == ["abc1"])
        #expect(kept("fcm", nil) == ["aBc1"])
        let other = SDKRecord.PushToken(
            token: "xyz",
            provider: "apns",
            environment: "sandbox",
            authorization: "authorized"
        )
        #expect(rejected(.pushToken(other)) == ["token.token"])
    }

    @Test("only an open has a page, from the first to the last that a story can have")
    func pages() {
        func fields(_ kind: SDKRecord.PushInteraction.Kind, _ page: Int) -> [String] {
            rejected(.push(.init(kind: kind, dispatch: UUID(), pushNumber: 7, page: page)))
        }
        let pages = SDKRecord.PushInteraction.pages
        for page in [pages.lowerBound, pages.upperBound] {
            #expect(fields(.opened, page) == [])
            #expect(fields(.received, page) == ["push.page"])
        }
        for page in [pages.lowerBound - 1, pages.upperBound + 1] {
            #expect(fields(.opened, page) == ["push.page"])
        }
    }

    @Test("a browser's subscription is an https: address of up to 2,048 bytes, a key and a secret")
    func subscriptions() {
        func key(_ count: Int, first: UInt8 = 4) -> String {
            Data([first] + (1..<count).map { UInt8(truncatingIfNeeded: $0 &* 251) })
                .base64EncodedString()
        }
        func refused(
            _ token: String = "https://push.example/send/1",
            key: String? = key(65),
            secret: String? = key(16)
        ) -> [String] {
            rejected(
                .pushToken(
                    SDKRecord.PushToken(
                        token: token,
                        provider: "webpush",
                        authorization: "authorized",
                        publicKey: key,
                        authenticationSecret: secret
                    )
                )
            )
        }
        let start = "https://push.example/"
        let room = 2048 - start.utf8.count
        #expect(refused() == [])
        #expect(refused(start + String(repeating: "a", count: room)) == [])
        for token in [
            start + String(repeating: "a", count: room + 1), "http://push.example/send/1",
            "https:///send/1", "push.example/send/1",
        ] {
            #expect(refused(token) == ["token.token"], "\(token.prefix(40))")
        }
        for bad in [key(64), key(66), key(65, first: 5), "", "%", nil] {
            #expect(refused(key: bad) == ["token.p256dh"], "\(bad ?? "none")")
        }
        for bad in [key(15), key(17), "", "%", nil] {
            #expect(refused(secret: bad) == ["token.auth"], "\(bad ?? "none")")
        }
        // Browsers write base64url without padding; libraries often do not.
        let url = key(65).replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        #expect(refused(key: url) == [])
    }

    @Test("what names a message, button or action has up to 1,024 bytes")
    func interactions() {
        let longest = String(repeating: "a", count: 1024)
        let push = SDKRecord.PushInteraction(kind: .action, dispatch: UUID(), pushNumber: 1)
        var action = push
        action.action = longest
        #expect(rejected(.push(action)) == [])
        action.action = longest + "a"
        #expect(rejected(.push(action)).count == 1)
        #expect(rejected(.inAppMessage(.init(kind: .impression, message: longest))) == [])
        #expect(
            rejected(.inAppMessage(.init(kind: .impression, message: longest + "a"))).count == 1
        )
        #expect(
            rejected(.inAppMessage(.init(kind: .button, message: "m", button: longest))) == []
        )
        #expect(
            rejected(.inAppMessage(.init(kind: .button, message: "m", button: longest + "a"))).count
                == 1
        )
    }
}
