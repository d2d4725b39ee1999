/// The names of the properties that somebody looks at, by activity: what columns do not know of an
/// occurrence.
package struct ActivityProperties: Sendable, Hashable {
    package private(set) var names: [Activity: Set<String>] = [:]

    package init() {}

    package var isEmpty: Bool { names.isEmpty }

    package mutating func add(_ wanted: Set<String>, of activity: Activity) {
        guard !wanted.isEmpty else { return }
        names[activity, default: []].formUnion(wanted)
    }

    /// Adds what a segment asks of the properties of what users did.
    package mutating func add(_ rule: SegmentRule, directory: any SegmentResolver) {
        rule.forEachActivity(in: directory) { condition in
            guard let activity = condition.subject.activity else { return }
            add(condition.propertyNames(), of: activity)
        }
    }

    package static let price = "price"
    package static let product = "product_id"
}

extension ActivityCondition.Subject {
    /// What it is an occurrence of, whatever its product; `nil` for messages, which have no
    /// properties.
    package var activity: Activity? {
        switch self {
        case .event(let name): .event(name)
        case .purchase: .purchase
        case .session: .session
        case .message: nil
        }
    }
}

extension ActivityCondition {
    /// The names of the properties that decide whether it holds; empty where columns know all that
    /// is asked.
    ///
    /// - Parameter others: Names of properties that are looked at besides.
    package func propertyNames(besides others: Set<String> = []) -> Set<String> {
        var names = others.union(properties.map(\.path.name))
        guard !names.isEmpty, case .purchase(let products) = subject else { return names }
        if !products.isEmpty { names.insert(ActivityProperties.product) }
        if case .sum = measure { names.insert(ActivityProperties.price) }
        return names
    }
}
