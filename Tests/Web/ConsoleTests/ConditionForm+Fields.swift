@testable import Console

extension ConditionForm {
    /// What a page with these rows sends.
    var fields: [(name: String, value: String)] {
        var fields = [(name: "conditionJoin", value: isAny ? "any" : "all")]
        fields += Self.fields("", attributes, events, written)
        for (index, group) in groups.enumerated() {
            let prefix = Self.prefix(ofGroup: index + 1)
            fields.append((prefix + "join", group.join.rawValue))
            fields += Self.fields(prefix, group.attributes, group.events, group.written)
        }
        return fields
    }

    private static func fields(
        _ prefix: String,
        _ attributes: [AttributeRow],
        _ events: [EventRow],
        _ written: [String]
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for row in attributes {
            fields += [
                ("attributeName", row.name), ("attributeTest", row.test.rawValue),
                ("attributeValue", row.value),
            ]
        }
        for row in events {
            fields += [
                ("eventName", row.name), ("eventProperty", row.property),
                ("eventValue", row.value), ("eventDone", row.isDone ? "done" : "not"),
                ("eventCount", row.count), ("eventDays", row.days),
            ]
        }
        fields += written.map { ("written", $0) }
        return fields.map { (prefix + $0.name, $0.value) }
    }
}
