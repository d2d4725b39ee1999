import NoroshiWire

extension InAppMessage {
    /// Every text that users see or that a tap opens.
    package var texts: [String] {
        var texts: [String] = []
        var probe = self
        probe.changeTexts { _, text in texts.append(text) }
        return texts
    }

    /// Hands over each text that people see or that a tap opens, with the name of its field.
    package mutating func changeTexts(_ change: (FieldPath.InApp.Content, inout String) -> Void) {
        change(.text, &message)
        Self.change(.header, &header, change)
        Self.change(.imageURL, &imageURL, change)
        Self.change(.imageAlt, &imageAltText, change)
        clickAction = clickAction.map { Self.changed($0, .clickURL, change) }
        for index in (buttons ?? []).indices {
            guard var button = buttons?[index] else { continue }
            change(.buttonText(index), &button.text)
            button.clickAction = Self.changed(
                button.clickAction,
                .buttonURL(index),
                change
            )
            buttons?[index] = button
        }
        guard var pairs = extras else { return }
        for key in pairs.keys.sorted() {
            Self.change(.extra(key), &pairs[key], change)
        }
        extras = pairs
    }

    private static func change(
        _ field: FieldPath.InApp.Content,
        _ text: inout String?,
        _ change: (FieldPath.InApp.Content, inout String) -> Void
    ) {
        guard var value = text else { return }
        change(field, &value)
        text = value
    }

    private static func changed(
        _ action: ClickAction,
        _ field: FieldPath.InApp.Content,
        _ change: (FieldPath.InApp.Content, inout String) -> Void
    ) -> ClickAction {
        guard case .url(var url, let useWebView) = action else { return action }
        change(field, &url)
        return .url(url, useWebView: useWebView)
    }
}
