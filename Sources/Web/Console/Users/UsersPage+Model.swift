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

        init(_ user: UserSummary, visit: Visit) {
            let profile = user.profile
            address = ConsolePath.user("\(profile.id)").path
            isAnonymous = profile.externalID == nil
            title = profile.externalID ?? visit.words("users.anonymous", ["id": "\(profile.id)"])
            name = user.name
            email = profile.standard[.email]?.stringValue ?? ""
            devices = visit.words.number(user.devices.count)
            isReachable = user.reachableDevices > 0
            reachable = visit.words(isReachable ? "users.reachable" : "users.unreachable")
            seen = profile.lastSessionAt.map(visit.moment)
            created = visit.moment(profile.createdAt)
        }
    }

    let rows: [Row]
    let isEmpty: Bool
    let isUnfiltered: Bool
    let text: String
    let action: String
    let pager: Pager

    /// - Parameter text: The search text.
    init(_ list: UserDirectory.List, text: String, page: ListPage, visit: Visit) {
        rows = list.users.map { Row($0, visit: visit) }
        isEmpty = rows.isEmpty
        isUnfiltered = text.isEmpty && page.isFirst
        self.text = text
        action = ConsolePath.users.path
        pager = Pager(
            path: .users,
            fields: visit.query.setting("page", to: ""),
            page: page,
            shown: rows.count,
            total: list.total,
            hasMore: list.hasMore,
            words: visit.words
        )
    }
}
