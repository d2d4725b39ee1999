import WebPages

/// The keys of the REST API.
struct KeysPage {
    struct Key {
        let name: String
        let permissions: [String]
        let addresses: String
        let created: Moment
        let used: Moment?
        let revokeQuestion: String
    }

    /// The permissions of one area, such as those that begin with `users.`.
    struct Group {
        let name: String
        let permissions: [SettingsChoice]
        let isOpen: Bool
    }

    /// The permission that stands for all.
    private static let all = "*"

    let keys: [Key]
    let isEmpty: Bool
    let groups: [Group]
    let isAllChosen: Bool
    let permissionsFault: String?
    let name: SettingsField
    let addresses: SettingsField
    let secret: String?
    let action: String
    let revokeAction: String
    let isAdding: Bool

    init(
        _ keys: [APIKeyRow],
        permissions: [String],
        secret: String?,
        rejected: SettingsRejected?,
        visit: Visit
    ) {
        self.keys = keys.map { key in
            Key(
                name: key.name,
                permissions: key.permissions.map { $0 == Self.all ? visit.words("keys.all") : $0 },
                addresses: key.addresses.isEmpty
                    ? visit.words("keys.everywhere") : key.addresses.joined(separator: ", "),
                created: visit.moment(key.createdAt),
                used: key.lastUsedAt.map(visit.moment),
                revokeQuestion: visit.words("keys.revoke_confirm", ["name": key.name])
            )
        }
        isEmpty = keys.isEmpty
        let chosen = Set(rejected == nil ? [] : visit.form.all("permission"))
        let areas = Dictionary(grouping: permissions.filter { $0 != Self.all }) { permission in
            String(permission.prefix { $0 != "." })
        }
        groups = areas.sorted { $0.key < $1.key }.map { area, permissions in
            Group(
                name: area,
                permissions: permissions.sorted().map {
                    SettingsChoice(value: $0, label: $0, isChosen: chosen.contains($0))
                },
                isOpen: !chosen.isDisjoint(with: permissions)
            )
        }
        isAllChosen = chosen.contains(Self.all)
        permissionsFault = rejected?.field == "permissions" ? rejected?.text : nil
        name = SettingsField("name", visit, rejected)
        addresses = SettingsField("addresses", visit, rejected)
        self.secret = secret
        action = ConsolePath.apiKeys.path
        revokeAction = ConsolePath.revokeAPIKey.path
        isAdding = isEmpty || rejected != nil
    }
}
