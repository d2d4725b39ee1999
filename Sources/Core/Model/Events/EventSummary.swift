import Foundation

/// One kind of event.
package struct EventSummary: Sendable, Hashable {
    package var name: String
    /// `nil` for one that never came.
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
    /// How many profiles of the sample have it.
    package var profiles: Int
    /// How many profiles were looked at.
    package var sample: Int
    /// How many values of the sample have each type: `text`, `number`, `boolean`, `list`, `object`.
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
