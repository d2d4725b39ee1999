import Model
import Reasons
import Segments
import Testing
import WebPages

@testable import Console

@Suite struct ConditionFormTests {
    private func attributes(
        _ rows: [(String, String, String)],
        join: String = "all"
    ) -> ConditionForm {
        ConditionForm(
            fields: FormFields(
                [("conditionJoin", join)]
                    + rows.flatMap {
                        [
                            ("attributeName", $0.0), ("attributeTest", $0.1),
                            ("attributeValue", $0.2),
                        ]
                    }
            )
        )
    }

    private func event(_ values: [String: String]) -> ConditionForm {
        let columns = [
            "eventName", "eventProperty", "eventValue", "eventDone", "eventCount", "eventDays",
        ]
        return ConditionForm(fields: FormFields(columns.map { ($0, values[$0] ?? "") }))
    }

    @Test(
        "a row becomes a condition that the segment language reads",
        arguments: [
            ("country", "is", "JP", #"country = "JP""#),
            ("plan", "is_not", "pro", #"custom."plan" != "pro""#),
            ("plan", "is", "5", #"custom."plan" = 5 or custom."plan" = "5""#),
            ("tags", "contains", "a \"b\" \\", #"custom."tags" contains "a \"b\" \\""#),
            ("email", "begins", "info@", #"email starts with "info@""#),
            ("age", "at_least", "18", "age >= 18"),
            ("created_at", "at_most", "2026-01-31", "created_at <= 2026-01-31"),
            ("last_session_at", "within", "7", "last_session_at >= now - 7 days"),
            ("お気に入り", "exists", "", #"custom."お気に入り" exists"#),
            ("phone", "missing", "", "phone not exists"),
            ("age", "is", "18", "age = 18"),
            ("age", "is_not", "18", "age != 18"),
            ("first_name", "is", "5", #"first_name = "5""#),
            ("country", "one_of", "JP、BR, DE", #"country in ("JP", "BR", "DE")"#),
            ("plan", "none_of", "pro, 5", #"custom."plan" not in ("pro", 5, "5")"#),
            ("age", "above", "18", "age > 18"),
            ("created_at", "below", "2026-01-31", "created_at < 2026-01-31"),
            ("dob", "is", "2000-02-29", "dob = 2000-02-29"),
            ("dob", "is_not", "2000-02-29", "not dob = 2000-02-29"),
            ("dob", "anniversary", "", "dob on today"),
            ("last_session_at", "older", "30", "last_session_at < now - 30 days"),
            (
                "trial_ends", "ahead", "7",
                #"custom."trial_ends" >= now and custom."trial_ends" <= now + 7 days"#
            ),
            ("is_vip", "true", "", #"custom."is_vip" = true"#),
            ("tags", "contains_not", "a", #"custom."tags" not contains "a""#),
            ("tags", "contains_all", "a,b", #"custom."tags" contains all ("a", "b")"#),
            ("code", "ends", "X", #"custom."code" ends with "X""#),
            ("code", "empty", "", #"custom."code" is empty"#),
            ("device.app_version", "version_below", "2.10", #"device.app_version < "2.10""#),
            ("device.push_enabled", "false", "", "device.push_enabled = false"),
        ]
    )
    func attributeRows(name: String, test: String, value: String, text: String) throws {
        let condition = try attributes([(name, test, value)]).attributeCondition()
        #expect(condition == text)
        _ = try SegmentParser.parse(condition)
    }

    @Test("a comparison that fits the attribute's values passes the language's checks")
    func typed() throws {
        let inputs: [ConditionForm.Test.Input: String] = [
            .none: "", .text: "a", .number: "3", .days: "7", .day: "2026-01-31", .list: "a, b",
        ]
        for name in ConditionForm.standardAttributes {
            let kind = try #require(ConditionForm.kind(of: name))
            for test in ConditionForm.tests(of: kind) {
                let isNumber = Segments.StandardAttribute(rawValue: name)?.kind == .number
                let input = isNumber && test == .oneOf ? .number : test.input(kind)
                let row = ConditionForm.AttributeRow(
                    name: name,
                    test: test,
                    value: try #require(inputs[input])
                )
                let text = try ConditionForm.text(of: row)
                let located = try SegmentParser.parse(text)
                let problems = SegmentValidator.problems(
                    in: located,
                    directory: InMemorySegmentResolver()
                )
                #expect(problems.isEmpty, "\(text)")
                // What a row says, a row reads.
                let read = ConditionForm(reading: located.rule)
                #expect(read.attributes.map(\.name) == [name], "\(text)")
                #expect(read.written.isEmpty && read.groups.isEmpty, "\(text)")
            }
        }
    }

    @Test(
        "groups and exclusions are conditions of their own",
        arguments: [
            (
                "any", "all", "none",
                #"(country = "JP") and ((age >= 18) or (event "buy" done)) and (not (custom."plan" = "pro"))"#
            ),
            (
                "all", "any", "not_all",
                #"(country = "JP") or ((age >= 18) and (event "buy" done)) or (not (custom."plan" = "pro"))"#
            ),
        ]
    )
    func groups(first: String, join: String, second: String, text: String) throws {
        let fields: [(name: String, value: String)] = [
            ("conditionJoin", join), ("attributeName", "country"), ("attributeTest", "is"),
            ("attributeValue", "JP"), ("group2.join", first), ("group2.attributeName", "age"),
            ("group2.attributeTest", "at_least"), ("group2.attributeValue", "18"),
            ("group2.eventName", "buy"), ("group2.eventDone", "done"), ("group2.eventCount", ""),
            ("group2.eventDays", ""), ("group2.eventProperty", ""), ("group2.eventValue", ""),
            // A group that was added and left.
            ("group3.join", "none"), ("group3.attributeName", ""), ("group3.attributeTest", "is"),
            ("group3.attributeValue", ""), ("group7.join", second),
            ("group7.attributeName", "plan"), ("group7.attributeTest", "is"),
            ("group7.attributeValue", "pro"),
        ]
        let form = ConditionForm(fields: FormFields(fields))
        #expect(try form.condition() == text)
        let read = ConditionForm(reading: try SegmentParser.parse(text).rule)
        #expect(read.groups.map(\.join.rawValue) == [first, "none"])
        #expect(try read.condition() == text)
        #expect(ConditionForm(fields: FormFields(read.fields)) == read)
    }

    @Test("what is nested deeper than a group stays text inside of it")
    func deeper() throws {
        let text = #"country = "JP" and (age >= 18 or (plan = "pro" and not (is_vip or nps >= 9)))"#
        let rule = try SegmentParser.parse(text).rule
        let form = ConditionForm(reading: rule)
        #expect(form.groups.map(\.attributes.count) == [1])
        #expect(
            form.groups.first?.written == [#"plan = "pro" and not (is_vip = true or nps >= 9)"#]
        )
        let again = try ConditionForm(fields: FormFields(form.fields)).condition()
        #expect(try SegmentParser.parse(again).rule == rule)
    }

    @Test("several rows are joined by all or any, and keep their own meaning")
    func joined() throws {
        let rows = [("country", "is", "JP"), ("floor", "is", "2"), ("", "is", "")]
        let all = try attributes(rows).attributeCondition()
        let floor = #"(custom."floor" = 2 or custom."floor" = "2")"#
        #expect(all == #"(country = "JP") and "# + floor)
        let any = try attributes(rows, join: "any").attributeCondition()
        #expect(any == #"(country = "JP") or "# + floor)
        _ = try SegmentParser.parse(all)
        _ = try SegmentParser.parse(any)
    }

    @Test(
        "what users did becomes a condition on events",
        arguments: [
            (["eventName": "buy"], #"event "buy" done"#),
            (["eventName": "buy", "eventDone": "not"], #"event "buy" not done"#),
            (["eventName": "buy", "eventCount": "1"], #"event "buy" done"#),
            (
                ["eventName": "buy", "eventCount": "3", "eventDays": "30"],
                #"event "buy" count >= 3 in last 30 days"#
            ),
            (
                [
                    "eventName": "coupon used", "eventProperty": "shop", "eventValue": "Kyoto",
                    "eventDone": "not", "eventDays": "7",
                ],
                #"event "coupon used" with ("shop" = "Kyoto") not done in last 7 days"#
            ),
        ]
    )
    func eventRows(values: [String: String], text: String) throws {
        let condition = try event(values).eventCondition()
        #expect(condition == text)
        _ = try SegmentParser.parse(condition)
    }

    @Test("an unfinished row is named")
    func faults() {
        let rows: [(ConditionForm, FieldReason)] = [
            (attributes([("", "is", "x")]), .rowAttribute),
            (attributes([("plan", "is", "")]), .rowValue),
            (attributes([("plan", "at_least", "x")]), .rowNumberOrDay),
            (attributes([("plan", "within", "0")]), .rowDays),
        ]
        for (form, key) in rows {
            #expect { try form.attributeCondition() } throws: {
                ($0 as? FieldProblem)?.reason.code == key.key
            }
        }
        let events: [([String: String], FieldReason)] = [
            (["eventProperty": "shop"], .rowEvent),
            (["eventName": "buy", "eventProperty": "shop"], .rowValue),
            (["eventName": "buy", "eventCount": "x"], .rowCount),
            (["eventName": "buy", "eventDays": "-1"], .rowDays),
        ]
        for (values, key) in events {
            #expect { try event(values).eventCondition() } throws: {
                ($0 as? FieldProblem)?.reason.code == key.key
            }
        }
    }

    @Test("the rows survive the way through the review and back")
    func fields() throws {
        let form = attributes([("plan", "at_least", "3"), ("city", "is", "Kyoto")], join: "any")
        let again = ConditionForm(fields: FormFields(form.fields))
        #expect(try again.attributeCondition() == form.attributeCondition())
    }

    @Test(
        "a written condition becomes rows that say exactly the same, in the order of the page",
        arguments: [
            #"country = "JP""#,
            #"country = "JP" and custom."plan" != "pro""#,
            #"(custom."floor" = 2 or custom."floor" = "2") and age >= 18"#,
            #"custom."floor" = 2 or custom."floor" = "2""#,
            #"last_session_at >= now - 7 days or created_at <= 2026-01-31"#,
            #"tags contains "a" and email starts with "info@" and phone not exists"#,
            #"event "viewed_menu" done in last 7 days and event "bought" not done"#,
            #"event "viewed_menu" with (shop = "Kyoto") count >= 3 in last 30 days"#,
            #"event "viewed_menu" count > 2"#,
            #"session_count > 3 and not (country = "JP" or country = "BR")"#,
            #"device.app_version < "2.10" or in segment "Regulars""#,
            #"not (country = "JP" or age >= 18) and last_session_at < now - 30 days"#,
            #"not (country = "JP" and age >= 18) or dob on today"#,
            #"trial_ends >= now and trial_ends <= now + 7 days"#,
            #"country in ("JP", "BR") and tags contains any ("a", "b") and tags not contains "c""#,
            #"tags contains any ("a, b", "c")"#,
            #"(country = "JP" and (age >= 18 or (a = 1 and b = 2))) or not in segment "x""#,
            #"is_vip and device has (platform = "ios" and app_version >= "2.10")"#,
            #"not (not country = "JP")"#,
            #"created_at = 2026-01-31 and created_at > 2026-01-31T08:00:00Z"#,
            #"orders[].total > 100 or custom.country = "JP""#,
            "everyone",
            "nobody",
        ]
    )
    func reading(text: String) throws {
        let rule = try SegmentParser.parse(text).rule
        let form = ConditionForm(reading: rule)
        let sent = ConditionForm(fields: FormFields(form.fields))
        let again = try sent.condition()
        if text == "nobody" { return #expect(again == "nobody") }
        let said = try again.isEmpty ? SegmentRule.all([]) : SegmentParser.parse(again).rule
        #expect(Self.ordered(said) == Self.ordered(rule))
    }

    /// The same rule, whatever the order of its parts.
    private static func ordered(_ rule: SegmentRule) -> SegmentRule {
        func sorted(_ rules: [SegmentRule]) -> [SegmentRule] {
            rules.map(ordered).sorted { SegmentWriter.text($0) < SegmentWriter.text($1) }
        }
        return switch rule {
        case .all(let rules): .all(sorted(rules))
        case .any(let rules): .any(sorted(rules))
        case .not(let inner): .not(ordered(inner))
        default: rule
        }
    }

    @Test("what no row can say stays written beside the rows that can")
    func mixed() throws {
        let text = #"country = "JP" and referral matches "^S" and event "bought" done"#
        let form = ConditionForm(reading: try SegmentParser.parse(text).rule)
        #expect(form.attributes.map(\.name) == ["country"])
        #expect(form.events.map(\.name) == ["bought"])
        #expect(form.written == [#"referral matches "^S""#])
    }

    @Test("a row that is not filled in yet does not count yet")
    func unfinished() throws {
        #expect(
            try attributes([("country", "is", "JP"), ("plan", "is", "")]).condition()
                == #"country = "JP""#
        )
        #expect(try event(["eventName": "", "eventProperty": "shop"]).condition().isEmpty)
    }
}
