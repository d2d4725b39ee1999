import Segments

/// The names of the properties that a report looks at, by activity: what columns do not know of an
/// occurrence.
package struct ReportProperties: Sendable, Hashable {
    package private(set) var names: [Activity: Set<String>] = [:]

    package init() {}

    package var isEmpty: Bool { names.isEmpty }

    /// - Parameters:
    ///   - paths: Into the properties, besides those of the activity's conditions.
    ///   - isPaid: Whether it is asked what was paid.
    mutating func add(
        _ activity: ReportActivity,
        _ paths: [AttributePath?] = [],
        isPaid: Bool = false
    ) {
        add(Self.names(of: activity, paths, isPaid: isPaid), of: activity.activity)
    }

    package mutating func add(_ wanted: Set<String>, of activity: Activity) {
        guard !wanted.isEmpty else { return }
        names[activity, default: []].formUnion(wanted)
    }

    /// The properties that one activity needs; empty where columns know all that is asked.
    package static func names(
        of activity: ReportActivity,
        _ paths: [AttributePath?],
        isPaid: Bool
    ) -> Set<String> {
        var names = Set((activity.properties.map(\.path) + paths.compactMap(\.self)).map(\.name))
        if isPaid { names.formUnion([Self.currency, Self.price]) }
        if case .purchase(let products) = activity.subject, !products.isEmpty, !names.isEmpty {
            names.insert(Self.product)
        }
        return names
    }

    package static let currency = "currency"
    package static let price = "price"
    package static let product = "product_id"
}

extension ReportActivity {
    /// What it is an occurrence of, whatever its product.
    package var activity: Activity {
        switch subject {
        case .event(let name): .event(name)
        case .purchase: .purchase
        case .session: .session
        }
    }
}

extension FunnelQuestion {
    package var properties: ReportProperties {
        var properties = ReportProperties()
        for (number, step) in steps.enumerated() {
            properties.add(step, [constant, number == 0 ? breakdown?.property : nil])
        }
        for exclusion in exclusions { properties.add(exclusion.activity) }
        return properties
    }
}

extension RetentionQuestion {
    package var properties: ReportProperties {
        var properties = ReportProperties()
        properties.add(first, [breakdown?.property])
        properties.add(returning)
        return properties
    }
}

extension SeriesQuestion {
    package var properties: ReportProperties {
        var properties = ReportProperties()
        guard let activity else { return properties }
        var isPaid = false
        if case .revenue = figure { isPaid = true }
        properties.add(activity, [breakdown?.property], isPaid: isPaid)
        return properties
    }
}

extension PathsQuestion {
    package var properties: ReportProperties {
        var properties = ReportProperties()
        properties.add(start)
        return properties
    }
}

extension ControlGroupQuestion {
    package var properties: ReportProperties {
        var properties = ReportProperties()
        properties.add(activity, isPaid: currency != nil)
        return properties
    }
}
