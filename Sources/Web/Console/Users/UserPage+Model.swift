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
    let editAddress: String?
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
        "image_url": "users.attribute.image_url",
        "push_opted_in_at": "users.attribute.push_opted_in_at",
        "push_unsubscribed_at": "users.attribute.push_unsubscribed_at",
        "email_opted_in_at": "users.attribute.email_opted_in_at",
        "email_unsubscribed_at": "users.attribute.email_unsubscribed_at",
    ]

    static func label(of attribute: String, _ words: Words) -> String {
        attributeNames[attribute].map { words($0) } ?? attribute
    }

    /// A value of a standard attribute in words: moments and states are more than their codes.
    private static func shown(
        _ value: JSONValue,
        of attribute: StandardAttribute,
        _ context: ConsoleContext
    ) -> String {
        let text = value.listedText
        switch attribute {
        case .pushOptedInAt, .pushUnsubscribedAt, .emailOptedInAt, .emailUnsubscribedAt,
            .markedEmailAsSpamAt, .dateOfFirstSession, .dateOfLastSession:
            return Timestamp.parse(text).map { context.moment($0).exact } ?? text
        default:
            return shown(text, of: attribute, context.words)
        }
    }

    /// A code of a standard attribute in words; other texts as they are.
    static func shown(_ code: String, of attribute: StandardAttribute, _ words: Words) -> String {
        codes(of: attribute).first { $0.code == code }.map { words($0.wordKey) } ?? code
    }

    /// The codes that a standard attribute can have, where there are few.
    static func codes(of attribute: StandardAttribute) -> [(code: String, wordKey: String)] {
        switch attribute {
        case .pushSubscription, .emailSubscription:
            [
                (SubscriptionState.optedIn.rawValue, "users.subscription_opted_in"),
                (SubscriptionState.subscribed.rawValue, "users.subscription_subscribed"),
                (SubscriptionState.unsubscribed.rawValue, "users.subscription_unsubscribed"),
            ]
        case .gender:
            [
                ("F", "users.gender_f"), ("M", "users.gender_m"), ("O", "users.gender_o"),
                ("N", "users.gender_n"), ("P", "users.gender_p"),
            ]
        default: []
        }
    }

    static func title(_ user: UserSummary, _ context: ConsoleContext) -> String {
        let row = UsersPage.Row(user, context: context)
        return row.name.isEmpty ? row.title : row.name
    }

    init(_ user: UserDetail, entries: [JourneyEntryPart], context: ConsoleContext) {
        let words = context.words
        self.entries = entries
        hasEntries = !entries.isEmpty
        let profile = user.summary.profile
        let row = UsersPage.Row(user.summary, context: context)
        self.user = row
        name = row.name.isEmpty ? nil : row.name
        title = name ?? row.title
        initial = title.first.map { String($0).uppercased() } ?? "?"
        let publicID = profile.publicID.uuidString.lowercased()
        aliases =
            [Attribute(name: "braze_id", value: publicID)]
            + user.aliases.map { Attribute(name: $0.label, value: $0.name) }
        hasAliases = !aliases.isEmpty
        standardAttributes = profile.standard.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { attribute, value in
                Attribute(
                    name: Self.label(of: attribute.rawValue, words),
                    value: Self.shown(value, of: attribute, context)
                )
            }
        hasStandard = !standardAttributes.isEmpty
        customAttributes = profile.custom.sorted { $0.key < $1.key }
            .map { name, value in
                let text = value.listedText
                return Attribute(name: name, value: text.isEmpty ? "–" : text)
            }
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
                seen: context.moment(device.updatedAt)
            )
        }
        hasDevices = !devices.isEmpty
        timelineAddress = ConsolePath.userTimeline("\(profile.id)")
            .query(
                FormFields([]).setting("before", to: context.query["before"])
                    .setting("topic", to: context.query["topic"])
            )
        figuresAddress = ConsolePath.userFigures("\(profile.id)").path
        usersAddress = ConsolePath.users.path
        let id = "\(profile.id)"
        segmentsAddress = ConsolePath.userSegments(id).path
        editAddress = context.hasRole(atLeast: .marketer) ? ConsolePath.editUser(id).path : nil
        deleteAddress =
            context.hasRole(atLeast: .administrator) ? ConsolePath.deleteUser(id).path : nil
        deleteQuestion = words("users.delete_confirm", ["name": title])
        let zone =
            (profile.standard[.timeZone]?.stringValue
            ?? user.summary.devices.compactMap(\.timeZone).first)
            .flatMap(TimeZone.init(identifier:))
        localTime = zone.map { "\(words.timeOfDay(context.now, in: $0)) · \($0.identifier)" }
        let current = TimelineEntry.Topic(rawValue: context.query["topic"])
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
            context.hasRole(atLeast: .marketer)
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
