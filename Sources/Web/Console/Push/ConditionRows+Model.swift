import WebPages

/// The rows of a condition in the composer, with a blank one at the end.
struct ConditionRows {
    struct Attribute {
        let name: String
        let tests: [FormChoice]
        let value: String
        let position: Int
    }

    struct Event {
        let name: String
        let property: String
        let value: String
        let isDone: Bool
        let count: String
        let days: String
        let position: Int
    }

    /// What the names of its fields begin with.
    let rowsPrefix: String
    let attributes: [Attribute]
    let events: [Event]
    let written: [String]
    let hasWritten: Bool
    let isAny: Bool
    let attributeNames: [String]
    /// Where the values of an attribute come from.
    let valuesAddress = ConsolePath.attributeValues.path
    let eventNames: [String]
    let attributeFault: String?
    let eventFault: String?

    init(
        _ form: ConditionForm,
        prefix: String = "",
        attributeFault: String?,
        eventFault: String?,
        attributeNames: [String],
        eventNames: [String],
        words: Words
    ) {
        rowsPrefix = prefix
        let blank = ConditionForm.AttributeRow(name: "", test: .isEqual, value: "")
        attributes = (form.attributes + [blank]).enumerated().map { index, row in
            Attribute(
                name: row.name,
                tests: ConditionForm.Test.allCases.map {
                    FormChoice(
                        value: $0.rawValue,
                        label: words($0.wordKey),
                        isChosen: $0 == row.test
                    )
                },
                value: row.value,
                position: index + 1
            )
        }
        let blankEvent = ConditionForm.EventRow(
            name: "",
            property: "",
            value: "",
            isDone: true,
            count: "",
            days: ""
        )
        events = (form.events + [blankEvent]).enumerated().map { index, row in
            Event(
                name: row.name,
                property: row.property,
                value: row.value,
                isDone: row.isDone,
                count: row.count,
                days: row.days,
                position: index + 1
            )
        }
        written = form.written
        hasWritten = !written.isEmpty
        isAny = form.isAny
        self.attributeNames = ConditionForm.standardAttributes + attributeNames
        self.eventNames = eventNames
        self.attributeFault = attributeFault
        self.eventFault = eventFault
    }
}
