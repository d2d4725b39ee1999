import Foundation
import Model
import NoroshiWire
import WebPages

/// A condition on a property, as a row of a form.
struct JourneyPropertyRow: Hashable {
    var property = ""
    var comparison = PropertyCondition.Comparison.equals
    var value = ""

    init() {}

    init(_ condition: PropertyCondition) {
        property = condition.property
        comparison = condition.comparison
        value = condition.comparison.needsValue ? ParsedLiteral(json: condition.value).text : ""
    }

    static func all(_ fields: FormFields, prefix: String) -> [JourneyPropertyRow] {
        let tests = fields.all(prefix + "comparison")
        let values = fields.all(prefix + "propertyValue")
        return zip(fields.all(prefix + "property"), zip(tests, values)).map { name, rest in
            var row = JourneyPropertyRow()
            row.property = name.trimmingCharacters(in: .whitespaces)
            row.comparison = PropertyCondition.Comparison(rawValue: rest.0) ?? .equals
            row.value = rest.1.trimmingCharacters(in: .whitespaces)
            return row
        }
        .filter { !$0.property.isEmpty || !$0.value.isEmpty }
    }

    static func conditions(
        _ rows: [JourneyPropertyRow],
        changing known: [PropertyCondition]
    ) -> [PropertyCondition] {
        rows.map { row in
            known.first { JourneyPropertyRow($0) == row }
                ?? PropertyCondition(
                    row.property,
                    row.comparison,
                    row.comparison.needsValue ? ParsedLiteral(text: row.value).json : .null
                )
        }
    }
}

/// Conditions on properties, drawn, with a blank one at the end.
struct JourneyPropertyPart {
    struct Row {
        let property: String
        let tests: [FormChoice]
        let value: String
        let position: Int
    }

    let rowPrefix: String
    let rows: [Row]
    let propertyFault: String?

    init(_ rows: [JourneyPropertyRow], prefix: String, fault: String?, words: Words) {
        rowPrefix = prefix
        propertyFault = fault
        self.rows = (rows + [JourneyPropertyRow()]).enumerated().map { index, row in
            Row(
                property: row.property,
                tests: PropertyCondition.Comparison.allCases.map {
                    FormChoice(
                        value: $0.rawValue,
                        label: words($0.wordKey),
                        isChosen: $0 == row.comparison
                    )
                },
                value: row.value,
                position: index + 1
            )
        }
    }
}
