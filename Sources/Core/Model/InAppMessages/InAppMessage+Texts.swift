import NoroshiWire

extension InAppMessage {
    /// Every text that users see or that a tap opens.
    package var texts: [String] {
        var texts: [String] = []
        var probe = self
        probe.changeTexts { _, text in texts.append(text) }
        return texts
    }

    /// Calls `change` for each text that users see or that a tap opens, with the name of its field.
    package mutating func changeTexts(_ change: (String, inout String) -> Void) {
        change("message.message", &message)
        Self.change("message.header", &header, change)
        Self.change("message.image_url", &imageURL, change)
        Self.change("message.image_alt", &imageAltText, change)
        clickAction = clickAction.map { Self.changed($0, "message.click_action", change) }
        for index in (buttons ?? []).indices {
            guard var button = buttons?[index] else { continue }
            change("message.buttons.\(index).text", &button.text)
            button.clickAction = Self.changed(
                button.clickAction,
                "message.buttons.\(index).click_action",
                change
            )
            buttons?[index] = button
        }
        guard var pairs = extras else { return }
        for key in pairs.keys.sorted() {
            Self.change("message.extras.\(key)", &pairs[key], change)
        }
        extras = pairs
    }

    private static func change(
        _ field: String,
        _ text: inout String?,
        _ change: (String, inout String) -> Void
    ) {
        guard var value = text else { return }
        change(field, &value)
        text = value
    }

    private static func changed(
        _ action: ClickAction,
        _ field: String,
        _ change: (String, inout String) -> Void
    ) -> ClickAction {
        guard case .url(var url, let useWebView) = action else { return action }
        change("\(field).url", &url)
        return .url(url, useWebView: useWebView)
    }
}
