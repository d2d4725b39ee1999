import Foundation
import Model
import NoroshiWire
import WebPages

/// Converts the fields to an in-app message.
extension InAppForm {
    /// The message with a member's changes since it was `shown`. Values that the form does not
    /// show, or shows unchanged, are kept; invalid ones are left out.
    func asTyped(
        changing stored: InAppMessageDefinition,
        shownAs shown: InAppForm?,
        _ context: ConsoleContext
    ) -> InAppMessageDefinition {
        var check = FormValidator(context: context)
        var changed = stored
        apply(to: &changed, shownAs: shown, &check)
        return changed
    }

    /// The same, or every invalid field.
    ///
    /// - Throws: ``FormError``.
    func checked(
        changing stored: InAppMessageDefinition,
        shownAs shown: InAppForm?,
        _ context: ConsoleContext
    ) throws(FormError) -> InAppMessageDefinition {
        var check = FormValidator(context: context)
        if name.isEmpty { check.fault("name", "in_app.fault.name") }
        var changed = stored
        apply(to: &changed, shownAs: shown, &check)
        var seen: Set<String> = []
        for pair in push.pairs {
            if pair.key.isEmpty { check.fault("pairs", "fault.key_empty", ["name": pair.value]) }
            if !seen.insert(pair.key).inserted {
                check.fault("pairs", "fault.key_twice", ["name": pair.key])
            }
        }
        push.audience.check(&check)
        guard check.faults.isEmpty else { throw FormError(faults: check.faults) }
        return changed
    }

    private func apply(
        to stored: inout InAppMessageDefinition,
        shownAs shown: InAppForm?,
        _ check: inout FormValidator
    ) {
        stored.name = name
        apply(to: &stored.message.rules, shownAs: shown, &check)
        let rules = stored.message.rules
        let known = stored.contents
        let blank = InAppMessage(id: stored.message.id, kind: .modal, message: "", rules: rules)
        stored.contents = contents.enumerated().map { index, content in
            // A variant keeps the values that its form does not show, wherever it has moved.
            let place = shown?.contents.firstIndex { $0.id == content.id }
            var message = place.map { known[$0] } ?? blank
            if place.map({ shown?.contents[$0] }) != content {
                check.apply("v\(index).", content, to: &message)
            }
            message.rules = rules
            if place == nil || shown?.push.pairs != push.pairs { message.extras = extras }
            return message
        }
        stored.experiment.controlShare = check.number(
            "controlShare",
            controlShare,
            0...99,
            empty: 0
        )
        let days = check.number("goalDays", goal.days, 1...30, empty: 3)
        goal.check(&check, at: "goalEvent")
        stored.goal =
            goal.event.isEmpty ? nil : goal.goal(changing: stored.goal, days: days)
        stored.experiment.weights = contents.enumerated().map {
            check.number("v\($0).weight", $1.weight, 0...1000, empty: 1)
        }
        // Other identifiers are not accepted from a form. A message without a comparison may have
        // had one before: the store knows its contents.
        let ids = Set(stored.experiment.identities.map(\.id))
        stored.experiment.identities =
            ids.isEmpty
            ? []
            : contents.map { content in
                let id = UUID(uuidString: content.id).flatMap { ids.contains($0) ? $0 : nil }
                return InAppVariantIdentity(id: id ?? UUID())
            }
    }

    private var extras: [String: String]? {
        let pairs = push.pairs.filter { !$0.key.isEmpty }
        return pairs.isEmpty
            ? nil : Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    private func apply(
        to rules: inout InAppMessageRules,
        shownAs shown: InAppForm?,
        _ check: inout FormValidator
    ) {
        let read = triggers.enumerated().map { check.trigger("t\($0).", $1) }
        if shown?.triggers != triggers { rules.triggers = read }
        rules.priority = check.number("priority", priority, -1000...1000, empty: 0)
        let delay = check.seconds("delay", delay, delayUnit) ?? 0
        if shown.map({ ($0.delay, $0.delayUnit) != (self.delay, delayUnit) }) ?? true {
            rules.delaySeconds = delay
        }
        switch often {
        case .once: rules.impressionLimit = 1
        case .times: rules.impressionLimit = check.number("times", times, 1...1000, empty: 1)
        case .always: rules.impressionLimit = nil
        }
        let interval = check.seconds("interval", interval, intervalUnit)
        if often == .once {
            rules.intervalSeconds = nil
        } else if shown.map({
            ($0.interval, $0.intervalUnit) != (self.interval, intervalUnit)
        }) ?? true {
            rules.intervalSeconds = interval
        }
        let start = check.date("startsAt", startsAt)
        if shown?.startsAt != startsAt { rules.startsAtMilliseconds = start?.milliseconds }
        let end = check.date("endsAt", endsAt)
        if shown?.endsAt != endsAt { rules.expiresAtMilliseconds = end?.milliseconds }
    }
}

extension FormValidator {
    /// `nil` if the field is empty.
    fileprivate mutating func seconds(_ field: String, _ text: String, _ unit: InAppForm.Unit)
        -> Double?
    {
        if text.isEmpty { return nil }
        if let number = Double(text), number >= 0, (number * unit.seconds).isFinite {
            return number == 0 ? nil : number * unit.seconds
        }
        fault(field, "in_app.fault.number")
        return nil
    }

    fileprivate mutating func date(_ field: String, _ text: String) -> Date? {
        if text.isEmpty { return nil }
        let date = DateTimeLocalFormat.date(text, in: context.zone)
        if date == nil { fault(field, "fault.date") }
        return date
    }

    fileprivate mutating func apply(
        _ prefix: String,
        _ form: InAppForm.Content,
        to message: inout InAppMessage
    ) {
        func filled(_ text: String) -> String? { text.isEmpty ? nil : text }
        let kind = form.kind
        message.kind = kind
        message.header =
            kind.hasHeader ? filled(form.header.written(over: message.header ?? "")) : nil
        message.message =
            kind == .control || kind.isImageOnly ? "" : form.text.written(over: message.message)
        message.language = filled(form.language)
        if kind != .slideup {
            message.slideFrom = nil
        } else if form.slidesFromTop != (message.slideFrom == .top) {
            message.slideFrom = form.slidesFromTop ? .top : .bottom
        }
        for choice in InAppChoice.all {
            let value = form.choices[choice.name] ?? choice.unstated
            if value != choice.value(in: message) { choice.set(value, in: &message) }
        }
        message.closesAfterSeconds = seconds(prefix + "closesAfter", form.closesAfter, .seconds)
        let showsPicture = kind != .html && kind != .control
        message.imageURL = showsPicture ? filled(form.image) : nil
        message.imageAltText = message.imageURL == nil ? nil : filled(form.imageAlt)
        if let image = message.imageURL,
            !["https://", "{{", "{%"].contains(where: image.hasPrefix)
        {
            fault(prefix + "image", "fault.image")
        }
        message.clickAction = showsPicture ? action(prefix + "body.", form.click) : nil
        var buttons: [InAppMessage.Button] = []
        for (index, button) in form.buttons.enumerated() where kind.hasButtons && !button.isBlank {
            let prefix = "\(prefix)b\(index)."
            buttons.append(
                InAppMessage.Button(
                    id: button.id.isEmpty ? String(index) : button.id,
                    text: button.text,
                    clickAction: action(prefix, button.click),
                    colors: colors(prefix, button.colors)
                )
            )
        }
        message.buttons = buttons.isEmpty ? nil : buttons
        let themes = [
            "light": colors(prefix + "light.", form.colors.light),
            "dark": colors(prefix + "dark.", form.colors.dark),
        ].compactMapValues { $0 }
        message.themes = themes.isEmpty ? nil : themes
        var translations = form.translations
        for (language, texts) in translations {
            translations[language] = texts.written(over: message.translations?[language])
        }
        message.translations = translations.isEmpty ? nil : translations
    }

    private mutating func action(
        _ prefix: String,
        _ click: InAppForm.Click
    ) -> InAppMessage.ClickAction {
        switch click.kind {
        case .close: return .none
        case .pushPermission: return .requestPushPermission
        case .url:
            if !LinkAddress.mayBeOpenable(click.url) {
                fault(prefix + "url", "reason.field.openableAddress")
            }
            return .url(click.url, useWebView: click.isInside)
        case .event:
            if click.event.isEmpty { fault(prefix + "event", "fault.event_name") }
            return .event(name: click.event)
        case .attribute:
            if click.key.isEmpty { fault(prefix + "key", "in_app.fault.attribute") }
            return .attribute(key: click.key, value: ParsedLiteral(text: click.value).json)
        }
    }

    /// The valid colors with their opacity; `nil` if there are none.
    private mutating func colors(
        _ prefix: String,
        _ colors: [String: String]
    ) -> [String: String]? {
        var read: [String: String] = [:]
        for (slot, color) in colors.sorted(by: { $0.key < $1.key }) {
            let digits = color.dropFirst()
            guard color.hasPrefix("#"), [6, 8].contains(digits.count),
                digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
            else {
                fault(prefix + slot + "Color", "in_app.fault.color")
                continue
            }
            read[slot] = "#" + (digits.count == 6 ? "FF" : "") + digits.uppercased()
        }
        return read.isEmpty ? nil : read
    }

    fileprivate mutating func trigger(
        _ prefix: String,
        _ trigger: InAppForm.Trigger
    ) -> InAppMessageRules.Trigger {
        if trigger.kind == .event, trigger.name.isEmpty {
            fault(prefix + "name", "fault.event_name")
        }
        for condition in trigger.conditions where trigger.kind.hasName {
            if condition.property.isEmpty {
                fault(prefix + "name", "in_app.fault.property")
            } else if condition.test.needsValue, condition.value.isEmpty {
                fault(prefix + "name", "fault.attribute_value", ["name": condition.property])
            }
        }
        let filters = trigger.conditions.map {
            InAppMessageRules.PropertyFilter(
                $0.property,
                $0.test,
                $0.test.needsValue ? ParsedLiteral(text: $0.value).json : nil
            )
        }
        switch trigger.kind {
        case .sessionStart: return .sessionStart
        case .pushOpen: return .pushOpen
        case .event: return .event(name: trigger.name, filters: filters)
        case .purchase:
            return .purchase(product: trigger.name.isEmpty ? nil : trigger.name, filters: filters)
        }
    }
}
