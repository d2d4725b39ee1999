import Foundation
import Model
import NoroshiWire
import WebPages

extension InAppForm.Content {
    init(_ prefix: String, _ fields: FormFields) {
        id = fields.trimmed(prefix + "id")
        weight = fields.trimmed(prefix + "weight")
        kind = InAppMessage.Kind(rawValue: fields[prefix + "kind"]) ?? .modal
        header = fields[prefix + "header"]
        text = fields[prefix + "text"]
        image = fields.trimmed(prefix + "image")
        imageAlt = fields.trimmed(prefix + "imageAlt")
        language = fields.trimmed(prefix + "language")
        slidesFromTop = fields[prefix + "slideFrom"] == "top"
        for choice in InAppChoice.all {
            let value = fields[prefix + choice.name]
            if value != choice.unstated, choice.values.contains(value) {
                choices[choice.name] = value
            }
        }
        closesAfter = fields.trimmed(prefix + "closesAfter")
        click = InAppForm.Click(prefix + "body.", fields)
        buttons = buttons.enumerated().map { index, button in
            let prefix = "\(prefix)b\(index)."
            var button = button
            if fields.has(prefix + "id") {
                button.id = fields.trimmed(prefix + "id")
            }
            button.text = fields.trimmed(prefix + "text")
            button.click = InAppForm.Click(prefix, fields)
            button.colors = Self.colors(prefix, InAppForm.buttonSlots, fields)
            return button
        }
        colors = InAppForm.Colors(
            light: Self.colors(prefix + "light.", InAppForm.Colors.slots, fields),
            dark: Self.colors(prefix + "dark.", InAppForm.Colors.slots, fields)
        )
        translations = InAppTranslation.read(fields, prefix, buttons: buttons.map(\.id))
    }

    private static func colors(
        _ prefix: String,
        _ slots: [String],
        _ fields: FormFields
    ) -> [String: String] {
        slots.reduce(into: [:]) { colors, slot in
            let color = fields.trimmed(prefix + slot + "Color")
            if !color.isEmpty { colors[slot] = color }
        }
    }

    init(_ message: InAppMessage) {
        kind = message.kind
        header = (message.header ?? "").inOneLine
        text = message.message.withLineFeeds
        image = message.imageURL ?? ""
        imageAlt = message.imageAltText ?? ""
        language = message.language ?? ""
        slidesFromTop = message.slideFrom == .top
        for choice in InAppChoice.all {
            let value = choice.value(in: message)
            if value != choice.unstated { choices[choice.name] = value }
        }
        closesAfter = message.closesAfterSeconds.map { InAppForm.text($0) } ?? ""
        click = InAppForm.Click(message.clickAction ?? .none)
        for (index, button) in (message.buttons ?? []).prefix(InAppForm.buttonCount).enumerated() {
            buttons[index] = InAppForm.Button(
                id: button.id,
                text: button.text,
                click: InAppForm.Click(button.clickAction),
                colors: button.colors ?? [:]
            )
        }
        colors = InAppForm.Colors(
            light: message.themes?["light"] ?? [:],
            dark: message.themes?["dark"] ?? [:]
        )
        translations = (message.translations ?? [:]).compactMapValues(\.filled)
    }
}

extension InAppForm.Click {
    init(_ prefix: String, _ fields: FormFields) {
        kind = InAppForm.ClickKind(rawValue: fields.trimmed(prefix + "action")) ?? .close
        url = fields.trimmed(prefix + "url")
        isInside = fields.trimmed(prefix + "inside") == "yes"
        event = fields.trimmed(prefix + "event")
        key = fields.trimmed(prefix + "key")
        value = fields.trimmed(prefix + "value")
    }

    init(_ action: InAppMessage.ClickAction) {
        switch action {
        case .none: kind = .close
        case .url(let address, let isInside):
            (kind, url, self.isInside) = (.url, address, isInside)
        case .event(let name): (kind, event) = (.event, name)
        case .attribute(let name, let json):
            (kind, key, value) = (.attribute, name, ParsedLiteral(json: json).text)
        case .requestPushPermission: kind = .pushPermission
        }
    }
}

extension InAppForm.Trigger {
    init(_ trigger: InAppMessageRules.Trigger) {
        switch trigger {
        case .sessionStart: self.init(kind: .sessionStart)
        case .pushOpen: self.init(kind: .pushOpen)
        case .event(let name, let filters):
            self.init(
                kind: .event,
                name: name,
                conditions: filters.map(InAppForm.Condition.init)
            )
        case .purchase(let product, let filters):
            self.init(
                kind: .purchase,
                name: product ?? "",
                conditions: filters.map(InAppForm.Condition.init)
            )
        }
    }
}

extension InAppForm.Condition {
    init(_ filter: InAppMessageRules.PropertyFilter) {
        self.init(
            property: filter.property,
            test: filter.comparison,
            value: filter.value.map { ParsedLiteral(json: $0).text } ?? ""
        )
    }
}
