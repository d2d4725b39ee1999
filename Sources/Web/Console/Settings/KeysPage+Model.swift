import Foundation
import Model
import WebPages

/// The keys of the REST API.
struct KeysPage {
    struct Key {
        let name: String
        let permissions: [String]
        let addresses: String
        let created: Moment
        let used: Moment?
        /// Its last day; where the workspace has changed its time zone since, the moment of its end.
        let lastDay: String?
        let isExpired: Bool
        let expiresSoon: Bool
        let revokeQuestion: String
    }

    /// The permissions of one area, such as those that begin with `users.`.
    struct Group {
        let name: String
        let permissions: [SettingsChoice]
        let isOpen: Bool
    }

    /// For how long before its end a key is marked, in seconds.
    private static let soon = 14.0 * 86_400

    /// The permission that includes all others.
    static let all = "*"

    let keys: [Key]
    let isEmpty: Bool
    let groups: [Group]
    let isAllChosen: Bool
    let permissionsFault: String?
    let name: SettingsField
    let addresses: SettingsField
    let until: SettingsField
    /// The first day that may be chosen.
    let today: String
    let secret: String?
    let action: String
    let revokeAction: String
    let isAdding: Bool

    init(
        _ keys: [APIKey],
        permissions: [String],
        secret: String?,
        faults: [FormFieldError],
        context: ConsoleContext
    ) {
        self.keys = keys.map { key in
            Key(
                name: key.name,
                permissions: key.permissions.sorted().map {
                    $0 == Self.all ? context.words("keys.all") : $0
                },
                addresses: key.allowedAddresses.isEmpty
                    ? context.words("keys.everywhere")
                    : key.allowedAddresses.map(\.description).joined(separator: ", "),
                created: context.moment(key.createdAt),
                used: key.lastUsedAt.map(context.moment),
                lastDay: key.expiresAt.map { end in
                    LocalDays(context.zone).isStart(end)
                        ? context.words.dayOfYear(end.addingTimeInterval(-1), in: context.zone)
                        : context.moment(end).exact
                },
                isExpired: key.isExpired(at: context.now),
                expiresSoon: !key.isExpired(at: context.now)
                    && key.isExpired(at: context.now.addingTimeInterval(Self.soon)),
                revokeQuestion: context.words("keys.revoke_confirm", ["name": key.name])
            )
        }
        isEmpty = keys.isEmpty
        let chosen = Set(faults.isEmpty ? [] : context.form.all("permission"))
        let areas = Dictionary(grouping: permissions) { permission in
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
        permissionsFault = faults.first { $0.field == "permissions" }?.text
        name = SettingsField("name", context, faults)
        addresses = SettingsField("addresses", context, faults)
        until = SettingsField("until", context, faults)
        today = LocalDays(context.zone).name(of: context.now)
        self.secret = secret
        action = ConsolePath.apiKeys.path
        revokeAction = ConsolePath.revokeAPIKey.path
        isAdding = isEmpty || !faults.isEmpty
    }
}
