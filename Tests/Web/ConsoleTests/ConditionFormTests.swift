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
        ]
    )
    func attributeRows(name: String, test: String, value: String, text: String) throws {
        let condition = try attributes([(name, test, value)]).attributeCondition()
        #expect(condition == text)
        _ = try SegmentParser.parse(condition)
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
        "a written condition becomes rows that say exactly the same",
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
            "everyone",
        ]
    )
    func reading(text: String) throws {
        let rule = try SegmentParser.parse(text).rule
        let form = ConditionForm(reading: rule)
        let sent = ConditionForm(fields: FormFields(form.fields))
        let again = try sent.condition()
        #expect(try again.isEmpty ? rule == .all([]) : SegmentParser.parse(again).rule == rule)
    }

    @Test("what no row can say stays written beside the rows that can")
    func mixed() throws {
        let text = #"country = "JP" and session_count > 3 and event "bought" done"#
        let form = ConditionForm(reading: try SegmentParser.parse(text).rule)
        #expect(form.attributes.map(\.name) == ["country"])
        #expect(form.events.map(\.name) == ["bought"])
        #expect(form.written == ["session_count > 3"])
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
