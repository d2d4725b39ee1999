import NoroshiWire

extension InAppMessage {
    /// Every text that users see or that a tap opens, in all languages.
    package var texts: [String] {
        var texts: [String] = []
        for language in [nil] + (translations ?? [:]).keys.sorted().map(Optional.some) {
            var probe = inLanguage(language)
            probe.changeTexts { _, text in texts.append(text) }
        }
        return texts
    }

    /// The message as users of a language get it.
    package func inLanguage(_ tag: String?) -> InAppMessage {
        guard let translations else { return self }
        var message = self
        message.translations = nil
        guard let language = MessageLanguage.chosen(for: tag, among: translations.keys),
            let own = translations[language]
        else { return message }
        // It is read aloud in the language that it is in.
        message.language = language
        if let text = own.message, !text.isEmpty { message.message = text }
        if let header = own.header, !header.isEmpty { message.header = header }
        if let text = own.imageAltText, !text.isEmpty { message.imageAltText = text }
        for index in (message.buttons ?? []).indices {
            guard let id = message.buttons?[index].id, let text = own.buttons?[id], !text.isEmpty
            else { continue }
            message.buttons?[index].text = text
        }
        return message
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
