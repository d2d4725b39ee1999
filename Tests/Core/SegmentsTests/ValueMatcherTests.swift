import Foundation
import Segments
import Testing

@Suite("What a test asks of a value")
struct ValueMatcherTests {
    private func passes(_ test: ValueTest, _ value: AttributeValue?) throws -> Bool {
        var matcher = try ValueMatcher(test, on: UserCalendar(zone: .gmt, now: 1_782_777_600))
        return matcher.passes(value)
    }

    private func passes(_ test: ValueTest, anyOf values: [AttributeValue]) throws -> Bool {
        var matcher = try ValueMatcher(test, on: UserCalendar(zone: .gmt, now: 1_782_777_600))
        return matcher.passes(anyOf: values)
    }

    private static let comparisons: [(Comparison, [Bool])] = [
        // Whether less, the same and more passes.
        (.less, [true, false, false]), (.lessOrEqual, [true, true, false]),
        (.equal, [false, true, false]), (.notEqual, [true, false, true]),
        (.greaterOrEqual, [false, true, true]), (.greater, [false, false, true]),
    ]

    @Test("an order holds for less, the same and more as it says", arguments: comparisons)
    func orders(comparison: Comparison, expected: [Bool]) throws {
        for (index, value) in [-1, 0, 1].enumerated() {
            #expect(comparison.holds(value, 0) == expected[index])
            #expect(comparison.mirrored.holds(0, value) == expected[index])
            #expect(comparison.holds(Int64(value), 0.0) == expected[index])
        }
        #expect(comparison.isOrdering == (comparison != .equal && comparison != .notEqual))
        guard comparison.isOrdering else { return }
        for (index, value) in [1.0, 2, 3].enumerated() {
            #expect(try passes(.number(comparison, 2), .number(value)) == expected[index])
        }
        for (index, value) in ["1.9", "2.0", "2.0.1"].enumerated() {
            #expect(try passes(.version(comparison, "2"), .string(value)) == expected[index])
        }
        let large: Int64 = 9_007_199_254_740_993
        for (index, value) in [large - 2, large, large + 2].enumerated() {
            #expect(
                try passes(.integer(comparison, large), .integer(value)) == expected[index]
            )
        }
        // What a floating-point number cannot hold is still more, or less, than its neighbors.
        for (value, place) in [(9_007_199_254_740_992.0, 0), (9_007_199_254_740_994, 2)] {
            #expect(
                try passes(.integer(comparison, large), .number(value)) == expected[place]
            )
            #expect(
                try passes(.number(comparison, value), .integer(large)) == expected[2 - place]
            )
        }
    }

    @Test("whole and floating-point numbers are compared exactly, to the ends of both")
    func exactness() {
        let two63 = 9_223_372_036_854_775_808.0
        for (comparison, expected) in Self.comparisons {
            #expect(comparison.holds(Int64.max, two63) == expected[0])
            #expect(comparison.holds(Int64.min, -two63) == expected[1])
            #expect(comparison.holds(Int64.max, -two63) == expected[2])
            #expect(comparison.holds(9_007_199_254_740_993, 9_007_199_254_740_992) == expected[2])
            #expect(comparison.holds(9_007_199_254_740_995, 9_007_199_254_740_996) == expected[0])
            for bound: Int64 in [
                9_007_199_254_740_993, -9_007_199_254_740_993, 9_007_199_254_740_995, .max,
            ] {
                guard let asked = comparison.amongDoubles(bound) else {
                    #expect(!comparison.isOrdering)
                    continue
                }
                for value in [
                    asked.bound.nextDown, asked.bound, asked.bound.nextUp, 0, -two63, two63,
                ] {
                    #expect(
                        asked.comparison.holds(value, asked.bound)
                            == comparison.mirrored.holds(bound, value)
                    )
                }
            }
        }
        #expect(Int64(9_007_199_254_740_993).isBeyondDouble)
        #expect(Int64.max.isBeyondDouble)
        #expect(!Int64.min.isBeyondDouble)
        #expect(!Int64(9_007_199_254_740_994).isBeyondDouble)
    }

    @Test("equality is of the same type and value; the opposite also holds for nothing at all")
    func equality() throws {
        let pairs: [(ScalarLiteral, AttributeValue)] = [
            (.string("a"), .string("a")), (.number(1), .number(1)),
            (.integer(9_007_199_254_740_993), .integer(9_007_199_254_740_993)),
            (.bool(true), .bool(true)), (.bool(false), .bool(false)),
        ]
        for (index, (literal, _)) in pairs.enumerated() {
            for (other, (_, value)) in pairs.enumerated() {
                let isSame = index == other
                #expect(try passes(.equal(literal), value) == isSame)
                #expect(try passes(.notEqual(literal), value) == !isSame)
                #expect(try passes(.oneOf([.string("?"), literal]), value) == isSame)
                #expect(try passes(.noneOf([.string("?"), literal]), value) == !isSame)
                let list = AttributeValue.array([.string("!"), value])
                #expect(try passes(.contains(literal), list) == isSame)
                #expect(try passes(.containsAny([.string("?"), literal]), list) == isSame)
                #expect(try passes(.containsNone([.string("?"), literal]), list) == !isSame)
                #expect(try passes(.containsAll([.string("!"), literal]), list) == isSame)
                #expect(try !passes(.containsAll([.string("?"), literal]), list))
            }
            #expect(try !passes(.equal(literal), nil))
            #expect(try passes(.notEqual(literal), nil))
            #expect(try !passes(.oneOf([literal]), nil))
            #expect(try passes(.noneOf([literal]), nil))
            #expect(try passes(.containsNone([literal]), nil))
        }
    }

    @Test("text is found in strings and in the strings of lists, and numbers have none")
    func text() throws {
        let list = AttributeValue.array([.number(1), .string("summer"), .string("vip")])
        for (test, inString, inList) in [
            (ValueTest.startsWith("su"), true, true), (.startsWith("mer"), false, false),
            (.endsWith("mer"), true, true), (.endsWith("su"), false, false),
            (.matches("^S.*R$"), true, true), (.matches("x"), false, false),
            (.doesNotMatch("x"), true, true), (.doesNotMatch("mm"), false, false),
        ] {
            #expect(try passes(test, .string("summer")) == inString, "\(test)")
            #expect(try passes(test, list) == inList, "\(test)")
            #expect(try !passes(test, nil))
        }
        #expect(try !passes(.matches(""), .number(1)))
        #expect(try passes(.doesNotMatch(""), .number(1)))
        #expect(try passes(.contains(.string("umm")), .string("summer")))
        #expect(try passes(.contains(.string("")), .string("")))
        #expect(try !passes(.contains(.string("x")), .string("summer")))
        #expect(try !passes(.contains(.number(1)), .string("1")))
    }

    @Test("empty are a string and a list with nothing in them, and no other value")
    func empty() throws {
        for (value, isEmpty) in [
            (AttributeValue.string(""), true), (.string(" "), false), (.array([]), true),
            (.array([.string("")]), false), (.number(0), false), (.bool(false), false),
            (.object([:]), false),
        ] {
            #expect(try passes(.empty, value) == isEmpty)
            #expect(try passes(.exists, value))
            #expect(try !passes(.missing, value))
        }
        #expect(try !passes(.empty, nil))
        #expect(try !passes(.exists, nil))
        #expect(try passes(.missing, nil))
    }

    @Test("of many values any passes a positive test, all pass a negative one")
    func many() throws {
        let both: [AttributeValue] = [.string("a"), .string("b")]
        #expect(try passes(.equal(.string("b")), anyOf: both))
        #expect(try !passes(.equal(.string("c")), anyOf: both))
        #expect(try !passes(.equal(.string("c")), anyOf: []))
        #expect(try !passes(.notEqual(.string("b")), anyOf: both))
        #expect(try passes(.notEqual(.string("c")), anyOf: both))
        #expect(try passes(.notEqual(.string("c")), anyOf: []))
        #expect(try !passes(.doesNotMatch("b"), anyOf: both))
        #expect(try passes(.doesNotMatch("c"), anyOf: both))
        #expect(try !passes(.doesNotMatch("c"), anyOf: []))
        #expect(try passes(.exists, anyOf: both))
        #expect(try !passes(.exists, anyOf: []))
        #expect(try !passes(.missing, anyOf: both))
        #expect(try passes(.missing, anyOf: []))
    }

    @Test("versions are compared part by part: by number, then what ends earlier comes later")
    func versions() {
        let ordered = [
            "0", "0.9", "1-alpha", "1-beta", "1", "1.0.1", "1.2", "1.10-rc", "1.10", "1.10.0.1",
            "2a", "2b", "2", "9", "10",
        ]
        for (index, older) in ordered.enumerated() {
            #expect(VersionNumber.order(older, older) == 0)
            for newer in ordered[(index + 1)...] {
                #expect(VersionNumber.order(older, newer) < 0, "\(older) \(newer)")
                #expect(VersionNumber.order(newer, older) > 0, "\(newer) \(older)")
            }
        }
        for (left, right) in [("1", "1.0.0"), ("007", "7"), ("1.", "1"), ("1.02", "01.2")] {
            #expect(VersionNumber.order(left, right) == 0, "\(left) \(right)")
            #expect(VersionNumber.order(right, left) == 0, "\(left) \(right)")
        }
        // Digits of other scripts are letters here, on either side.
        #expect(VersionNumber.order("٣", "2") < 0)
        #expect(VersionNumber.order("2", "٣") > 0)
    }

    @Test("a value can be reached through objects and lists; a path has names only")
    func paths() throws {
        #expect(AttributePath("") == nil)
        #expect(AttributePath([]) == nil)
        #expect(AttributePath([.each, .key("a")]) == nil)
        #expect(AttributePath([.key("a"), .key("")]) == nil)
        let path = try #require(AttributePath([.key("a"), .each, .key("b")]))
        #expect(path.reachesMany)
        let values = path.values(in: [
            "a": .array([
                .object(["b": .number(1)]), .object([:]), .string("b"), .object(["b": .number(2)]),
            ])
        ])
        #expect(values == [.number(1), .number(2)])
        let flat = try #require(AttributePath("a"))
        #expect(!flat.reachesMany)
        #expect(flat.values(in: ["b": .number(1)]) == [])
    }

    @Test("sums of money stay at the ends of their range")
    func saturation() {
        #expect((5 as Int64).addingSaturated(-7) == -2)
        #expect(Int64.max.addingSaturated(1) == .max)
        #expect(Int64.min.addingSaturated(-1) == .min)
        #expect(Int64.max.addingSaturated(.max) == .max)
        #expect(Int64.min.addingSaturated(.min) == .min)
        #expect((5 as Int64).multipliedSaturated(by: -7) == -35)
        #expect(Int64.max.multipliedSaturated(by: 2) == .max)
        #expect(Int64.min.multipliedSaturated(by: -2) == .max)
        #expect(Int64.max.multipliedSaturated(by: -2) == .min)
        #expect(Int64.min.multipliedSaturated(by: 2) == .min)
    }

    @Test("occurrences without a quantity do not count; the others count as often as they say")
    func summary() {
        var summary = ActivitySummary()
        let calendar = UserCalendar(zone: .gmt, now: 1_000_000)
        for measure in [
            ActivityCondition.Measure.first(.less, .now(offset: 0)), .last(.less, .now(offset: 0)),
            .count(.greater, 0), .sum(.greater, 0),
        ] {
            #expect(!summary.satisfies(measure, on: calendar))
        }
        for (time, quantity) in [(100, 0), (300, 1), (200, 3), (400, -1)] as [(Int64, Int)] {
            summary.add(
                AudienceEvent(
                    profile: 1,
                    activity: .purchase,
                    time: time,
                    product: "p",
                    priceInMicros: 10,
                    quantity: quantity
                )
            )
        }
        #expect(summary.count == 4)
        #expect(summary.sumInMicros == 40)
        #expect(summary.first == 200)
        #expect(summary.last == 300)
        for (measure, holds) in [
            (ActivityCondition.Measure.first(.less, .at(201)), true),
            (.first(.less, .at(200)), false), (.last(.less, .at(301)), true),
            (.last(.less, .at(300)), false), (.count(.equal, 4), true), (.sum(.equal, 40), true),
        ] {
            #expect(summary.satisfies(measure, on: calendar) == holds)
        }
    }

    @Test("who has done nothing passes the tests of few, and of none")
    func nothing() {
        for (measure, holds) in [
            (ActivityCondition.Measure.count(.equal, 0), true), (.count(.less, 1), true),
            (.count(.greaterOrEqual, 1), false), (.sum(.lessOrEqual, 0), true),
            (.sum(.greater, 0), false), (.first(.less, .now(offset: 0)), false),
            (.last(.less, .now(offset: 0)), false),
        ] {
            let condition = ActivityCondition(subject: .session, measure: measure)
            #expect(condition.holdsWithoutOccurrences == holds)
            #expect(
                ActivitySummary().satisfies(measure, on: UserCalendar(zone: .gmt, now: 0)) == holds
            )
        }
    }

    @Test("the random numbers of users lie from 0 to 9,999, and are always the same")
    func buckets() {
        let found = (1...20_000 as ClosedRange<Int64>).map(RandomBucket.bucket(ofRow:))
        #expect(found.allSatisfy { (0...9_999).contains($0) })
        #expect(Set(found).count > 8_000)
        #expect(found.contains(0) && found.contains(9_999))
        #expect(Array(found.prefix(4)) == [2_465, 8_110, 9_053, 3_978])
    }
}
