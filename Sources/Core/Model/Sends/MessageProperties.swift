import NoroshiWire

/// Data for the message of one user besides the profile: the event that triggered it
/// (`event_properties`) and the user's data in the API call (`api_trigger_properties`).
package struct MessageProperties: Sendable, Hashable, Codable {
    package var event: [String: JSONValue]
    package var trigger: [String: JSONValue]

    package init(event: [String: JSONValue] = [:], trigger: [String: JSONValue] = [:]) {
        self.event = event
        self.trigger = trigger
    }

    package var isEmpty: Bool { event.isEmpty && trigger.isEmpty }
}
