import Foundation
import WebPages

extension InAppForm.Content {
    init(_ prefix: String, _ fields: FormFields) {
        func line(_ name: String) -> String {
            fields[prefix + name].trimmingCharacters(in: .whitespacesAndNewlines)
        }
        id = line("id")
        weight = line("weight")
        kind = InAppKind(rawValue: fields[prefix + "kind"]) ?? .modal
        header = fields[prefix + "header"]
        text = fields[prefix + "text"].replacingOccurrences(of: "\r\n", with: "\n")
        image = line("image")
        imageAlt = line("imageAlt")
        language = line("language")
        slidesFromTop = fields[prefix + "slideFrom"] == "top"
        orientation = InAppOrientation(rawValue: fields[prefix + "orientation"]) ?? .any
        closesAfter = line("closesAfter")
        click = InAppForm.Click(prefix + "body.", fields)
        buttons = buttons.enumerated().map { index, button in
            let prefix = "\(prefix)b\(index)."
            var button = button
            if fields.has(prefix + "id") {
                button.id = fields[prefix + "id"].trimmingCharacters(in: .whitespaces)
            }
            button.text = fields[prefix + "text"].trimmingCharacters(in: .whitespaces)
            button.click = InAppForm.Click(prefix, fields)
            button.colors = Self.colors(prefix, InAppForm.buttonSlots, fields)
            return button
        }
        colors = InAppColors(
            light: Self.colors(prefix + "light.", InAppColors.slots, fields),
            dark: Self.colors(prefix + "dark.", InAppColors.slots, fields)
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

    init(_ content: InAppContent, weight: Int) {
        id = content.id
        self.weight = String(weight)
        kind = content.kind
        header = content.header
        text = content.text
        image = content.imageURL
        imageAlt = content.imageAlt
        language = content.language
        slidesFromTop = content.slidesFromTop
        orientation = content.orientation
        closesAfter = content.closesAfterSeconds.map { InAppForm.text($0) } ?? ""
        click = InAppForm.Click(content.click)
        for (index, button) in content.buttons.prefix(InAppForm.buttonCount).enumerated() {
            buttons[index] = InAppForm.Button(
                id: button.id,
                text: button.text,
                click: InAppForm.Click(button.click),
                colors: button.colors
            )
        }
        colors = content.colors
    }
}

extension InAppForm.Click {
    init(_ prefix: String, _ fields: FormFields) {
        func line(_ name: String) -> String {
            fields[prefix + name].trimmingCharacters(in: .whitespaces)
        }
        kind = InAppForm.ClickKind(rawValue: line("action")) ?? .close
        url = line("url")
        isInside = line("inside") == "yes"
        event = line("event")
        key = line("key")
        value = line("value")
    }

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
