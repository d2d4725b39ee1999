import Foundation
import Model
import WebPages

/// What a message is for, as the fields of a form: an event, what its properties must be, and how
/// soon it counts.
struct GoalForm: Hashable {
    /// Empty for none.
    var event = ""
    /// Empty for three.
    var days = ""
    var conditions: [JourneyPropertyRow] = []

    init() {}

    init(_ goal: ConversionEvent) {
        event = goal.event.shownName
        days = String(max(1, Int((goal.window / 86_400).rounded())))
        conditions = goal.event.conditions.map(JourneyPropertyRow.init)
    }

    /// A form with one goal.
    ///
    /// - Parameter name: What the names of its fields begin with.
    init(fields: FormFields, name: String) {
        event = fields.trimmed(name + "Event")
        days = fields.trimmed(name + "Days")
        conditions = JourneyPropertyRow.all(fields, prefix: Self.prefix(name))
    }

    /// A form with several goals: the conditions after an event, and before the next one, are its.
    static func all(_ fields: FormFields, name: String) -> [GoalForm] {
        let starts = fields.entries.indices.filter { fields.entries[$0].name == name + "Event" }
        let ends = starts.dropFirst() + [fields.entries.count]
        return zip(starts, ends).enumerated().map { position, range in
            var goal = GoalForm(
                fields: FormFields(Array(fields.entries[range.0..<range.1])),
                name: name
            )
            let days = fields.all(name + "Days")
            if days.indices.contains(position) {
                goal.days = days[position].trimmingCharacters(in: .whitespaces)
            }
            return goal
        }
    }

    static func prefix(_ name: String) -> String { name + "." }

    /// - Parameter known: What is kept where the form says the same.
    /// - Parameter days: The days that are typed, as a number.
    func goal(changing known: ConversionEvent?, days: Int) -> ConversionEvent {
        let shown = known.map(GoalForm.init)
        let window = Double(days) * 86_400
        var goal = ConversionEvent(event: EventMatch(shownName: event), window: window)
        if let known, shown?.event == event {
            goal.event.kind = known.event.kind
            if shown?.days == self.days { goal.window = known.window }
        }
        goal.event.conditions = JourneyPropertyRow.conditions(
            conditions,
            changing: known?.event.conditions ?? []
        )
        return goal
    }

    /// Reports unfinished conditions at the field that has the event.
    func check(_ check: inout FormValidator, at field: String) {
        for row in conditions {
            if row.property.isEmpty {
                check.fault(field, "journeys.fault_property")
            } else if row.comparison.needsValue, row.value.isEmpty {
                check.fault(field, "fault.attribute_value", ["name": row.property])
            }
        }
    }
}
