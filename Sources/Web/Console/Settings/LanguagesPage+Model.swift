import WebPages

/// Users by the language of their devices.
enum LanguageGroup {
    case language(Language)
    case others, unknown

    static let all = Language.allCases.map { LanguageGroup.language($0) } + [.others, .unknown]

    /// A device says `pt`, `pt-BR` or `pt_PT`.
    private static func condition(_ language: Language) -> String {
        "language starts with \"\(language.rawValue.prefix(2))\""
    }

    /// In the language of segments.
    var condition: String {
        switch self {
        case .language(let language): Self.condition(language)
        case .others:
            "language exists and not ("
                + Language.allCases.map(Self.condition).joined(separator: " or ") + ")"
        case .unknown: "language not exists"
        }
    }
}

/// The console's languages, and those that users read.
struct LanguagesPage {
    struct Row {
        let name: String
        let tag: String?
        let users: String
        let devices: String
        let pushAddress: String

        init(_ group: LanguageGroup, reach: AudienceReach?, visit: Visit) {
            switch group {
            case .language(let language):
                name = language.ownName
                tag = language.rawValue
            case .others:
                name = visit.words("languages.others")
                tag = nil
            case .unknown:
                name = visit.words("languages.unknown")
                tag = nil
            }
            users = reach.map { visit.words.number($0.users) } ?? "–"
            devices = reach.map { visit.words.number($0.devices) } ?? "–"
            pushAddress = ConsolePath.newPush.query(
                FormFields([("audience", "filter"), ("filter", group.condition)])
            )
        }
    }

    let rows: [Row]
    let choices: [LanguageChoice]
    let action: String
    let here: String

    init(rows: [Row], visit: Visit) {
        self.rows = rows
        choices = LanguageChoice.all(current: visit.words.language)
        action = ConsolePath.language.path
        here = ConsolePath.languages.path
    }
}
