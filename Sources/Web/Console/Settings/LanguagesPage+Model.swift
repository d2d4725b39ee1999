import Audience
import Foundation
import Model
import WebPages

/// Users by the language of their devices.
enum LanguageGroup {
    /// A language by its ISO 639 code.
    case language(String)
    case others([String]), unknown

    /// The languages of the workspace, or otherwise the console's.
    static func all(_ workspace: WorkspaceSettings) -> [LanguageGroup] {
        var codes = workspace.languages
        if codes.isEmpty { codes = Language.allCases.map { String($0.rawValue.prefix(2)) } }
        return codes.map { .language($0) } + [.others(codes), .unknown]
    }

    /// Profiles store the code alone; the SDK of older versions sends `pt-BR` or `pt_PT`.
    private static func condition(_ code: String) -> String {
        "(language = \"\(code)\" or language starts with \"\(code)-\" "
            + "or language starts with \"\(code)_\")"
    }

    /// In the segment language.
    var condition: String {
        switch self {
        case .language(let language): Self.condition(language)
        case .others(let codes):
            "language exists and not (" + codes.map(Self.condition).joined(separator: " or ") + ")"
        case .unknown: "language not exists"
        }
    }
}

/// The console's languages, and those of the users.
struct LanguagesPage {
    struct Row {
        let name: String
        let tag: String?
        let users: String
        let devices: String
        let pushAddress: String

        init(_ group: LanguageGroup, found: SegmentInspector.Finding?, context: ConsoleContext) {
            switch group {
            case .language(let code):
                name = LanguageTabs.name(of: code)
                tag = code
            case .others:
                name = context.words("languages.others")
                tag = nil
            case .unknown:
                name = context.words("languages.unknown")
                tag = nil
            }
            users = found.map { context.words.number($0.users) } ?? "–"
            devices = found.map { context.words.number($0.deviceCount) } ?? "–"
            pushAddress = ConsolePath.newPush.query(
                FormFields([("audience", "filter"), ("filter", group.condition)])
            )
        }
    }

    let rows: [Row]
    let choices: [LanguageMenu.Choice]
    let action: String
    let here: String

    init(rows: [Row], context: ConsoleContext) {
        self.rows = rows
        choices = LanguageMenu(current: context.words.language, back: context.address).choices
        action = ConsolePath.language.path
        here = ConsolePath.languages.path
    }
}
