import Foundation

/// Selects in-app messages: a value without a clock, files or a screen, so that a rehearsal goes by the
/// device's own rules.
package struct InAppMessageSelector: Sendable, Codable, Equatable {
    /// An occurrence in the app.
    package enum Occurrence: Sendable, Equatable {
        case sessionStart
        case event(name: String, properties: [String: JSONValue])
        case purchase(product: String, properties: [String: JSONValue])
        case pushOpen
    }

    /// Number of showings of a message, and the last time.
    package struct Impressions: Sendable, Codable, Equatable {
        package var count = 0
        package var last: Date
    }

    /// The candidate messages.
    package var messages: [InAppMessage] = []
    /// The showings, by message.
    package private(set) var showings: [String: Impressions] = [:]
    /// The last time that any message was shown.
    package private(set) var lastShown: Date?

    package init() {}

    /// The message for an occurrence at `now`; `nil` if there is none. The gap between messages is
    /// measured at the time of showing, after the message's delay.
    package func message(
        for occurrence: Occurrence,
        at now: Date,
        gap: TimeInterval
    ) -> InAppMessage? {
        messages
            .filter { message in
                let showing = now.addingTimeInterval(message.rules.delaySeconds)
                return message.rules.triggers.contains { Self.matches($0, occurrence) }
                    && mayShow(message, at: showing, gap: gap)
            }
            // Of messages with equal priority, the first in the server's list.
            .enumerated()
            .max { left, right in
                (left.element.rules.priority, -left.offset)
                    < (right.element.rules.priority, -right.offset)
            }?
            .element
    }

    /// Whether `message` may be asked for at `time`: by its own rules, and by the gap to the last one.
    package func mayShow(_ message: InAppMessage, at time: Date, gap: TimeInterval) -> Bool {
        if let lastShown, time.timeIntervalSince(lastShown) < gap { return false }
        return isAllowed(message, at: time)
    }

    /// Whether the rules of `message` alone allow it at `time`: its period, limit and interval. A
    /// message that had to wait is judged by these again, because all of them may have changed.
    package func isAllowed(_ message: InAppMessage, at time: Date) -> Bool {
        if let start = message.rules.startsAtMilliseconds,
            time.timeIntervalSince1970 * 1000 < Double(start)
        {
            return false
        }
        if let expiry = message.rules.expiresAtMilliseconds,
            time.timeIntervalSince1970 * 1000 >= Double(expiry)
        {
            return false
        }
        guard let showings = showings[message.id] else {
            return message.rules.impressionLimit.map { $0 > 0 } ?? true
        }
        if let limit = message.rules.impressionLimit, showings.count >= limit { return false }
        if let interval = message.rules.intervalSeconds,
            time.timeIntervalSince(showings.last) < interval
        {
            return false
        }
        return true
    }

    /// Records that `message` was shown.
    package mutating func noteShowing(_ message: InAppMessage, at time: Date) {
        lastShown = time
        showings[message.id, default: Impressions(last: time)].count += 1
        showings[message.id]?.last = time
    }

    /// Maximum number of former messages whose showings are remembered.
    private static let memory = 500

    /// Replaces the messages with the server's list. Showings of messages that are not on the list
    /// are kept: the list may have been made for another user, or before the server knew the user.
    package mutating func replace(with messages: [InAppMessage]) {
        self.messages = messages
        let ids = Set(messages.map(\.id))
        let gone = showings.filter { !ids.contains($0.key) }
        guard gone.count > Self.memory else { return }
        for (id, _) in gone.sorted(by: { $0.value.last > $1.value.last }).dropFirst(Self.memory) {
            showings[id] = nil
        }
    }

    package static func matches(
        _ trigger: InAppMessageRules.Trigger,
        _ occurrence: Occurrence
    ) -> Bool {
        switch (trigger, occurrence) {
        case (.sessionStart, .sessionStart), (.pushOpen, .pushOpen):
            return true
        case (.event(let name, let filters), .event(let happened, let properties)):
            return name == happened && filters.allSatisfy { $0.passes(properties) }
        case (.purchase(let product, let filters), .purchase(let bought, let properties)):
            return (product == nil || product == bought)
                && filters.allSatisfy { $0.passes(properties) }
        default:
            return false
        }
    }
}
