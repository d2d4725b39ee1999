import Model
import WebPages

extension UserQuery {
    init(fields: FormFields) {
        self.init()
        text = fields["text"]
        page = ListPage(named: fields["page"], size: page.size)
    }
}

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

        init(_ user: UserRow, visit: Visit) {
            address = ConsolePath.user(String(user.id)).path
            isAnonymous = user.externalID == nil
            title = user.externalID ?? visit.words("users.anonymous", ["id": String(user.id)])
            name = user.name
            email = user.email
            devices = visit.words.number(user.devices)
            isReachable = user.reachableDevices > 0
            reachable = visit.words(isReachable ? "users.reachable" : "users.unreachable")
            seen = user.lastSeenAt.map(visit.moment)
            created = visit.moment(user.createdAt)
        }
    }

    let rows: [Row]
    let isEmpty: Bool
    let isUnfiltered: Bool
    let text: String
    let action: String
    let pager: Pager

    init(_ list: UserList, query: UserQuery, visit: Visit) {
        rows = list.rows.map { Row($0, visit: visit) }
        isEmpty = rows.isEmpty
        isUnfiltered = query.text.isEmpty && query.page.isFirst
        text = query.text
        action = ConsolePath.users.path
        pager = Pager(
            path: .users,
            fields: visit.query.setting("page", to: ""),
            page: query.page,
            shown: rows.count,
            total: list.total,
            hasMore: list.hasMore,
            words: visit.words
        )
    }
}
