import Model
import Reasons
import Segments

/// What a report looks for: something users do, with conditions on its properties.
package struct ReportActivity: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        /// One of the app's own events.
        case event(String)
        /// Purchases of one of the products; without products: of anything.
        case purchase(products: [String])
        case session
    }

    package var subject: Subject
    /// All of them must hold for the same occurrence.
    package var properties: [ActivityCondition.Property]

    package init(_ subject: Subject, properties: [ActivityCondition.Property] = []) {
        self.subject = subject
        self.properties = properties
    }

    /// Whether one occurrence can be of both, whatever its properties.
    package func isOfSameKind(as other: ReportActivity) -> Bool {
        switch (subject, other.subject) {
        case (.event(let one), .event(let two)): one == two
        case (.purchase, .purchase), (.session, .session): true
        default: false
        }
    }

    /// The same as a filter of segments: that it was done at all.
    package var condition: ActivityCondition {
        let subject: ActivityCondition.Subject =
            switch subject {
            case .event(let name): .event(name)
            case .purchase(let products): .purchase(products: products)
            case .session: .session
            }
        return ActivityCondition(
            subject: subject,
            properties: properties,
            measure: .count(.greaterOrEqual, 1)
        )
    }

    /// - Parameter field: What the activity is called where it was asked for.
    func check(_ field: String) throws(FieldProblem) {
        switch subject {
        case .event(let name):
            if name.isEmpty { throw FieldProblem("\(field).event", .missing) }
            // The system's own events are not the app's.
            if name.hasPrefix("$") { throw FieldProblem("\(field).event", .systemEvent) }
        case .purchase(let products):
            try ReportLimits.check(products.count, 0...ReportLimits.products, "\(field).purchase")
        case .session: break
        }
        try ReportLimits.check(properties.count, 0...ReportLimits.properties, "\(field).where")
    }
}
