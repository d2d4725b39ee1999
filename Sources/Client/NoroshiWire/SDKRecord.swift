import Foundation

/// An occurrence on a device, with an id created there.
public struct SDKRecord: Sendable, Equatable {
    /// The id of the record; the server stores each id once.
    public var id: UUID
    /// Increases by one with every record of the installation.
    public var sequence: UInt64
    /// When it occurred, in milliseconds since 1970.
    public var timeMilliseconds: Int64
    /// The user at that time, whoever is logged in when the record is sent.
    public var user: SDKUser
    /// The session in which it occurred.
    public var session: UUID?
    /// The content of the record.
    public var content: Content

    /// A record of `content`.
    public init(
        id: UUID,
        sequence: UInt64,
        timeMilliseconds: Int64,
        user: SDKUser,
        session: UUID? = nil,
        content: Content
    ) {
        self.id = id
        self.sequence = sequence
        self.timeMilliseconds = timeMilliseconds
        self.user = user
        self.session = session
        self.content = content
    }
}

/// The user a record belongs to.
public enum SDKUser: Sendable, Hashable {
    /// A user that the app has named with `changeUser`.
    case external(String)
    /// The anonymous user of an installation, by an id created on the device.
    case anonymous(UUID)
}

extension SDKRecord {
    /// The content of a record.
    public enum Content: Sendable, Equatable {
        /// A custom event.
        case event(name: String, properties: [String: JSONValue])
        /// A purchase of `quantity` pieces at `price` each.
        case purchase(
            product: String,
            currency: String,
            price: Double,
            quantity: Int,
            properties: [String: JSONValue]
        )
        /// Changes of the profile in the form of `/users/track`: standard and custom attributes,
        /// `null` removes, `{"inc": n}`, `{"add": […]}`, `{"remove": […]}`.
        case attributes([String: JSONValue], mergeObjects: Bool)
        /// The app has changed the user from `previous`. Data of an anonymous user moves to a named
        /// one that did not exist before.
        case userChanged(previous: SDKUser)
        /// An alias of the user: `name` in the list `label`.
        case alias(name: String, label: String)
        /// A session has begun.
        case sessionStarted
        /// A session has ended after `duration` seconds in the foreground.
        case sessionEnded(duration: Double)
        /// The system has given the app a push token.
        case pushToken(PushToken)
        /// The push token was removed, for example after a logout.
        case pushTokenCleared
        /// An interaction with a push on the device.
        case push(PushInteraction)
        /// An interaction with an in-app message on the device.
        case inAppMessage(InAppMessageInteraction)
    }

    /// A push token and its permissions.
    public struct PushToken: Sendable, Codable, Equatable {
        /// Apple: lowercase hexadecimal; Firebase: the registration token; web: the endpoint.
        public var token: String
        /// `apns`, `fcm` or `webpush`.
        public var provider: String
        /// Apple's environment: `production` or `sandbox`; absent elsewhere.
        public var environment: String?
        /// The user's authorization: `authorized`, `provisional`, `ephemeral`, `denied` or
        /// `notDetermined`.
        public var authorization: String
        /// Web Push: the subscription's `p256dh`, base64url.
        public var publicKey: String?
        /// Web Push: the subscription's `auth`, base64url.
        public var authenticationSecret: String?

        /// A token as the system gave it.
        public init(
            token: String,
            provider: String,
            environment: String? = nil,
            authorization: String,
            publicKey: String? = nil,
            authenticationSecret: String? = nil
        ) {
            self.token = token
            self.provider = provider
            self.environment = environment
            self.authorization = authorization
            self.publicKey = publicKey
            self.authenticationSecret = authenticationSecret
        }

        enum CodingKeys: String, CodingKey {
            case token, provider, environment, authorization
            case publicKey = "p256dh"
            case authenticationSecret = "auth"
        }
    }

    /// An interaction with a push on the device.
    public struct PushInteraction: Sendable, Codable, Equatable {
        /// The kinds of interaction.
        public enum Kind: String, Sendable, Codable {
            /// The push arrived and the SDK saw it.
            case received
            /// The user tapped the notification or a button that opens the app: a direct open.
            case opened
            /// The user chose an action button.
            case action
            /// The user dismissed the notification.
            case dismissed
        }

        /// The kind of interaction.
        public var kind: Kind
        /// The dispatch id of the payload. The nil UUID (RFC 9562, 5.9) when the app knows only the
        /// push number; the dispatch is then the one of that send to this device.
        public var dispatch: UUID
        /// The number of the send (`push_no`) of the payload.
        public var pushNumber: Int64?
        /// The identifier of the action button.
        public var action: String?
        /// The page of a push story that was tapped, from 1; only with `opened`.
        public var page: Int?

        /// The numbers that the pages of push stories can have.
        public static let pages = 1...10

        /// An interaction with the push `dispatch`.
        public init(
            kind: Kind,
            dispatch: UUID,
            pushNumber: Int64? = nil,
            action: String? = nil,
            page: Int? = nil
        ) {
            self.kind = kind
            self.dispatch = dispatch
            self.pushNumber = pushNumber
            self.action = action
            self.page = page
        }

        enum CodingKeys: String, CodingKey {
            case kind, dispatch, action, page
            case pushNumber = "push_no"
        }
    }

    /// An interaction with an in-app message on the device.
    public struct InAppMessageInteraction: Sendable, Codable, Equatable {
        /// The kinds of interaction.
        public enum Kind: String, Sendable, Codable {
            /// The message was shown.
            case impression
            /// The message's body was tapped.
            case click
            /// One of its buttons was tapped.
            case button
            /// The message was closed without a click.
            case dismissed
        }

        /// The kind of interaction.
        public var kind: Kind
        /// The message.
        public var message: String
        /// The identifier of the button.
        public var button: String?
        /// The message's `variant`, if it has one.
        public var variant: String?

        /// An interaction with the in-app message `message`.
        public init(
            kind: Kind,
            message: String,
            button: String? = nil,
            variant: String? = nil
        ) {
            self.kind = kind
            self.message = message
            self.button = button
            self.variant = variant
        }
    }
}
