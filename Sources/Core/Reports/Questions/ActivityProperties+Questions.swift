import Segments

/// What reports look at.
extension ActivityProperties {
    /// - Parameters:
    ///   - paths: Into the properties, besides those of the activity's conditions.
    ///   - isPaid: Whether it is asked what was paid.
    mutating func add(
        _ activity: ReportActivity,
        _ paths: [AttributePath?] = [],
        isPaid: Bool = false
    ) {
        add(activity.propertyNames(paths, isPaid: isPaid), of: activity.activity)
    }

    package static let currency = "currency"
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

    /// The names of the properties that it needs; empty where columns know all that is asked.
    ///
    /// - Parameters:
    ///   - paths: Into the properties, besides those of its conditions.
    ///   - isPaid: Whether it is asked what was paid.
    package func propertyNames(_ paths: [AttributePath?], isPaid: Bool) -> Set<String> {
        var others = Set(paths.compactMap { $0?.name })
        if isPaid { others.formUnion([ActivityProperties.currency, ActivityProperties.price]) }
        return condition.propertyNames(besides: others)
    }
}

extension FunnelQuestion {
    package var properties: ActivityProperties {
        var properties = ActivityProperties()
        for (number, step) in steps.enumerated() {
            properties.add(step, [constant, number == 0 ? breakdown?.property : nil])
        }
        for exclusion in exclusions { properties.add(exclusion.activity) }
        return properties
    }
}

extension RetentionQuestion {
    package var properties: ActivityProperties {
        var properties = ActivityProperties()
        properties.add(first, [breakdown?.property])
        properties.add(returning)
        return properties
    }
}

extension SeriesQuestion {
    package var properties: ActivityProperties {
        var properties = ActivityProperties()
        guard let activity else { return properties }
        var isPaid = false
        if case .revenue = figure { isPaid = true }
        properties.add(activity, [breakdown?.property], isPaid: isPaid)
        return properties
    }
}

extension PathsQuestion {
    package var properties: ActivityProperties {
        var properties = ActivityProperties()
        properties.add(start)
        return properties
    }
}

extension ControlGroupQuestion {
    package var properties: ActivityProperties {
        var properties = ActivityProperties()
        properties.add(activity, isPaid: currency != nil)
        return properties
    }
}
