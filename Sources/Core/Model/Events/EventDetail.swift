import Foundation

/// What the newest occurrences of one event say.
package struct EventDetail: Sendable, Hashable {
    /// Number of occurrences that were looked at.
    package var sample: Int
    /// The most frequent first.
    package var properties: [EventPropertySummary]
    /// The newest first.
    package var latest: [EventOccurrence]

    package init(
        sample: Int,
        properties: [EventPropertySummary],
        latest: [EventOccurrence]
    ) {
        self.sample = sample
        self.properties = properties
        self.latest = latest
    }
}

/// One property of an event.
package struct EventPropertySummary: Sendable, Hashable {
    package struct Value: Sendable, Hashable {
        /// As JSON: a text with its quotation marks, a number, `true` or `false`.
        package var json: String
        package var events: Int

        package init(json: String, events: Int) {
            self.json = json
            self.events = events
        }
    }

    package var name: String
    /// Number of occurrences in the sample that have it.
    package var events: Int
    /// Number of its values by type: `text`, `number`, `boolean`, `list`, `object`.
    package var types: [String: Int]
    /// The most frequent ones that are no lists and objects.
    package var values: [Value]

    package init(name: String, events: Int, types: [String: Int], values: [Value]) {
        self.name = name
        self.events = events
        self.types = types
        self.values = values
    }
}

/// One occurrence of an event.
package struct EventOccurrence: Sendable, Hashable {
    package var profile: ProfileID
    package var userName: String
    package var time: Date

    package init(profile: ProfileID, userName: String, time: Date) {
        self.profile = profile
        self.userName = userName
        self.time = time
    }
}
