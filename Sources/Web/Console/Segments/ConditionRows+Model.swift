import Audience
import Model
import WebPages

/// The rows of a condition in a form, with a blank one at the end.
struct ConditionRows {
    /// What the rows can choose from, and what is said about names in them.
    struct Vocabulary {
        /// The custom attributes, the most used first.
        var attributes: [String]
        var kinds: [String: AttributeKind]
        var events: [String]
        /// Names in the condition that no user has.
        var unknown: [SendFinding] = []

        func kind(of name: String) -> AttributeKind? {
            ConditionForm.kind(of: name) ?? kinds[name]
        }
    }

    /// A name to choose.
    struct Offered {
        let offered: String
        /// `any` where it is unknown.
        let kind: String
    }

    /// The comparisons of a kind of value.
    struct TestGroup {
        struct Choice {
            let value: String
            let label: String
            let isChosen: Bool
            /// What is typed beside it.
            let input: String
            let unit: String
        }

        let kind: String
        let kindName: String
        /// Whether the row's attribute has other values.
        let isOther: Bool
        let choices: [Choice]
    }

    struct Attribute {
        let name: String
        let tests: [TestGroup]
        let value: String
        let hasValue: Bool
        let unit: String
        let position: Int
        /// What is wrong with its name.
        let note: String?
    }

    struct Event {
        let name: String
        let property: String
        let value: String
        let isDone: Bool
        let count: String
        let days: String
        let position: Int
        let note: String?
    }

    struct Group {
        let groupPrefix: String
        let joins: [FormChoice]
        let groupRows: ConditionRows
    }

    /// What the names of its fields begin with.
    let rowsPrefix: String
    /// The same for the lists of names, which groups share.
    let listsPrefix: String
    let hasLists: Bool
    /// Whether a language says the value before the comparison.
    let isValueFirst: Bool
    let attributes: [Attribute]
    let events: [Event]
    let groups: [Group]
    /// Groups without rows, for the script and for browsers without it.
    let scriptGroup: [Group]
    let plainGroup: [Group]
    let written: [String]
    let hasWritten: Bool
    let isAny: Bool
    let attributeNames: [Offered]
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
        _ vocabulary: Vocabulary,
        words: Words
    ) {
        self.init(
            ConditionForm.Group(
                join: form.isAny ? .any : .all,
                attributes: form.attributes,
                events: form.events,
                written: form.written
            ),
            prefix: prefix,
            lists: prefix,
            hasLists: true,
            groups: form.groups.enumerated().map { index, group in
                Group(group, number: "\(index + 1)", prefix, vocabulary, words)
            },
            blank: ["0", "\(form.groups.count + 1)"].map { number in
                Group(ConditionForm.Group(join: .any), number: number, prefix, vocabulary, words)
            },
            attributeFault: attributeFault,
            eventFault: eventFault,
            vocabulary,
            words: words
        )
    }

    fileprivate init(
        _ form: ConditionForm.Group,
        prefix: String,
        lists: String,
        hasLists: Bool,
        groups: [Group],
        blank: [Group],
        attributeFault: String?,
        eventFault: String?,
        _ vocabulary: Vocabulary,
        words: Words
    ) {
        rowsPrefix = prefix
        listsPrefix = lists
        self.hasLists = hasLists
        isValueFirst = words.language == .japanese
        let blankRow = ConditionForm.AttributeRow(name: "", test: .isEqual, value: "")
        attributes = (form.attributes + [blankRow]).enumerated().map { index, row in
            Attribute(row, position: index + 1, vocabulary, words)
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
            Event(row, position: index + 1, vocabulary, words)
        }
        self.groups = groups
        scriptGroup = Array(blank.prefix(1))
        plainGroup = Array(blank.dropFirst())
        written = form.written
        hasWritten = !written.isEmpty
        isAny = form.join == .any
        attributeNames =
            hasLists
            ? (ConditionForm.standardAttributes + vocabulary.attributes).map {
                Offered(offered: $0, kind: vocabulary.kind(of: $0)?.rawValue ?? "any")
            } : []
        eventNames = hasLists ? vocabulary.events : []
        self.attributeFault = attributeFault
        self.eventFault = eventFault
    }
}

extension ConditionRows.Group {
    fileprivate init(
        _ group: ConditionForm.Group,
        number: String,
        _ prefix: String,
        _ vocabulary: ConditionRows.Vocabulary,
        _ words: Words
    ) {
        groupPrefix = "\(prefix)group\(number)."
        joins = ConditionForm.Group.Join.allCases.map {
            FormChoice(
                value: $0.rawValue,
                label: words($0.wordKey),
                isChosen: $0 == group.join
            )
        }
        groupRows = ConditionRows(
            group,
            prefix: groupPrefix,
            lists: prefix,
            hasLists: false,
            groups: [],
            blank: [],
            attributeFault: nil,
            eventFault: nil,
            vocabulary,
            words: words
        )
    }
}

extension ConditionRows.Attribute {
    fileprivate init(
        _ row: ConditionForm.AttributeRow,
        position: Int,
        _ vocabulary: ConditionRows.Vocabulary,
        _ words: Words
    ) {
        let kind = row.name.isEmpty ? nil : vocabulary.kind(of: row.name)
        // A comparison that does not fit stays to be chosen.
        let home =
            [kind].compactMap { $0 }.first { ConditionForm.tests(of: $0).contains(row.test) }
            ?? AttributeKind.allCases.first { ConditionForm.tests(of: $0).contains(row.test) }
        name = row.name
        value = row.value
        hasValue = row.test.needsValue
        unit = row.test.unitKey.map { words($0) } ?? ""
        self.position = position
        tests = AttributeKind.allCases.map { group in
            ConditionRows.TestGroup(
                kind: group.rawValue,
                kindName: words(group.wordKey),
                isOther: kind != nil && group != kind && group != home,
                choices: ConditionForm.tests(of: group).map { test in
                    ConditionRows.TestGroup.Choice(
                        value: test.rawValue,
                        label: words(test.wordKey(group)),
                        isChosen: group == home && test == row.test,
                        input: test.input(group).rawValue,
                        unit: test.unitKey.map { words($0) } ?? ""
                    )
                }
            )
        }
        note =
            vocabulary.unknown.first {
                if case .unknownFilterAttribute(row.name, _) = $0 { true } else { false }
            }?.text(words)
    }
}

extension ConditionRows.Event {
    fileprivate init(
        _ row: ConditionForm.EventRow,
        position: Int,
        _ vocabulary: ConditionRows.Vocabulary,
        _ words: Words
    ) {
        name = row.name
        property = row.property
        value = row.value
        isDone = row.isDone
        count = row.count
        days = row.days
        self.position = position
        note =
            vocabulary.unknown.first {
                if case .unknownFilterEvent(row.name, _) = $0 { true } else { false }
            }?.text(words)
    }
}
