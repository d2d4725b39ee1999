import Foundation

/// The push provider of a phone or browser without Apple: Firebase or a browser's push service,
/// implemented by a simulator.
package protocol MessageService: Sendable {
    /// A registration for the app on the device `device`.
    func register(device: UUID) async throws -> MessageRegistration

    /// The messages for a registration from now on, preceded by those stored while there was no
    /// listener.
    func messages(for registration: MessageRegistration) async -> AsyncStream<PhoneMessage>
}

/// The registration of an installation at its push provider.
package enum MessageRegistration: Sendable, Hashable {
    /// Firebase's registration token.
    case firebase(token: String)
    /// A browser's subscription; keys in base64url.
    case webPush(endpoint: String, publicKey: String, authenticationSecret: String)

    var text: String {
        switch self {
        case .firebase(let token): token
        case .webPush(let endpoint, _, _): endpoint
        }
    }
}

/// A message as the app's code receives it: decrypted, with its visible parts.
package struct PhoneMessage: Sendable, Equatable {
    /// The strings that the SDK reads; the marker is JSON text.
    package var data: [String: String]
    package var title: String
    package var body: String
    /// A later message with the same tag replaces this one.
    package var tag: String
    package var badge: Int?
    package var buttons: [(id: String, title: String)]

    package init(
        data: [String: String],
        title: String,
        body: String,
        tag: String,
        badge: Int? = nil,
        buttons: [(id: String, title: String)] = []
    ) {
        self.data = data
        self.title = title
        self.body = body
        self.tag = tag
        self.badge = badge
        self.buttons = buttons
    }

    package static func == (left: PhoneMessage, right: PhoneMessage) -> Bool {
        left.data == right.data && left.tag == right.tag
    }
}
