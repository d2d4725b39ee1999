import Foundation

/// One kind of event.
package struct EventSummary: Sendable, Hashable {
    package var name: String
    /// `nil` if the event has never occurred.
    package var lastAt: Date?
    package var isBlocked: Bool

    package init(name: String, lastAt: Date?, isBlocked: Bool) {
        self.name = name
        self.lastAt = lastAt
        self.isBlocked = isBlocked
    }
}

/// One custom attribute.
package struct AttributeSummary: Sendable, Hashable {
    package var name: String
    /// Number of profiles in the sample that have the attribute.
    package var profiles: Int
    /// Number of profiles in the sample.
    package var sample: Int
    /// Number of values in the sample by type: `text`, `number`, `boolean`, `list`, `object`.
    package var types: [String: Int]
    package var isBlocked: Bool

    package init(
        name: String,
        profiles: Int,
        sample: Int,
        types: [String: Int],
        isBlocked: Bool
    ) {
        self.name = name
        self.profiles = profiles
        self.sample = sample
        self.types = types
        self.isBlocked = isBlocked
    }
}
