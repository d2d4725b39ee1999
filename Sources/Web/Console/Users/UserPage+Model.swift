import Foundation
import Model
import NoroshiWire
import Users
import WebPages

/// One user's profile.
struct UserPage {
    struct Attribute {
        let name: String
        let value: String
    }

    struct Installation {
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
    let aliases: [Attribute]
    let hasAliases: Bool
    let standardAttributes: [Attribute]
    let hasStandard: Bool
    let customAttributes: [Attribute]
    let hasCustom: Bool
    let devices: [Installation]
    let hasDevices: Bool
    let entries: [JourneyEntryPart]
    let hasEntries: Bool
    let timelineAddress: String
    let figuresAddress: String
    let pushAddress: String?
    let usersAddress: String
    let whyAddress: String?
    let segmentsAddress: String
    let deleteAddress: String?
    let deleteQuestion: String
    /// What the user's clocks show; `nil` where the time zone is unknown.
    let localTime: String?
    /// What the timeline can be narrowed to.
    let topics: [Topic]

    struct Topic {
        let topicName: String
        let topicAddress: String
        let isCurrent: Bool
    }

    /// The labels of common attributes; others keep their own names.
    private static let attributeNames = [
        "first_name": "users.attribute.first_name", "last_name": "users.attribute.last_name",
        "email": "users.email", "phone": "users.attribute.phone",
        "country": "users.attribute.country", "language": "users.attribute.language",
        "time_zone": "users.attribute.time_zone", "gender": "users.attribute.gender",
        "dob": "users.attribute.dob", "home_city": "users.attribute.home_city",
        "push_subscribe": "users.attribute.push_subscribe",
        "email_subscribe": "users.attribute.email_subscribe",
    ]

    static func label(of attribute: String, _ words: Words) -> String {
        attributeNames[attribute].map { words($0) } ?? attribute
    }

    static func title(_ user: UserSummary, _ visit: Visit) -> String {
        let row = UsersPage.Row(user, visit: visit)
        return row.name.isEmpty ? row.title : row.name
    }

    init(_ user: UserDetail, entries: [JourneyEntryPart], visit: Visit) {
        let words = visit.words
        self.entries = entries
        hasEntries = !entries.isEmpty
        let profile = user.summary.profile
        let row = UsersPage.Row(user.summary, visit: visit)
        self.user = row
        name = row.name.isEmpty ? nil : row.name
        title = name ?? row.title
        initial = title.first.map { String($0).uppercased() } ?? "?"
        let publicID = profile.publicID.uuidString.lowercased()
        aliases =
            [Attribute(name: "braze_id", value: publicID)]
            + user.aliases.map { Attribute(name: $0.label, value: $0.name) }
        hasAliases = !aliases.isEmpty
        standardAttributes = profile.standard.map { ($0.key.rawValue, $0.value) }
            .sorted { $0.0 < $1.0 }
            .map { name, value in
                Attribute(
                    name: Self.label(of: name, words),
                    value: value.shownText
                )
            }
        hasStandard = !standardAttributes.isEmpty
        customAttributes = profile.custom.sorted { $0.key < $1.key }
            .map { Attribute(name: $0.key, value: $0.value.shownText) }
        hasCustom = !customAttributes.isEmpty
        devices = user.summary.devices.map { device in
            Installation(
                model: device.model ?? device.platform,
                system: [device.platform, device.osVersion ?? ""]
                    .filter { !$0.isEmpty }.joined(separator: " "),
                app: "\(user.apps[device.app]?.name ?? "") \(device.appVersion ?? "")",
                push: words(device.pushReach.wordKey),
                tone: device.pushReach.tone,
                unproved: user.isUnproved(device) ? words("users.unproved_help") : nil,
                seen: visit.moment(device.updatedAt)
            )
        }
        hasDevices = !devices.isEmpty
        timelineAddress = ConsolePath.userTimeline("\(profile.id)")
            .query(
                FormFields([]).setting("before", to: visit.query["before"])
                    .setting("topic", to: visit.query["topic"])
            )
        figuresAddress = ConsolePath.userFigures("\(profile.id)").path
        usersAddress = ConsolePath.users.path
        let id = "\(profile.id)"
        segmentsAddress = ConsolePath.userSegments(id).path
        deleteAddress = visit.may(.administrator) ? ConsolePath.deleteUser(id).path : nil
        deleteQuestion = words("users.delete_confirm", ["name": title])
        let zone =
            (profile.standard[.timeZone]?.stringValue
            ?? user.summary.devices.compactMap(\.timeZone).first)
            .flatMap(TimeZone.init(identifier:))
        localTime = zone.map { "\(words.timeOfDay(visit.now, in: $0)) · \($0.identifier)" }
        let current = TimelineEntry.Topic(rawValue: visit.query["topic"])
        topics = ([nil] + TimelineEntry.Topic.allCases.map(Optional.some)).map { topic in
            Topic(
                topicName: words(topic?.wordKey ?? "users.topic_all"),
                topicAddress: ConsolePath.user(id).query(
                    FormFields([]).setting("topic", to: topic?.rawValue ?? "")
                ),
                isCurrent: topic == current
            )
        }
        let identity = profile.externalID ?? publicID
        whyAddress =
            ConsolePath.why.query(FormFields([("user", identity)]))
        pushAddress =
            visit.may(.marketer)
            ? profile.externalID.map { id in
                ConsolePath.newPush.query(FormFields([("audience", "user"), ("user", id)]))
            } : nil
    }
}

extension PushReach {
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

extension TimelineEntry.Topic {
    var wordKey: String {
        switch self {
        case .events: "nav.events"
        case .purchases: "users.topic_purchases"
        case .sessions: "users.topic_sessions"
        case .pushes: "users.topic_pushes"
        case .inApp: "nav.in_app"
        }
    }
}
