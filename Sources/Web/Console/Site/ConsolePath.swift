import WebPages

/// Every address of the console; the router, the pages and the tests use the same ones.
///
/// Cases with a text take the value of the place, or `:name` in the router.
package enum ConsolePath: Sendable, Hashable {
    case overview
    case login, logout, language
    case pushHistory, newPush, reviewPush, sendPush, previewPush, pushReach, pushChanges
    case push(String), cancelPush(String), duplicatePush(String)
    case userChoices

    package static let root = "/console"

    package var path: String { Self.root + tail }

    private var tail: String {
        switch self {
        case .overview: ""
        case .login: "/login"
        case .logout: "/logout"
        case .language: "/language"
        case .pushHistory: "/push"
        case .newPush: "/push/new"
        case .reviewPush: "/push/review"
        case .sendPush: "/push/send"
        case .previewPush: "/push/preview"
        case .pushReach: "/push/reach"
        case .pushChanges: "/push/changes"
        case .push(let number): "/push/\(number)"
        case .cancelPush(let number): "/push/\(number)/cancel"
        case .duplicatePush(let number): "/push/\(number)/duplicate"
        case .userChoices: "/users/choices"
        }
    }

    package static func push(_ number: Int64) -> ConsolePath { .push(String(number)) }

    package func query(_ fields: FormFields) -> String {
        let query = fields.urlEncoded
        return query.isEmpty ? path : path + "?" + query
    }
}
