import Foundation
import NoroshiOutbox
import NoroshiWire

extension NoroshiAdmin {
    /// A push to Apple's devices.
    public struct Push: Sendable, Equatable {
        /// The title; `nil` shows the app's name.
        public var title: String?
        /// The text, which may contain Liquid.
        public var body: String
        /// The number on the app's icon: `nil` leaves it unchanged, 0 removes it.
        public var badge: Int?
        /// The app's own key-value pairs.
        public var extra: [String: JSONValue]
        /// The target of a tap.
        public var uri: String?
        /// The category, for buttons and content extensions.
        public var category: String?
        /// An image to attach.
        public var assetURL: String?
        /// The 3 to 10 pages of a push story; empty for an ordinary push.
        public var story: [StoryPage] = []

        /// A push with `body`.
        public init(
            title: String? = nil,
            body: String,
            badge: Int? = nil,
            extra: [String: JSONValue] = [:],
            uri: String? = nil,
            category: String? = nil,
            assetURL: String? = nil
        ) {
            self.title = title
            self.body = body
            self.badge = badge
            self.extra = extra
            self.uri = uri
            self.category = category
            self.assetURL = assetURL
        }

        var json: JSONValue {
            var alert: [String: JSONValue] = ["body": .string(body)]
            alert["title"] = title.map(JSONValue.string)
            var push: [String: JSONValue] = ["alert": .object(alert)]
            push["badge"] = badge.map { .integer(Int64($0)) }
            if !extra.isEmpty { push["extra"] = .object(extra) }
            push["custom_uri"] = uri.map(JSONValue.string)
            push["category"] = category.map(JSONValue.string)
            if let assetURL {
                push["asset_url"] = .string(assetURL)
                push["asset_file_type"] = .string(
                    String(assetURL.split(separator: ".").last ?? "png")
                )
                push["mutable_content"] = true
            }
            if !story.isEmpty { push["push_story"] = .array(story.map(\.json)) }
            return .object(push)
        }
    }

    /// A page of a push story.
    public struct StoryPage: Sendable, Equatable {
        /// The address of the picture, which begins with `https://`.
        public var imageURL: String
        /// The title.
        public var title: String?
        /// The line below the title.
        public var subtitle: String?
        /// The target of a tap on the page; `nil` for that of the push.
        public var uri: String?

        /// A page with a picture.
        public init(
            imageURL: String,
            title: String? = nil,
            subtitle: String? = nil,
            uri: String? = nil
        ) {
            self.imageURL = imageURL
            self.title = title
            self.subtitle = subtitle
            self.uri = uri
        }

        var json: JSONValue {
            var page: [String: JSONValue] = ["image_url": .string(imageURL)]
            page["title"] = title.map(JSONValue.string)
            page["subtitle"] = subtitle.map(JSONValue.string)
            page["uri"] = uri.map(JSONValue.string)
            return .object(page)
        }
    }

    /// The recipients of a message.
    public enum Recipients: Sendable, Equatable {
        /// These users, by the app's own identifiers, at most 50.
        case users([String])
        /// The users of a segment.
        case segment(String)
        /// All users.
        case everyone

        var fields: [String: JSONValue] {
            switch self {
            case .users(let ids): ["external_user_ids": .array(ids.map(JSONValue.string))]
            case .segment(let id): ["segment_id": .string(id), "broadcast": true]
            case .everyone: ["broadcast": true]
            }
        }
    }

    /// A push with its recipients.
    public struct Message: Sendable, Equatable {
        /// The push.
        public var push: Push
        /// The recipients.
        public var recipients: Recipients

        /// A message with `push` to `recipients`.
        public init(push: Push, to recipients: Recipients) {
            self.push = push
            self.recipients = recipients
        }

        var fields: [String: JSONValue] {
            recipients.fields.merging(["messages": ["apple_push": push.json]]) { $1 }
        }
    }

    /// The time of a scheduled message.
    public struct Schedule: Sendable, Equatable {
        /// The time.
        public var time: Date
        /// Whether `time`, read as a UTC clock time, applies in each user's own time zone.
        public var inLocalTime: Bool

        /// A schedule for `time`.
        public init(time: Date, inLocalTime: Bool = false) {
            self.time = time
            self.inLocalTime = inLocalTime
        }

        var json: JSONValue { ["time": .date(time), "in_local_time": .bool(inLocalTime)] }
    }

    /// The receipt of an accepted message.
    public struct SendReceipt: Sendable, Equatable, Decodable {
        /// The transmission.
        public var dispatchId: String?
        /// The send, for statistics.
        public var sendId: String?
        /// The schedule; `nil` for a message that is sent immediately.
        public var scheduleId: String?
        /// The rejected parts, with reasons.
        public var errors: [NoroshiAdminProblem]?
    }

    /// Sends a message now: `POST /messages/send`.
    @discardableResult
    public func send(_ message: Message) async throws -> SendReceipt {
        try await post("messages/send", message.fields)
    }

    /// Schedules a message: `POST /messages/schedule/create`.
    public func schedule(_ message: Message, at schedule: Schedule) async throws -> SendReceipt {
        try await post(
            "messages/schedule/create",
            message.fields.merging(["schedule": schedule.json]) { $1 }
        )
    }

    /// Changes the time or the content of a scheduled message: `POST /messages/schedule/update`.
    public func updateSchedule(
        _ id: String,
        at schedule: Schedule? = nil,
        push: Push? = nil
    ) async throws {
        var fields: [String: JSONValue] = ["schedule_id": .string(id)]
        fields["schedule"] = schedule?.json
        fields["messages"] = push.map { ["apple_push": $0.json] }
        _ = try await post("messages/schedule/update", fields, as: Acknowledgement.self)
    }

    /// Cancels a scheduled message: `POST /messages/schedule/delete`.
    public func cancelSchedule(_ id: String) async throws {
        _ = try await post(
            "messages/schedule/delete",
            ["schedule_id": id],
            as: Acknowledgement.self
        )
    }

    /// A recipient of a campaign, with individual properties.
    public struct CampaignRecipient: Sendable, Equatable {
        /// The user, by the app's own identifier.
        public var externalID: String
        /// Properties that take precedence over those of the call.
        public var triggerProperties: [String: JSONValue]
        /// Attributes that are set before the message is rendered.
        public var attributes: [String: JSONValue]

        /// The recipient `externalID`.
        public init(
            externalID: String,
            triggerProperties: [String: JSONValue] = [:],
            attributes: [String: JSONValue] = [:]
        ) {
            self.externalID = externalID
            self.triggerProperties = triggerProperties
            self.attributes = attributes
        }
    }

    /// Sends a campaign that was created in the console: `POST /campaigns/trigger/send`. It goes to
    /// `recipients`, at most 50, or to the campaign's whole audience if they are `nil`.
    @discardableResult
    public func triggerCampaign(
        _ id: String,
        recipients: [CampaignRecipient]?,
        triggerProperties: [String: JSONValue] = [:]
    ) async throws -> SendReceipt {
        var fields: [String: JSONValue] = [
            "campaign_id": .string(id), "trigger_properties": .object(triggerProperties),
        ]
        if let recipients {
            fields["recipients"] = .array(
                recipients.map { recipient in
                    var object: [String: JSONValue] = [
                        "external_user_id": .string(recipient.externalID)
                    ]
                    if !recipient.triggerProperties.isEmpty {
                        object["trigger_properties"] = .object(recipient.triggerProperties)
                    }
                    if !recipient.attributes.isEmpty {
                        object["attributes"] = .object(recipient.attributes)
                    }
                    return .object(object)
                }
            )
        } else {
            fields["broadcast"] = true
        }
        return try await post("campaigns/trigger/send", fields)
    }

    private struct Acknowledgement: Decodable {
        var message: String
    }
}
