import Foundation
import Model
import NoroshiWire
import Ports

/// An entry in a user's timeline.
package struct TimelineEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case event, purchase, session, sessionEnd
        /// An interaction between the user and a message.
        case contact(MessageEngagement.Kind)
    }

    package var time: Date
    package var kind: Kind
    /// The event's name, the product or the push's title.
    package var name: String
    package var properties: [String: JSONValue] = [:]
    /// The push it belongs to.
    package var send: SendID?

    init(_ event: StoredEvent) {
        time = event.time
        properties = event.properties
        switch event.name {
        case "$session_start":
            (kind, name) = (.session, "")
        case "$session_end":
            (kind, name) = (.sessionEnd, "")
        case "$purchase":
            (kind, name) = (.purchase, event.properties["product_id"]?.stringValue ?? "")
        default:
            (kind, name) = (.event, event.name)
        }
    }

    init(_ contact: MessageEngagement) {
        time = contact.time
        kind = .contact(contact.kind)
        name = contact.name
        send = contact.send
    }
}

extension TimelineEntry {
    /// What an entry is about, by which a timeline can be narrowed.
    package enum Topic: String, Sendable, Hashable, CaseIterable {
        case events, purchases, sessions, pushes
        case inApp = "in_app"
    }

    package var topic: Topic {
        switch kind {
        case .event: .events
        case .purchase: .purchases
        case .session, .sessionEnd: .sessions
        case .contact(.inAppShown), .contact(.inAppClicked), .contact(.inAppDismissed): .inApp
        case .contact: .pushes
        }
    }
}
