import Foundation
import WebPages

/// The fields of an in-app message as they were typed. Those of a button begin with `b0.` or `b1.`,
/// those of a trigger with `t0.`, `t1.` and so on.
struct InAppForm {
    enum ClickKind: String, CaseIterable {
        case close, url, event, attribute
        case pushPermission = "push_permission"
    }

    struct Click {
        var kind = ClickKind.close
        var url = ""
        var isInside = false
        var event = ""
        var key = ""
        var value = ""
    }

    struct Button {
        var id: String
        var text = ""
        var click = Click()
        var colors: [String: String] = [:]

        var isBlank: Bool { text.isEmpty }
    }

    struct Trigger {
        var kind = InAppTrigger.Kind.sessionStart
        var name = ""
        var conditions: [InAppCondition] = []
    }

    enum Often: String, CaseIterable {
        case once, times, always
    }

    /// Units of time with their seconds.
    enum Unit: String, CaseIterable {
        case seconds, minutes, hours, days

        var seconds: Double {
            switch self {
            case .seconds: 1
            case .minutes: 60
            case .hours: 3600
            case .days: 86_400
            }
        }
    }

    static let buttonCount = 2
    static let buttonSlots = ["text", "background", "border"]
    static let triggerLimit = 10

    var name = ""
    var kind = InAppKind.modal
    var header = ""
    var text = ""
    var image = ""
    var imageAlt = ""
    var language = ""
    var slidesFromTop = false
    var orientation = InAppOrientation.any
    var closesAfter = ""
    var click = Click()
    var buttons = (0..<Self.buttonCount).map { Button(id: String($0)) }
    var colors = InAppColors()
    var triggers = [Trigger()]
    var priority = ""
    var delay = ""
    var delayUnit = Unit.seconds
    var often = Often.once
    var times = ""
    var interval = ""
    var intervalUnit = Unit.hours
    /// As `datetime-local` writes it, in the workspace's time zone.
    var startsAt = ""
    var endsAt = ""
    /// Pairs, audience and the preview's user, as in the composer of pushes.
    var push: PushForm

    init(fields: FormFields) {
        func line(_ name: String) -> String {
            fields[name].trimmingCharacters(in: .whitespacesAndNewlines)
        }
        push = PushForm(fields: fields)
        name = line("name")
        kind = InAppKind(rawValue: fields["kind"]) ?? .modal
        header = fields["header"]
        text = fields["text"].replacingOccurrences(of: "\r\n", with: "\n")
        image = line("image")
        imageAlt = line("imageAlt")
        language = line("language")
        slidesFromTop = fields["slideFrom"] == "top"
        orientation = InAppOrientation(rawValue: fields["orientation"]) ?? .any
        closesAfter = line("closesAfter")
        click = Self.click("body.", fields)
        buttons = buttons.enumerated().map { index, button in
            let prefix = "b\(index)."
            var button = button
            if fields.has(prefix + "id") { button.id = line(prefix + "id") }
            button.text = line(prefix + "text")
            button.click = Self.click(prefix, fields)
            button.colors = Self.colors(prefix, Self.buttonSlots, fields)
            return button
        }
        colors = InAppColors(
            light: Self.colors("light.", InAppColors.slots, fields),
            dark: Self.colors("dark.", InAppColors.slots, fields)
        )
        let count = (0..<Self.triggerLimit).prefix { fields.has("t\($0).kind") }.count
        triggers = (0..<max(1, count)).map { Self.trigger("t\($0).", fields) }
        priority = line("priority")
        delay = line("delay")
        delayUnit = Unit(rawValue: fields["delayUnit"]) ?? .seconds
        often = Often(rawValue: fields["often"]) ?? .once
        times = line("times")
        interval = line("interval")
        intervalUnit = Unit(rawValue: fields["intervalUnit"]) ?? .hours
        startsAt = fields["startsAt"]
        endsAt = fields["endsAt"]
    }

    private static func click(_ prefix: String, _ fields: FormFields) -> Click {
        func line(_ name: String) -> String {
            fields[prefix + name].trimmingCharacters(in: .whitespaces)
        }
        return Click(
            kind: ClickKind(rawValue: line("action")) ?? .close,
            url: line("url"),
            isInside: line("inside") == "yes",
            event: line("event"),
            key: line("key"),
            value: line("value")
        )
    }

    private static func colors(
        _ prefix: String,
        _ slots: [String],
        _ fields: FormFields
    ) -> [String: String] {
        slots.reduce(into: [:]) { colors, slot in
            let color = fields[prefix + slot + "Color"].trimmingCharacters(in: .whitespaces)
            if !color.isEmpty { colors[slot] = color }
        }
    }

    private static func trigger(_ prefix: String, _ fields: FormFields) -> Trigger {
        let tests = fields.all(prefix + "test")
        let values = fields.all(prefix + "value")
        let conditions = zip(fields.all(prefix + "property"), zip(tests, values)).map {
            InAppCondition(
                property: $0.trimmingCharacters(in: .whitespaces),
                test: InAppCondition.Test(rawValue: $1.0) ?? .equals,
                value: $1.1.trimmingCharacters(in: .whitespaces)
            )
        }
        return Trigger(
            kind: InAppTrigger.Kind(rawValue: fields[prefix + "kind"]) ?? .sessionStart,
            name: fields[prefix + "name"].trimmingCharacters(in: .whitespaces),
            conditions: conditions.filter { !$0.property.isEmpty || !$0.value.isEmpty }
        )
    }

    init(_ draft: InAppDraft, visit: Visit) {
        self.init(fields: FormFields([]))
        name = draft.name
        kind = draft.kind
        header = draft.header
        text = draft.text
        image = draft.imageURL
        imageAlt = draft.imageAlt
        language = draft.language
        slidesFromTop = draft.slidesFromTop
        orientation = draft.orientation
        closesAfter = draft.closesAfterSeconds.map { Self.text($0) } ?? ""
        click = Click(draft.click)
        for (index, button) in draft.buttons.prefix(Self.buttonCount).enumerated() {
            buttons[index] = Button(
                id: button.id,
                text: button.text,
                click: Click(button.click),
                colors: button.colors
            )
        }
        colors = draft.colors
        triggers = draft.triggers.map {
            Trigger(kind: $0.kind, name: $0.name, conditions: $0.conditions)
        }
        if triggers.isEmpty { triggers = [Trigger()] }
        priority = draft.priority == 0 ? "" : String(draft.priority)
        (delay, delayUnit) = Self.amount(draft.delaySeconds, else: .seconds)
        switch draft.impressionLimit {
        case nil: often = .always
        case 1?: often = .once
        case let limit?: (often, times) = (.times, String(limit))
        }
        (interval, intervalUnit) = Self.amount(draft.intervalSeconds ?? 0, else: .hours)
        startsAt = draft.startsAt.map { LocalTime.text($0, in: visit.zone) } ?? ""
        endsAt = draft.endsAt.map { LocalTime.text($0, in: visit.zone) } ?? ""
        var common = PushDraft()
        common.pairs = draft.pairs
        common.audience = draft.audience
        push = PushForm(copying: common, zone: visit.zone)
    }

    /// A number of seconds in the largest unit that needs no fraction.
    private static func amount(_ seconds: Double, else unit: Unit) -> (String, Unit) {
        guard seconds > 0 else { return ("", unit) }
        let fitting = Unit.allCases.last {
            seconds.truncatingRemainder(dividingBy: $0.seconds) == 0
        }
        let unit = fitting ?? .seconds
        return (text(seconds / unit.seconds), unit)
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

extension InAppForm.Click {
    fileprivate init(_ click: InAppClick) {
        switch click {
        case .close: kind = .close
        case .url(let address, let isInside):
            (kind, url, self.isInside) = (.url, address, isInside)
        case .event(let name): (kind, event) = (.event, name)
        case .attribute(let name, let json): (kind, key, value) = (.attribute, name, json)
        case .pushPermission: kind = .pushPermission
        }
    }
}
