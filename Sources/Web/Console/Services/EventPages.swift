import Foundation
import Model

/// The app's own events and attributes, and which of them are blocked.
package protocol EventPages: Sendable {
    func events(_ query: EventQuery, for member: ConsoleMember) async throws -> EventList
    /// The most frequent custom attributes, from a sample of users.
    func attributes(for member: ConsoleMember) async throws -> [AttributeRow]
    /// Blocks a name, or takes it again.
    func setBlocked(
        _ name: String,
        of kind: DataKind,
        to isBlocked: Bool,
        for member: ConsoleMember
    ) async throws
}

package enum DataKind: String, Sendable, Hashable, CaseIterable {
    case event, attribute
}

package struct EventQuery: Sendable, Hashable {
    package var text = ""
    package var page = ListPage(size: 25)
    /// How many days the figures reach back.
    package var days = 30

    package init() {}
}

package struct EventList: Sendable, Hashable {
    package var rows: [EventRow]
    package var total: Int

    package init(rows: [EventRow], total: Int) {
        self.rows = rows
        self.total = total
    }
}

package struct EventRow: Sendable, Hashable {
    package var name: String
    package var lastAt: Date?
    /// How often on each of the last days, oldest first.
    package var days: [Int]
    package var isBlocked: Bool

    package init(name: String, lastAt: Date?, days: [Int], isBlocked: Bool) {
        self.name = name
        self.lastAt = lastAt
        self.days = days
        self.isBlocked = isBlocked
    }
}

/// The type of an attribute's values.
package enum ValueKind: String, Sendable, Hashable, CaseIterable {
    case text, number, boolean, list, object

    package var wordKey: String { "events.type." + rawValue }
}

package struct AttributeRow: Sendable, Hashable {
    package var name: String
    /// The share of the sampled users who have it, from 0 to 1.
    package var share: Double
    /// The most frequent type first.
    package var types: [ValueKind]
    package var isBlocked: Bool

    package init(name: String, share: Double, types: [ValueKind], isBlocked: Bool) {
        self.name = name
        self.share = share
        self.types = types
        self.isBlocked = isBlocked
    }
}
