/// A kind of activity: the key under which occurrences are counted.
package enum Activity: Sendable, Hashable {
    case event(String)
    case purchase
    case session
    case message(MessageAction, campaign: String)

    /// Whether a device told it about a message. Conversions are found by the server.
    package var isInteraction: Bool {
        if case .message(let action, _) = self { action != .converted } else { false }
    }
}

/// An event between a user and a campaign's message.
package enum MessageAction: String, Sendable, Hashable, CaseIterable {
    case received
    case opened
    case clicked
    case converted
}
