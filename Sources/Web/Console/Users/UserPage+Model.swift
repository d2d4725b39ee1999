import Foundation
import Model
import WebPages

/// One user's profile.
struct UserPage {
    struct Device {
        let model: String
        let system: String
        let app: String
        let push: String
        let tone: String
        let unproved: String?
        let seen: Moment?
    }

    let title: String
    let name: String?
    let user: UsersPage.Row
    let initial: String
    let aliases: [AttributeValue]
    let hasAliases: Bool
    let standardAttributes: [AttributeValue]
    let hasStandard: Bool
    let customAttributes: [AttributeValue]
    let hasCustom: Bool
    let devices: [Device]
    let hasDevices: Bool
    let timelineAddress: String
    let pushAddress: String?
    let usersAddress: String
    let whyAddress: String?

    /// What people call the attributes that most users have; the others keep their own names.
    private static let attributeNames = [
        "first_name": "users.attribute.first_name", "last_name": "users.attribute.last_name",
        "email": "users.email", "phone": "users.attribute.phone",
        "country": "users.attribute.country", "language": "users.attribute.language",
        "time_zone": "users.attribute.time_zone", "gender": "users.attribute.gender",
        "dob": "users.attribute.dob", "home_city": "users.attribute.home_city",
        "push_subscribe": "users.attribute.push_subscribe",
        "email_subscribe": "users.attribute.email_subscribe",
    ]

    init(_ profile: UserProfile, visit: Visit) {
        let words = visit.words
        user = UsersPage.Row(profile.row, visit: visit)
        name = profile.row.name.isEmpty ? nil : profile.row.name
        title = profile.row.name.isEmpty ? user.title : profile.row.name
        initial = title.first.map { String($0).uppercased() } ?? "?"
        aliases = profile.aliases
        hasAliases = !aliases.isEmpty
        standardAttributes = profile.standardAttributes.map {
            AttributeValue(
                name: Self.attributeNames[$0.name].map { words($0) } ?? $0.name,
                value: $0.value
            )
        }
        hasStandard = !standardAttributes.isEmpty
        customAttributes = profile.customAttributes
        hasCustom = !customAttributes.isEmpty
        devices = profile.devices.map {
            Device(
                model: $0.model,
                system: $0.system,
                app: "\($0.app) \($0.appVersion)",
                push: words($0.push.wordKey),
                tone: $0.push.tone,
                unproved: $0.isUnproved ? words("users.unproved_help") : nil,
                seen: $0.lastSeenAt.map(visit.moment)
            )
        }
        hasDevices = !devices.isEmpty
        timelineAddress = ConsolePath.userTimeline(String(profile.row.id))
            .query(FormFields([]).setting("before", to: visit.query["before"]))
        usersAddress = ConsolePath.users.path
        let identity = profile.row.externalID ?? profile.aliases.first?.value ?? ""
        whyAddress =
            ConsolePath.why.query(FormFields([("user", identity)]))
        pushAddress =
            visit.may(.marketer)
            ? profile.row.externalID.map { id in
                ConsolePath.newPush.query(FormFields([("audience", "user"), ("user", id)]))
            } : nil
    }
}

extension DevicePush {
    var wordKey: String {
        switch self {
        case .reachable: "users.push.reachable"
        case .silentOnly: "users.push.silent_only"
        case .unreachable: "users.push.unreachable"
        }
    }

    var tone: String {
        switch self {
        case .reachable: "good"
        case .silentOnly: "warn"
        case .unreachable: "quiet"
        }
    }
}

extension TimelineEntry.Kind {
    var wordKey: String {
        switch self {
        case .event: "timeline.event"
        case .purchase: "timeline.purchase"
        case .session: "timeline.session"
        case .attributes: "timeline.attributes"
        case .pushDelivered: "timeline.push_delivered"
        case .pushReceived: "timeline.push_received"
        case .pushOpened: "timeline.push_opened"
        case .pushDismissed: "timeline.push_dismissed"
        case .pushFailed: "timeline.push_failed"
        case .inAppShown: "timeline.in_app_shown"
        case .inAppClicked: "timeline.in_app_clicked"
        case .inAppDismissed: "timeline.in_app_dismissed"
        }
    }

    /// The class of the mark beside the line.
    var tone: String {
        switch self {
        case .pushOpened, .inAppClicked, .purchase: "strong"
        case .pushFailed: "bad"
        case .pushDelivered, .pushReceived, .pushDismissed, .inAppShown, .inAppDismissed: "sent"
        case .event, .session, .attributes: "plain"
        }
    }
}
