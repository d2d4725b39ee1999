import WebPages

/// Every address of the console; the router, the pages and the tests use the same ones.
///
/// Cases with a text take the value of the place, or `:name` in the router.
package enum ConsolePath: Sendable, Hashable {
    case overview
    case login, logout, language
    case pushHistory, exportPushes, newPush, reviewPush, sendPush, previewPush, pushReach,
        pushChanges
    case push(String), cancelPush(String), duplicatePush(String)
    case users, userChoices, user(String)
    case news, newNews, newsItem(String), deleteNews(String)
    case events, attributes, blockName
    case segments, newSegment, probeSegment, explainSegment,
        segment(String), deleteSegment(String)
    case settings, apps, appCredentials(String), testCredentials(String), apiKeys, revokeAPIKey,
        team, auditLog
    case palette

    package static let root = "/console"

    package var path: String { Self.root + tail }

    private var tail: String {
        switch self {
        case .overview: ""
        case .login: "/login"
        case .logout: "/logout"
        case .language: "/language"
        case .pushHistory: "/push"
        case .exportPushes: "/push/export.csv"
        case .newPush: "/push/new"
        case .reviewPush: "/push/review"
        case .sendPush: "/push/send"
        case .previewPush: "/push/preview"
        case .pushReach: "/push/reach"
        case .pushChanges: "/push/changes"
        case .push(let number): "/push/\(number)"
        case .cancelPush(let number): "/push/\(number)/cancel"
        case .duplicatePush(let number): "/push/\(number)/duplicate"
        case .users: "/users"
        case .userChoices: "/users/choices"
        case .user(let id): "/users/\(id)"
        case .news: "/news"
        case .newNews: "/news/new"
        case .newsItem(let id): "/news/\(id)"
        case .deleteNews(let id): "/news/\(id)/delete"
        case .events: "/events"
        case .attributes: "/attributes"
        case .blockName: "/events/block"
        case .segments: "/segments"
        case .newSegment: "/segments/new"
        case .probeSegment: "/segments/probe"
        case .explainSegment: "/segments/explain"
        case .segment(let id): "/segments/\(id)"
        case .deleteSegment(let id): "/segments/\(id)/delete"
        case .settings: "/settings"
        case .apps: "/settings/apps"
        case .appCredentials(let id): "/settings/apps/\(id)/credentials"
        case .testCredentials(let id): "/settings/apps/\(id)/test"
        case .apiKeys: "/settings/keys"
        case .revokeAPIKey: "/settings/keys/revoke"
        case .team: "/settings/team"
        case .auditLog: "/settings/audit"
        case .palette: "/palette"
        }
    }

    package static func push(_ number: Int64) -> ConsolePath { .push(String(number)) }

    package func query(_ fields: FormFields) -> String {
        let query = fields.urlEncoded
        return query.isEmpty ? path : path + "?" + query
    }
}
