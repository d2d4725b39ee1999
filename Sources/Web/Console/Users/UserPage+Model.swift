import Foundation
import WebPages

/// One user's profile.
struct UserPage {
    struct Device {
        let model: String
        let system: String
        let app: String
        let push: String
        let tone: String
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

    init(_ profile: UserProfile, hasWhy: Bool, visit: Visit) {
        let words = visit.words
        user = UsersPage.Row(profile.row, visit: visit)
        name = profile.row.name.isEmpty ? nil : profile.row.name
        title = profile.row.name.isEmpty ? user.title : profile.row.name
        initial = title.first.map { String($0).uppercased() } ?? "?"
        aliases = profile.aliases
        hasAliases = !aliases.isEmpty
        standardAttributes = profile.standardAttributes
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
                seen: $0.lastSeenAt.map(visit.moment)
            )
        }
        hasDevices = !devices.isEmpty
        timelineAddress = ConsolePath.userTimeline(String(profile.row.id))
            .query(FormFields([]).setting("before", to: visit.query["before"]))
        usersAddress = ConsolePath.users.path
        let identity = profile.row.externalID ?? profile.aliases.first?.value ?? ""
        whyAddress =
            hasWhy ? ConsolePath.why.query(FormFields([("user", identity)])) : nil
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
