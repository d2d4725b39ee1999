import Foundation
import NoroshiWire

/// One launch of a message to an audience. Its number is the `push_no` that devices report.
package struct Send: Sendable, Hashable {
    package var id: SendID
    /// What the REST API calls it: nobody can guess it from another one.
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

    /// The `schedule_id` of the REST API: a UUID in small letters.
    package var scheduleName: String { publicID.uuidString.lowercased() }

    /// The identifier that a `dispatch_id` or a `schedule_id` stands for; `nil` for another text.
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

/// What a send was asked to do; stored with the send as it was.
package struct SendContent: Sendable, Hashable, Codable {
    package var message: PushMessage
    package var audience: Audience
    package var options: DeliveryOptions
    /// Liquid's `api_trigger_properties`.
    package var triggerProperties: [String: JSONValue]
    /// The member or the API key that made it, by name.
    package var author: String
    /// When the recipients are picked; `nil` is at delivery.
    package var extraction: ExtractionTiming?
    /// The messages of platforms that have their own.
    package var platforms: [MessagePlatform: PlatformMessage]?
    /// The platforms whose devices get it; `nil` is all.
    package var onlyPlatforms: [MessagePlatform]?
    /// The platforms of which only the device that a user used last gets it; `nil` is none.
    package var latestDeviceOnly: [MessagePlatform]?
    /// Who gets it by push subscription; `nil` is all who have not unsubscribed.
    package var recipients: RecipientState?
    /// The day and time on each user's clock; `nil` is the same moment for everybody. A campaign's
    /// launch has its own.
    package var localMoment: LocalMoment?
    /// How fast it may go; `nil` is as fast as it can.
    package var messagesPerMinute: Int?
    /// Until then whoever said that it goes at once may take it back; `nil` where nobody may.
    package var heldUntil: Date?
    /// The campaign that launched it, with its variants; `nil` for a push of its own.
    package var launch: CampaignLaunch?

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

    /// What a device of `platform` gets; `variant` is the number of a variant of the launch.
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

/// A time on the wall, wherever it hangs.
package struct LocalMoment: Sendable, Hashable, Codable {
    package var day: CalendarDay
    package var time: TimeOfDay

    package init(day: CalendarDay, time: TimeOfDay) {
        self.day = day
        self.time = time
    }
}

/// Which users get a push by what they have said of pushes
/// (`recipient_subscription_state` of the REST API).
package enum RecipientState: String, Sendable, Hashable, Codable, CaseIterable {
    case optedIn = "opted_in"
    /// All who have not unsubscribed.
    case subscribed
    /// Those who have unsubscribed too, where their device still allows it.
    case all

    package func allows(_ subscription: SubscriptionState) -> Bool {
        switch self {
        case .optedIn: subscription == .optedIn
        case .subscribed: subscription != .unsubscribed
        case .all: true
        }
    }
}

/// Who gets a send.
package enum Audience: Sendable, Hashable, Codable {
    case everyone
    /// Users found when the send was made.
    case profiles([ProfileID])
    /// Users who match when the send begins.
    case matching(SegmentQuery)
}

/// Where a send stands.
///
/// `scheduled → planning → sending → finished`; `cancelled` from each but the last, `paused` and
/// back from `sending`.
package enum SendState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for its time.
    case scheduled
    /// Its recipients are being written to the ledger.
    case planning
    /// All recipients are in the ledger; pushes are on their way.
    case sending
    case paused
    /// Every row of the ledger has its outcome.
    case finished
    case cancelled
}
