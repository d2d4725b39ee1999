import Foundation
import NoroshiWire

/// One launch of a message to an audience. Its number is the `push_no` that devices report.
package struct Send: Sendable, Hashable {
    package var id: SendID
    /// The identifier in the REST API, which cannot be guessed from another one.
    package var publicID: UUID
    package var workspace: WorkspaceID
    package var content: SendContent
    package var state: SendState
    package var scheduledAt: Date
    package var createdAt: Date
    package var startedAt: Date?
    package var finishedAt: Date?

    package init(
        id: SendID,
        publicID: UUID,
        workspace: WorkspaceID,
        content: SendContent,
        state: SendState,
        scheduledAt: Date,
        createdAt: Date,
        startedAt: Date? = nil,
        finishedAt: Date? = nil
    ) {
        self.id = id
        self.publicID = publicID
        self.workspace = workspace
        self.content = content
        self.state = state
        self.scheduledAt = scheduledAt
        self.createdAt = createdAt
        self.startedAt = startedAt
        self.finishedAt = finishedAt
    }
}

extension Send {
    /// The `dispatch_id` of the REST API: 32 hexadecimal digits.
    package var dispatchName: String { scheduleName.replacing("-", with: "") }

    /// The `schedule_id` of the REST API: a lowercase UUID.
    package var scheduleName: String { publicID.uuidString.lowercased() }

    /// The identifier that a `dispatch_id` or a `schedule_id` encodes; `nil` for other text.
    package static func publicID(named text: String) -> UUID? {
        if let id = UUID(uuidString: text) { return id }
        var digits = text[...]
        guard digits.utf8.count == 32 else { return nil }
        var parts: [Substring] = []
        for length in [8, 4, 4, 4, 12] {
            parts.append(digits.prefix(length))
            digits = digits.dropFirst(length)
        }
        return UUID(uuidString: parts.joined(separator: "-"))
    }
}

/// The request for a send; stored unchanged with the send.
package struct SendContent: Sendable, Hashable, Codable {
    package var message: PushMessage
    package var audience: Audience
    package var options: DeliveryOptions
    /// Liquid's `api_trigger_properties`.
    package var triggerProperties: [String: JSONValue]
    /// Liquid's `event_properties`; `nil` means none. A launch has them for each of its users.
    package var eventProperties: [String: JSONValue]?
    /// Whether it is there to be looked at and not meant for anybody; `nil` means that it is not.
    package var isTest: Bool?
    /// The name of the member or API key that created it.
    package var author: String
    /// When the recipients are determined; `nil` means at delivery.
    package var extraction: RecipientTiming?
    /// The separate messages of platforms that have one.
    package var platforms: [MessagePlatform: PlatformMessage]?
    /// The platforms whose devices get it; `nil` means all of them.
    package var onlyPlatforms: [MessagePlatform]?
    /// The platforms on which only a user's most recently used device gets it; `nil` means none.
    package var latestDeviceOnly: [MessagePlatform]?
    /// The required push subscription; `nil` means all users who have not unsubscribed.
    package var recipients: SubscriptionFilter?
    /// The local date and time of the delivery; `nil` means the same moment for all users. A
    /// campaign's launch has its own.
    package var localMoment: LocalDateTime?
    /// Maximum number of messages per minute; `nil` means no limit.
    package var messagesPerMinute: Int?
    /// Whether the workspace's control group gets nothing of it; `nil` means that it does. A
    /// campaign's launch has its own.
    package var withholdsFromControlGroup: Bool?
    /// Until then the member who sent it immediately may take it back; `nil` if that is not
    /// possible.
    package var heldUntil: Date?
    /// The campaign that launched it, with its variants; `nil` for a push without a campaign.
    package var launch: LaunchContext?

    package init(
        message: PushMessage,
        audience: Audience,
        options: DeliveryOptions = DeliveryOptions(),
        triggerProperties: [String: JSONValue] = [:],
        author: String = ""
    ) {
        self.message = message
        self.audience = audience
        self.options = options
        self.triggerProperties = triggerProperties
        self.author = author
    }

    /// The local date and time of the delivery, its own or its launch's; `nil` means the same moment
    /// for all users.
    package var localDelivery: LocalDateTime? { launch?.localMoment ?? localMoment }

    /// Whether the workspace's control group gets nothing of it. Whoever is named gets it.
    package var isWithheldFromControlGroup: Bool {
        if let launch { return launch.content.withholdsFromControlGroup }
        if case .profiles = audience { return false }
        return withholdsFromControlGroup ?? false
    }

    /// The message for a device of `platform`; `variant` is the number of a variant of the launch.
    package func message(
        for platform: MessagePlatform,
        variant: Int?
    ) -> PlatformMessage {
        if let found = variant.flatMap({ launch?.content.variant(numbered: $0) }) {
            return found.message[platform]
        }
        return platforms?[platform] ?? PlatformMessage(message, options: options)
    }
}

/// A local date and time without a time zone; each user's own zone gives the instant.
package struct LocalDateTime: Sendable, Hashable, Codable {
    package var day: CalendarDay
    package var time: TimeOfDay

    package init(day: CalendarDay, time: TimeOfDay) {
        self.day = day
        self.time = time
    }
}

/// The users who get a push, by their push subscription (`recipient_subscription_state` of the REST
/// API).
package enum SubscriptionFilter: String, Sendable, Hashable, Codable, CaseIterable {
    case optedIn = "opted_in"
    /// All users who have not unsubscribed.
    case subscribed
    /// Also users who have unsubscribed, if their device still allows pushes.
    case all

    package func allows(_ subscription: SubscriptionState) -> Bool {
        switch self {
        case .optedIn: subscription == .optedIn
        case .subscribed: subscription != .unsubscribed
        case .all: true
        }
    }
}

/// The recipients of a send.
package enum Audience: Sendable, Hashable, Codable {
    case everyone
    /// Users determined when the send was created.
    case profiles([ProfileID])
    /// Users who match when the send starts.
    case matching(SegmentQuery)
}

/// The state of a send.
///
/// `scheduled → planning → sending → finished`; `paused` and back from each but the last;
/// `cancelled` from all of these but `finished`.
package enum SendState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for its time.
    case scheduled
    /// Its dispatches are being written.
    case planning
    /// All dispatches are written; pushes are being sent.
    case sending
    case paused
    /// Every dispatch has its outcome.
    case finished
    case cancelled
}
