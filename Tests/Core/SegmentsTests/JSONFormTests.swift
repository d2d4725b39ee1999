import Foundation
import Segments
import Testing

@Suite("The JSON form of a segment")
struct JSONFormTests {
    @Test(
        "holds every kind of filter without loss",
        arguments: [
            "everyone", #"country = "DE" and (plan != "pro" or not nps >= 9)"#,
            #"in segment "vip" or in list "summer""#, "dob on 02-29 and joined on today",
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
        let problem = try #require(throws: SegmentProblem.self) {
            try SegmentJSON.decode(Data(json.utf8))
        }
        #expect(problem.pointer == pointer, "\(problem)")
    }
}
