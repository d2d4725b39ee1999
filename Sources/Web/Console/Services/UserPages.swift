import Foundation
import Model

/// Finding users and reading their profiles.
package protocol UserPages: Sendable {
    func users(_ query: UserQuery, for member: ConsoleMember) async throws -> UserList
    func user(id: Int64, for member: ConsoleMember) async throws -> UserProfile?
    /// What happened to a user, newest first; `before` continues an earlier answer.
    func timeline(
        ofUser id: Int64,
        before: Date?,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> [TimelineEntry]
}

/// Which users a list shows.
package struct UserQuery: Sendable, Hashable {
    /// The beginning of an external id, name, e-mail address or phone number, or any identifier as
    /// a whole: alias, installation, push token; empty for all.
    package var text = ""
    package var page = ListPage(size: 25)

    package init() {}
}

/// One page of users.
package struct UserList: Sendable, Hashable {
    package var rows: [UserRow]
    /// How many there are on all pages; `nil` when counting them takes too long.
    package var total: Int?
    package var hasMore: Bool

    package init(rows: [UserRow], total: Int?, hasMore: Bool) {
        self.rows = rows
        self.total = total
        self.hasMore = hasMore
    }
}

/// A user as lists show it.
package struct UserRow: Sendable, Hashable {
    package var id: Int64
    /// `nil` for a user who has never logged in.
    package var externalID: String?
    /// First and last name; empty when unknown.
    package var name: String
    package var email: String
    package var devices: Int
    package var reachableDevices: Int
    package var createdAt: Date
    package var lastSeenAt: Date?

    package init(
        id: Int64,
        externalID: String?,
        name: String,
        email: String,
        devices: Int,
        reachableDevices: Int,
        createdAt: Date,
        lastSeenAt: Date?
    ) {
        self.id = id
        self.externalID = externalID
        self.name = name
        self.email = email
        self.devices = devices
        self.reachableDevices = reachableDevices
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
    }
}

/// Everything a profile's page shows beside the timeline.
package struct UserProfile: Sendable, Hashable {
    package var row: UserRow
    /// `label: name` pairs.
    package var aliases: [AttributeValue]
    package var standardAttributes: [AttributeValue]
    package var customAttributes: [AttributeValue]
    package var devices: [UserDevice]

    package init(
        row: UserRow,
        aliases: [AttributeValue],
        standardAttributes: [AttributeValue],
        customAttributes: [AttributeValue],
        devices: [UserDevice]
    ) {
        self.row = row
        self.aliases = aliases
        self.standardAttributes = standardAttributes
        self.customAttributes = customAttributes
        self.devices = devices
    }
}

/// An attribute and its value as text; JSON for lists and objects.
package struct AttributeValue: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// One installation of an app.
package struct UserDevice: Sendable, Hashable {
    package var model: String
    /// Such as `iOS 18.2`.
    package var system: String
    package var app: String
    package var appVersion: String
    package var push: DevicePush
    /// Whether the app requires a proof of who its user is that the device has never brought.
    package var isUnproved: Bool
    package var lastSeenAt: Date?

    package init(
        model: String,
        system: String,
        app: String,
        appVersion: String,
        push: DevicePush,
        isUnproved: Bool = false,
        lastSeenAt: Date?
    ) {
        self.model = model
        self.system = system
        self.app = app
        self.appVersion = appVersion
        self.push = push
        self.isUnproved = isUnproved
        self.lastSeenAt = lastSeenAt
    }
}

/// Whether pushes reach a device.
package enum DevicePush: String, Sendable, Hashable, CaseIterable {
    /// A token, and alerts are allowed.
    case reachable
    /// A token, but alerts are off: only background pushes.
    case silentOnly
    /// No token, or one that the push service has refused.
    case unreachable
}

/// One thing that happened to a user.
package struct TimelineEntry: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case event, purchase, session, attributes
        case pushDelivered, pushReceived, pushOpened, pushDismissed, pushFailed
        case inAppShown, inAppClicked, inAppDismissed
    }

    package var at: Date
    package var kind: Kind
    /// The event's name, the product or the push's title.
    package var name: String
    /// Properties or reasons; JSON for properties.
    package var detail: String
    /// The push it belongs to.
    package var pushNumber: Int64?

    package init(
        at: Date,
        kind: Kind,
        name: String,
        detail: String = "",
        pushNumber: Int64? = nil
    ) {
        self.at = at
        self.kind = kind
        self.name = name
        self.detail = detail
        self.pushNumber = pushNumber
    }
}
