import Model
import NoroshiWire
import Users
import WebPages

/// The list of users.
struct UsersPage {
    struct Row {
        let address: String
        let title: String
        let isAnonymous: Bool
        let name: String
        let email: String
        let devices: String
        let reachable: String
        let isReachable: Bool
        let seen: Moment?
        let created: Moment

        init(_ user: UserSummary, context: ConsoleContext) {
            let profile = user.profile
            address = ConsolePath.user("\(profile.id)").path
            isAnonymous = profile.externalID == nil
            title = profile.externalID ?? context.words("users.anonymous", ["id": "\(profile.id)"])
            name = user.name
            email = profile.standard[.email]?.stringValue ?? ""
            devices = context.words.number(user.devices.count)
            isReachable = user.reachableDevices > 0
            reachable = context.words(isReachable ? "users.reachable" : "users.unreachable")
            seen = profile.lastSessionAt.map(context.moment)
            created = context.moment(profile.createdAt)
        }
    }

    let rows: [Row]
    let isEmpty: Bool
    let isUnfiltered: Bool
    let text: String
    let action: String
    let pager: Pager

    /// - Parameter text: The search text.
    init(_ list: UserDirectory.List, text: String, page: ListPage, context: ConsoleContext) {
        rows = list.users.map { Row($0, context: context) }
        isEmpty = rows.isEmpty
        isUnfiltered = text.isEmpty && page.isFirst
        self.text = text
        action = ConsolePath.users.path
        pager = Pager(
            path: .users,
            fields: context.query.setting("page", to: ""),
            page: page,
            shown: rows.count,
            total: list.total,
            hasMore: list.hasMore,
            words: context.words
        )
    }
}
