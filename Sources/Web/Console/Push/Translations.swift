import Foundation
import Model
import WebPages

/// The texts of a message in other languages, as the fields of a form: `lang.ja.title` and so on.
enum TranslationFields {
    private static let start = "lang."

    /// - Parameter prefix: What the names of the message's fields begin with.
    static func read(_ fields: FormFields, prefix: String = "") -> [String: PushTranslation] {
        var found: [String: PushTranslation] = [:]
        for (name, value) in fields.entries where name.hasPrefix(prefix + start) && !value.isEmpty {
            let parts = name.dropFirst((prefix + start).count).split(separator: ".")
            guard parts.count == 2, MessageLanguage.isCode(String(parts[0])) else { continue }
            switch parts[1] {
            case "title": found[String(parts[0]), default: .init()].title = value
            case "subtitle": found[String(parts[0]), default: .init()].subtitle = value
            case "message":
                found[String(parts[0]), default: .init()].body = value
            default: break
            }
        }
        return found
    }

    /// The name of the field of a translated text; `nil` for other fields.
    static func name(of field: FieldPath.Message) -> String? {
        switch field {
        case .translatedTitle(let language): "\(start)\(language).title"
        case .translatedSubtitle(let language): "\(start)\(language).subtitle"
        case .translatedBody(let language): "\(start)\(language).message"
        default: nil
        }
    }
}

/// The texts of a message in other languages, drawn: a tab for each language of the workspace, and
/// for others that the message has.
struct LanguageTabs {
    struct Tab {
        let tabValue: String
        let tabName: String
        let isFilled: Bool
        let isFirst: Bool
    }

    struct Panel {
        let language: String
        let languageName: String
        /// What the names of its fields begin with.
        let languagePrefix: String
        let languageTitle: String
        let languageSubtitle: String
        let languageMessage: String
    }

    /// The choice of what is shown; it is no part of the message.
    let chooserName: String
    let tabs: [Tab]
    let panels: [Panel]
    let hasLanguages: Bool
    let languagesAddress = ConsolePath.workspace.path

    init(
        _ translations: [String: PushTranslation],
        prefix: String = "",
        context: ConsoleContext
    ) {
        let languages = Self.languages(translations.keys, context)
        hasLanguages = !languages.isEmpty
        chooserName = prefix + "shownLanguage"
        tabs =
            [
                Tab(
                    tabValue: "",
                    tabName: context.words("compose.default_language"),
                    isFilled: false,
                    isFirst: true
                )
            ]
            + languages.map {
                Tab(
                    tabValue: $0,
                    tabName: Self.name(of: $0),
                    isFilled: translations[$0] != nil,
                    isFirst: false
                )
            }
        panels = languages.map { language in
            let texts = translations[language] ?? PushTranslation()
            return Panel(
                language: language,
                languageName: Self.name(of: language),
                languagePrefix: "\(prefix)lang.\(language).",
                languageTitle: texts.title,
                languageSubtitle: texts.subtitle,
                languageMessage: texts.body
            )
        }
    }

    /// The languages of the workspace, then those that only the message has.
    static func languages(_ used: some Collection<String>, _ context: ConsoleContext) -> [String] {
        let known = context.home.languages
        return known + used.filter { !known.contains($0) }.sorted()
    }

    /// A language's own name, as it begins a line.
    static func name(of code: String) -> String {
        let name = Locale(identifier: code).localizedString(forLanguageCode: code) ?? code
        return name.prefix(1).uppercased(with: Locale(identifier: code)) + name.dropFirst()
    }
}
