import Foundation
import Segments
import Testing

@Suite("The JSON form of a segment")
struct JSONFormTests {
    @Test(
        "holds every kind of filter without loss",
        arguments: [
            "everyone", #"country = "DE" and (plan != "pro" or not nps >= 9)"#,
            #"in segment "vip" or in list "summer""#, "in control group",
            "dob on 02-29 and joined on today",
            "created_at = 2026-01-31T08:30:00Z", "joined < today - 3 days", #"v >= "2.10""#,
            #"orders[]."odd name" contains any ("x", 1, true)"#, "tags is empty and x not exists",
            #"device has (platform = "ios" or not (model exists and locale exists))"#,
            #"event buy with (price >= 10) count != 3 in last 30 days until now"#,
            #"purchase of "p" sum >= 19.99"#, "session last < now - 1 days",
            #"campaign any clicked first > 2026-01-01"#, "not nobody",
        ]
    )
    func roundTrip(text: String) throws {
        let rule = try SegmentParser.parse(text).rule
        #expect(try SegmentJSON.decode(SegmentJSON.encode(rule)) == rule)
    }

    @Test("what the fuzzer has found is refused or reads back as it was meant")
    func corpus() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Corpus/found.base64")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 100)
        for line in lines {
            let bytes = try #require(Data(base64Encoded: String(line)))
            #expect(throws: Never.self) {
                try SegmentsFuzzer.run(choice: bytes[0], Array(bytes.dropFirst()))
            }
        }
    }

    @Test(
        "points at what is wrong in it",
        arguments: [
            (#"{"and":[{"or":[]},{"attribute":"colour","test":"exists"}]}"#, "/and/1/attribute"),
            (#"{"not":{"custom":"plan","test":"equals","value":"x"}}"#, "/not/test"),
            (#"{"custom":"plan","test":"one_of","value":["a",null]}"#, "/value/1"),
            (
                #"{"event":"e","measure":"count","is":">=","value":1,"from":{"now":"x"}}"#,
                "/from/now"
            ),
            (#"{"device":{"and":[{"field":"colour","test":"exists"}]}}"#, "/device/and/0/field"),
            (#"{"segment":"a","extra":1}"#, "/extra"), ("[]", ""), ("{", ""),
        ]
    )
    func pointers(json: String, pointer: String) throws {
        let problem = try #require(throws: SegmentError.self) {
            try SegmentJSON.decode(Data(json.utf8))
        }
        #expect(problem.pointer == pointer, "\(problem)")
    }
}

@Suite("The connected audience of the REST API")
struct ConnectedAudienceTests {
    @Test(
        "so many days ago or ahead are counted from now, and the past is not ahead",
        arguments: [
            ("less_than_x_days_ago", [-2, -1, 0]), ("greater_than_x_days_ago", [-5, -4]),
            ("less_than_x_days_in_the_future", [1, 2]),
            ("greater_than_x_days_in_the_future", [4, 5]),
        ]
    )
    func days(comparison: String, expected: [Int64]) throws {
        let now: Int64 = 1_782_777_600
        let rule = try rule(
            #"{"custom_attribute":{"custom_attribute_name":"renewal","#
                + #""comparison":"\#(comparison)","value":3}}"#
        )
        var evaluator = SegmentEvaluator(at: EvaluationTime(now: now))
        let found = try (-5...5 as ClosedRange<Int64>).filter { days in
            let user = AudienceProfile(rowID: 1, custom: ["renewal": .time(now + days * 86_400)])
            return try evaluator.contains(user, events: [], in: rule)
        }
        // Exactly three days away is neither less nor more.
        #expect(found == expected)
    }

    private func rule(_ json: String) throws -> SegmentRule {
        try ConnectedAudience.rule(JSONDecoder().decode(JSONNode.self, from: Data(json.utf8)))
    }

    @Test(
        "means the same as the text form",
        arguments: [
            (
                #"{"AND":[{"custom_attribute":{"custom_attribute_name":"plan","comparison":"equals","#
                    + #""value":"pro"}},{"OR":[{"push_subscription_status":{"comparison":"is_not","#
                    + #""value":"unsubscribed"}},{"last_used_app":{"comparison":"after","#
                    + #""value":"2026-01-31T02:00:00.000+02:00"}}]}]}"#,
                #"plan = "pro" and (push_subscribe != "unsubscribed" or last_session_at > 2026-01-31T00:00:00Z)"#
            ),
            (
                #"{"custom_attribute":{"custom_attribute_name":"odd name","comparison":"includes_value","#
                    + #""value":3}}"#, #"custom."odd name" contains 3"#
            ),
            (
                #"{"custom_attribute":{"custom_attribute_name":"ends","#
                    + #""comparison":"less_than_x_days_in_the_future","value":3}}"#,
                "ends > now and ends < now + 3 days"
            ),
            (
                #"{"custom_attribute":{"custom_attribute_name":"code","#
                    + #""comparison":"does_not_match_regex","value":"^a"}}"#,
                #"code not matches "^a""#
            ),
        ]
    )
    func meaning(json: String, text: String) throws {
        #expect(try rule(json) == SegmentParser.parse(text).rule)
    }

    @Test(
        "points at what is wrong in it",
        arguments: [
            (#"{"AND":[]}"#, "/AND"), (#"{"OR":[{"segment":"x"}]}"#, "/OR/0"),
            (
                #"{"custom_attribute":{"custom_attribute_name":"a","comparison":"like","value":1}}"#,
                "/custom_attribute/comparison"
            ),
            (#"{"last_used_app":{"comparison":"after","value":"soon"}}"#, "/last_used_app/value"),
        ]
    )
    func pointers(json: String, pointer: String) throws {
        let problem = try #require(throws: SegmentError.self) { try rule(json) }
        #expect(problem.pointer == pointer, "\(problem)")
    }
}
