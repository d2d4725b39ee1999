import Foundation
import Model
import NoroshiWire
import WebPages

/// What an in-app message says in other languages, drawn: a tab for each language of the workspace,
/// and for others that the message has.
struct InAppLanguages {
    struct Panel {
        let language: String
        let languageName: String
        /// What the names of its fields begin with.
        let languagePrefix: String
        let languageHeader: String
        let languageText: String
        let languageImageAlt: String
        let languageButtons: [Label]
    }

    /// The label of a button.
    struct Label {
        let labelName: String
        let label: String
        let labelText: String
    }

    let kindName: String
    let languageTabs: LanguageTabs
    let inAppPanels: [Panel]

    init(_ content: InAppForm.Content, prefix: String, context: ConsoleContext) {
        kindName = prefix + "kind"
        languageTabs = LanguageTabs(
            content.translations.mapValues { _ in PushTranslation(body: " ") },
            prefix: prefix,
            context: context
        )
        inAppPanels = languageTabs.panels.map { panel in
            let texts = content.translations[panel.language] ?? InAppTranslation()
            return Panel(
                language: panel.language,
                languageName: panel.languageName,
                languagePrefix: panel.languagePrefix,
                languageHeader: texts.header ?? "",
                languageText: texts.message ?? "",
                languageImageAlt: texts.imageAltText ?? "",
                languageButtons: content.buttons.enumerated().map { index, button in
                    Label(
                        labelName: "\(panel.languagePrefix)b\(index)",
                        label: "\(context.words("in_app.button_text")) \(index + 1)",
                        labelText: texts.buttons?[button.id] ?? ""
                    )
                }
            )
        }
    }
}

extension InAppTranslation {
    /// The texts that are there, as their fields show them; `nil` for none.
    var filled: InAppTranslation? {
        func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        let labels = (buttons ?? [:]).filter { !$0.value.isEmpty }
        let texts = InAppTranslation(
            header: filled(header?.inOneLine),
            message: filled(message?.withLineFeeds),
            imageAltText: filled(imageAltText),
            buttons: labels.isEmpty ? nil : labels
        )
        return texts == InAppTranslation() ? nil : texts
    }

    /// With the own ends of lines of stored texts that were not changed.
    func written(over stored: InAppTranslation?) -> InAppTranslation {
        guard let stored else { return self }
        var texts = self
        texts.header = header?.written(over: stored.header ?? "")
        texts.message = message?.written(over: stored.message ?? "")
        return texts
    }

    /// - Parameters:
    ///   - prefix: What the names of the message's fields begin with.
    ///   - buttons: The identifiers of its buttons, in order.
    static func read(
        _ fields: FormFields,
        _ prefix: String,
        buttons: [String]
    ) -> [String: InAppTranslation] {
        let start = prefix + "lang."
        let languages = Set(
            fields.entries.compactMap { name, value -> String? in
                guard !value.isEmpty, name.hasPrefix(start) else { return nil }
                let code = String(name.dropFirst(start.count).prefix { $0 != "." })
                return MessageLanguage.isCode(code) ? code : nil
            }
        )
        var found: [String: InAppTranslation] = [:]
        for language in languages {
            func text(_ name: String) -> String {
                fields["\(start)\(language).\(name)"]
            }
            found[language] =
                InAppTranslation(
                    header: text("header"),
                    message: text("text"),
                    imageAltText: text("imageAlt"),
                    buttons: Dictionary(
                        buttons.enumerated().map { ($1, text("b\($0)")) },
                        uniquingKeysWith: { first, _ in first }
                    )
                ).filled
        }
        return found
    }
}
