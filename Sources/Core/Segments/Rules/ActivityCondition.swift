/// A filter on a user's activity: how often and when.
package struct ActivityCondition: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case event(String)
        /// Purchases of one of the products; empty means all products.
        case purchase(products: [String])
        case session
        /// Messages of one of the campaigns; empty means all campaigns.
        case message(MessageAction, campaigns: [String])
    }

    package enum Measure: Sendable, Hashable {
        case count(Comparison, Int)
        /// Money spent, in millionths of the currency unit; for purchases.
        case sum(Comparison, Int64)
        /// The first occurrence in the window; fails if there is none.
        case first(Comparison, TimePoint)
        /// The last occurrence in the window; fails if there is none.
        case last(Comparison, TimePoint)
    }

    /// A condition on an event property; all conditions must hold for the same occurrence.
    package struct Property: Sendable, Hashable {
        package let path: AttributePath
        package let test: ValueTest

        package init(path: AttributePath, test: ValueTest) {
            self.path = path
            self.test = test
        }
    }

    package var subject: Subject
    package var properties: [Property]
    package var measure: Measure
    /// Occurrences before this moment do not count.
    package var from: TimePoint?
    /// Occurrences at or after this moment do not count.
    package var until: TimePoint?

    package init(
        subject: Subject,
        properties: [Property] = [],
        measure: Measure,
        from: TimePoint? = nil,
        until: TimePoint? = nil
    ) {
        self.subject = subject
        self.properties = properties
        self.measure = measure
        self.from = from
        self.until = until
    }

    /// Whether the condition depends on the time zone.
    package var dependsOnCalendar: Bool {
        let moments: [TimePoint?] =
            switch measure {
            case .count, .sum: [from, until]
            case .first(_, let moment), .last(_, let moment): [from, until, moment]
            }
        return moments.contains { $0?.dependsOnCalendar ?? false }
            || properties.contains { $0.test.dependsOnCalendar }
    }

    /// Whether the condition holds for users without any occurrence.
    package var holdsWithoutOccurrences: Bool {
        switch measure {
        case .count(let comparison, let number): comparison.holds(0, number)
        case .sum(let comparison, let micros): comparison.holds(0, micros)
        case .first, .last: false
        }
    }
}

extension ActivityCondition.Subject {
    /// Whether an occurrence has this subject, whatever its time and properties.
    package func includes(_ event: AudienceEvent) -> Bool {
        switch (self, event.activity) {
        case (.event(let wanted), .event(let name)): wanted == name
        case (.purchase(let products), .purchase):
            products.isEmpty || products.contains(event.product ?? "")
        case (.session, .session): true
        case (.message(let wanted, let campaigns), .message(let action, let campaign)):
            wanted == action && (campaigns.isEmpty || campaigns.contains(campaign))
        default: false
        }
    }
}
