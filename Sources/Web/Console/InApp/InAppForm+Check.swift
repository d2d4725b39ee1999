import Foundation
import WebPages

extension InAppForm {
    /// What has been typed, without judging it; what cannot be read is left out.
    func asTyped(_ visit: Visit) -> InAppDraft {
        var check = FormCheck(visit: visit)
        return draft(&check)
    }

    /// The draft, or every field that has to be changed first.
    func checked(_ visit: Visit) throws(InAppRejected) -> InAppDraft {
        var check = FormCheck(visit: visit)
        if name.isEmpty { check.fault("name", "in_app.fault.name") }
        let draft = draft(&check)
        checkCommon(&check)
        guard check.faults.isEmpty else { throw InAppRejected(faults: check.faults) }
        return draft
    }

    private func draft(_ check: inout FormCheck) -> InAppDraft {
        var draft = InAppDraft()
        draft.name = name
        draft.contents = contents.enumerated().map { check.content("v\($0).", $1) }
        draft.weights = contents.enumerated().map {
            check.number("v\($0).weight", $1.weight, 0...1000, empty: 1)
        }
        draft.controlShare = check.number("controlShare", controlShare, 0...99, empty: 0)
        draft.pairs = push.pairs.filter { !$0.key.isEmpty }
        draft.triggers = triggers.enumerated().map { check.trigger("t\($0).", $1) }
        draft.priority = check.number("priority", priority, -1000...1000, empty: 0)
        draft.delaySeconds = check.seconds("delay", delay, delayUnit) ?? 0
        switch often {
        case .once: draft.impressionLimit = 1
        case .times: draft.impressionLimit = check.number("times", times, 1...1000, empty: 1)
        case .always: draft.impressionLimit = nil
        }
        if often != .once {
            draft.intervalSeconds = check.seconds("interval", interval, intervalUnit)
        }
        draft.startsAt = check.date("startsAt", startsAt)
        draft.endsAt = check.date("endsAt", endsAt)
        draft.audience = push.audience.choice
        draft.previewUser = push.previewUser
        return draft
    }

    /// The pairs, and the audience, which the composer of pushes checks.
    private func checkCommon(_ check: inout FormCheck) {
        var seen: Set<String> = []
        for pair in push.pairs {
            if pair.key.isEmpty { check.fault("pairs", "fault.key_empty", ["name": pair.value]) }
            if !seen.insert(pair.key).inserted {
                check.fault("pairs", "fault.key_twice", ["name": pair.key])
            }
        }
        push.audience.check(&check)
    }
}

extension FormCheck {
    /// `nil` for none.
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
        let date = LocalTime.date(text, in: visit.zone)
        if date == nil { fault(field, "fault.date") }
        return date
    }

    fileprivate mutating func content(_ prefix: String, _ form: InAppForm.Content) -> InAppContent {
        let kind = form.kind
        var content = InAppContent()
        content.kind = kind
        content.header = kind.hasHeader ? form.header : ""
        content.text = kind == .control || kind.isImageOnly ? "" : form.text
        content.language = form.language
        content.slidesFromTop = form.slidesFromTop
        content.orientation = form.orientation
        content.closesAfterSeconds = seconds(
            prefix + "closesAfter",
            form.closesAfter,
            .seconds
        )
        if kind != .html, kind != .control {
            content.imageURL = form.image
            content.imageAlt = form.image.isEmpty ? "" : form.imageAlt
            let beginnings = ["https://", "{{", "{%"]
            if !form.image.isEmpty, !beginnings.contains(where: form.image.hasPrefix) {
                fault(prefix + "image", "fault.image")
            }
            content.click = click(prefix + "body.", form.click)
        }
        if kind.hasButtons {
            for (index, button) in form.buttons.enumerated() where !button.isBlank {
                let prefix = "\(prefix)b\(index)."
                content.buttons.append(
                    InAppButton(
                        id: button.id.isEmpty ? String(index) : button.id,
                        text: button.text,
                        click: click(prefix, button.click),
                        colors: colors(prefix, button.colors)
                    )
                )
            }
        }
        content.colors = InAppColors(
            light: colors(prefix + "light.", form.colors.light),
            dark: colors(prefix + "dark.", form.colors.dark)
        )
        return content
    }

    fileprivate mutating func click(_ prefix: String, _ click: InAppForm.Click) -> InAppClick {
        switch click.kind {
        case .close: return .close
        case .pushPermission: return .pushPermission
        case .url:
            if !PushForm.isAddress(click.url) { fault(prefix + "url", "fault.url") }
            return .url(click.url, isInside: click.isInside)
        case .event:
            if click.event.isEmpty { fault(prefix + "event", "fault.event_name") }
            return .event(click.event)
        case .attribute:
            if click.key.isEmpty { fault(prefix + "key", "in_app.fault.attribute") }
            return .attribute(click.key, value: click.value)
        }
    }

    fileprivate mutating func colors(_ prefix: String, _ colors: [String: String]) -> [String:
        String]
    {
        colors.filter { slot, color in
            let digits = color.dropFirst()
            let isColor =
                color.hasPrefix("#") && [6, 8].contains(digits.count)
                && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
            if !isColor { fault(prefix + slot + "Color", "in_app.fault.color") }
            return isColor
        }
    }

    fileprivate mutating func trigger(_ prefix: String, _ trigger: InAppForm.Trigger)
        -> InAppTrigger
    {
        let hasName = trigger.kind == .event || trigger.kind == .purchase
        if trigger.kind == .event, trigger.name.isEmpty {
            fault(prefix + "name", "fault.event_name")
        }
        for condition in trigger.conditions where hasName {
            if condition.property.isEmpty {
                fault(prefix + "name", "in_app.fault.property")
            } else if condition.test.needsValue, condition.value.isEmpty {
                fault(prefix + "name", "fault.attribute_value", ["name": condition.property])
            }
        }
        return InAppTrigger(
            kind: trigger.kind,
            name: hasName ? trigger.name : "",
            conditions: hasName ? trigger.conditions : []
        )
    }
}
