import Hummingbird
import WebPages

/// The pages of the settings, in order.
enum SettingsTab: CaseIterable {
    case workspace, workspaces, apps, sdkAuthentication, keys, facts, team, singleSignOn, limits
    case languages, files, audit, system

    var path: ConsolePath {
        switch self {
        case .workspace: .workspace
        case .workspaces: .workspaces
        case .apps: .apps
        case .sdkAuthentication: .sdkAuthentication
        case .keys: .apiKeys
        case .facts: .facts
        case .team: .team
        case .singleSignOn: .singleSignOn
        case .limits: .limits
        case .languages: .languages
        case .files: .files
        case .audit: .auditLog
        case .system: .system
        }
    }

    var wordKey: String {
        switch self {
        case .workspace: "settings.workspace"
        case .workspaces: "settings.workspaces"
        case .apps: "settings.apps"
        case .sdkAuthentication: "settings.sdk_authentication"
        case .keys: "settings.keys"
        case .facts: "settings.facts"
        case .team: "settings.team"
        case .singleSignOn: "settings.single_sign_on"
        case .limits: "settings.limits"
        case .languages: "settings.languages"
        case .files: "files.title"
        case .audit: "settings.audit"
        case .system: "settings.system"
        }
    }
}

/// A link to a page of the settings.
struct SettingsTabLink {
    let label: String
    let address: String
    let isCurrent: Bool

    static func all(_ current: SettingsTab, _ words: Words) -> [SettingsTabLink] {
        SettingsTab.allCases.map { tab in
            SettingsTabLink(
                label: words(tab.wordKey),
                address: tab.path.path,
                isCurrent: tab == current
            )
        }
    }
}

/// One page of the settings, with the tabs.
struct SettingsPage<Content> {
    let tabs: [SettingsTabLink]
    let content: Content
}

extension ConsoleRenderer {
    /// One page of the settings, with the tabs.
    func settingsPage<Content>(
        _ template: String,
        _ tab: SettingsTab,
        _ context: ConsoleContext,
        _ content: Content,
        isWrong: Bool = false
    ) throws -> Response {
        try page(
            template,
            SettingsPage(tabs: SettingsTabLink.all(tab, context.words), content: content),
            title: context.words(tab.wordKey),
            place: .settings,
            context: context,
            status: isWrong ? .unprocessableContent : .ok
        )
    }
}
