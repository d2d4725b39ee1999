import Hummingbird
import WebPages

/// The pages of the settings, in order.
enum SettingsTab: CaseIterable {
    case workspace, apps, sdkAuthentication, keys, facts, team, limits, languages, audit, system

    var path: ConsolePath {
        switch self {
        case .workspace: .workspace
        case .apps: .apps
        case .sdkAuthentication: .sdkAuthentication
        case .keys: .apiKeys
        case .facts: .facts
        case .team: .team
        case .limits: .limits
        case .languages: .languages
        case .audit: .auditLog
        case .system: .system
        }
    }

    var wordKey: String {
        switch self {
        case .workspace: "settings.workspace"
        case .apps: "settings.apps"
        case .sdkAuthentication: "settings.sdk_authentication"
        case .keys: "settings.keys"
        case .facts: "settings.facts"
        case .team: "settings.team"
        case .limits: "settings.limits"
        case .languages: "settings.languages"
        case .audit: "settings.audit"
        case .system: "settings.system"
        }
    }
}

/// One page of the settings, with the tabs.
struct SettingsPage<Content> {
    struct Tab {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let tabs: [Tab]
    let content: Content
}

extension ConsoleRenderer {
    /// One page of the settings, with the tabs.
    func settingsPage<Content>(
        _ template: String,
        _ tab: SettingsTab,
        _ visit: Visit,
        _ content: Content,
        isWrong: Bool = false
    ) throws -> Response {
        let tabs = SettingsTab.allCases.map { other in
            SettingsPage<Content>.Tab(
                label: visit.words(other.wordKey),
                address: other.path.path,
                isCurrent: other == tab
            )
        }
        return try page(
            template,
            SettingsPage(tabs: tabs, content: content),
            title: visit.words(tab.wordKey),
            place: .settings,
            visit: visit,
            status: isWrong ? .unprocessableContent : .ok
        )
    }
}
