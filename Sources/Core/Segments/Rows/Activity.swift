/// A kind of activity: the key under which occurrences are counted.
package enum Activity: Sendable, Hashable {
    case event(String)
    case purchase
    case session
    case message(MessageAction, campaign: String)
}

/// An event between a user and a campaign's message.
package enum MessageAction: String, Sendable, Hashable, CaseIterable {
    case received
    case opened
    case clicked
    case converted
}
