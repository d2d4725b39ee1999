import Audience
import Foundation
import Model
import NoroshiWire
import WebPages

/// The raw fields of an in-app message. Those of a variant begin with `v0.`, `v1.` and so on, those
/// of its buttons with `v0.b0.`, those of a trigger with `t0.`.
struct InAppForm {
    enum ClickKind: String, CaseIterable {
        case close, url, event, attribute
        case pushPermission = "push_permission"
    }

    struct Click: Hashable {
        var kind = ClickKind.close
        var url = ""
        var isInside = false
        var event = ""
        var key = ""
        var value = ""
    }

    struct Button: Hashable {
        var id: String
        var text = ""
        var click = Click()
        var colors: [String: String] = [:]

        var isBlank: Bool { text.isEmpty }
    }

    struct Trigger: Hashable {
        enum Kind: String, CaseIterable {
            case sessionStart = "session_start"
            case event, purchase
            case pushOpen = "push_open"

            var hasName: Bool { self == .event || self == .purchase }
        }

        var kind = Kind.sessionStart
        /// The event, or the product; empty for any product.
        var name = ""
        /// All conditions must hold.
        var conditions: [Condition] = []
    }

    /// A condition on a property of the event or the purchase.
    struct Condition: Hashable {
        var property = ""
        var test = InAppMessageRules.PropertyFilter.Comparison.equals
        /// The text of a ``ParsedLiteral``.
        var value = ""
    }

    /// Colors by slot, in the phone's light and dark appearance.
    struct Colors: Hashable {
        static let slots = ["background", "text", "header", "frame", "close"]

        var light: [String: String] = [:]
        var dark: [String: String] = [:]
    }

    enum Often: String, CaseIterable {
        case once, times, always
    }

    /// Units of time, with their length in seconds.
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

    static let variantLimit = 8
    /// What the names of the fields of the goal begin with.
    static let goalName = "goal"

    /// The raw fields of the visible content.
    struct Content: Hashable {
        /// The identifier of its variant; empty for a new one.
        var id = ""
        var weight = ""
        var kind = InAppMessage.Kind.modal
        var header = ""
        var text = ""
        var image = ""
        var imageAlt = ""
        var language = ""
        var slidesFromTop = false
        /// The values of ``InAppChoice`` by name; defaults are missing.
        var choices: [String: String] = [:]
        var closesAfter = ""
        var click = Click()
        var buttons = (0..<InAppForm.buttonCount).map { Button(id: String($0)) }
        var colors = Colors()
        /// What it says in other languages.
        var translations: [String: InAppTranslation] = [:]
    }

    var name = ""
    var contents = [Content()]
    var controlShare = ""
    var goal = GoalForm()
    var triggers = [Trigger()]
    var priority = ""
    var delay = ""
    var delayUnit = Unit.seconds
    var often = Often.once
    var times = ""
    var interval = ""
    var intervalUnit = Unit.hours
    /// In the format of `datetime-local`, in the workspace's time zone.
    var startsAt = ""
    var endsAt = ""
    /// Pairs, audience and the preview's user, as in the composer of pushes.
    var push: PushForm

    init(fields: FormFields) {
        push = PushForm(fields: fields)
        name = fields.trimmed("name")
        let variants = (0..<Self.variantLimit).prefix { fields.has("v\($0).kind") }.count
        if variants > 0 { contents = (0..<variants).map { Content("v\($0).", fields) } }
        controlShare = fields.trimmed("controlShare")
        goal = GoalForm(fields: fields, name: Self.goalName)
        let count = (0..<Self.triggerLimit).prefix { fields.has("t\($0).kind") }.count
        triggers = (0..<max(1, count)).map { Self.trigger("t\($0).", fields) }
        priority = fields.trimmed("priority")
        delay = fields.trimmed("delay")
        delayUnit = Unit(rawValue: fields["delayUnit"]) ?? .seconds
        often = Often(rawValue: fields["often"]) ?? .once
        times = fields.trimmed("times")
        interval = fields.trimmed("interval")
        intervalUnit = Unit(rawValue: fields["intervalUnit"]) ?? .hours
        startsAt = fields["startsAt"]
        endsAt = fields["endsAt"]
    }

    private static func trigger(_ prefix: String, _ fields: FormFields) -> Trigger {
        let tests = fields.all(prefix + "test")
        let values = fields.all(prefix + "value")
        let conditions = zip(fields.all(prefix + "property"), zip(tests, values)).map {
            Condition(
                property: $0.trimmingCharacters(in: .whitespaces),
                test: InAppMessageRules.PropertyFilter.Comparison(rawValue: $1.0) ?? .equals,
                value: $1.1.trimmingCharacters(in: .whitespaces)
            )
        }
        return Trigger(
            kind: Trigger.Kind(rawValue: fields[prefix + "kind"]) ?? .sessionStart,
            name: fields.trimmed(prefix + "name"),
            conditions: conditions.filter { !$0.property.isEmpty || !$0.value.isEmpty }
        )
    }

    init(_ stored: InAppMessageDefinition, audience: AudienceChoice, context: ConsoleContext) {
        self.init(fields: FormFields([]))
        let rules = stored.message.rules
        let experiment = stored.experiment
        name = stored.name
        contents = stored.contents.enumerated().map { index, message in
            var content = Content(message)
            if experiment.identities.indices.contains(index) {
                content.id = experiment.identities[index].id.uuidString.lowercased()
            }
            let weights = experiment.weights
            content.weight = String(weights.indices.contains(index) ? weights[index] : 1)
            return content
        }
        controlShare = experiment.controlShare == 0 ? "" : String(experiment.controlShare)
        goal = stored.goal.map(GoalForm.init) ?? GoalForm()
        triggers = rules.triggers.map(Trigger.init)
        if triggers.isEmpty { triggers = [Trigger()] }
        priority = rules.priority == 0 ? "" : String(rules.priority)
        (delay, delayUnit) = Self.amount(rules.delaySeconds, else: .seconds)
        switch rules.impressionLimit {
        case nil: often = .always
        case 1?: often = .once
        case let limit?: (often, times) = (.times, String(limit))
        }
        (interval, intervalUnit) = Self.amount(rules.intervalSeconds ?? 0, else: .hours)
        func text(_ milliseconds: Int64?) -> String {
            milliseconds.map { DateTimeLocalFormat.text(Date(milliseconds: $0), in: context.zone) }
                ?? ""
        }
        startsAt = text(rules.startsAtMilliseconds)
        endsAt = text(rules.expiresAtMilliseconds)
        push.pairs = (stored.message.extras ?? [:]).sorted { $0.key < $1.key }
            .map { PushPair(key: $0.key, value: $0.value) }
        push.audience = AudienceForm(audience)
    }

    /// A number of seconds in the largest unit without a fraction.
    private static func amount(_ seconds: Double, else unit: Unit) -> (String, Unit) {
        guard seconds > 0 else { return ("", unit) }
        let fitting = Unit.allCases.last {
            seconds.truncatingRemainder(dividingBy: $0.seconds) == 0
        }
        let unit = fitting ?? .seconds
        return (text(seconds / unit.seconds), unit)
    }

    static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
