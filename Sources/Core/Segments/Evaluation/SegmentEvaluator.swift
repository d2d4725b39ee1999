/// Decides from a user's rows alone whether the user is in a segment.
///
/// It defines the meaning of the language: short, without columns or caches. Every faster
/// evaluation must agree with it.
package struct SegmentEvaluator {
    /// A test, and the time zone if its meaning depends on it.
    private struct MatcherKey: Hashable {
        let test: ValueTest
        let zone: String?
    }

    private let time: EvaluationTime
    let directory: any SegmentResolver
    /// Calendars by the names of time zones; many users share a few zones.
    private var calendars: [String?: UserCalendar] = [:]
    /// Compiled tests by their definition, because one pattern is applied to many users.
    private var matchers: [MatcherKey: ValueMatcher] = [:]

    package init(
        at time: EvaluationTime,
        directory: any SegmentResolver = InMemorySegmentResolver()
    ) {
        self.time = time
        self.directory = directory
    }

    /// The calendar of users with a time zone of this name.
    package mutating func calendar(inZone name: String?) -> UserCalendar {
        if let known = calendars[name] { return known }
        let calendar = time.calendar(inZone: name)
        calendars[name] = calendar
        return calendar
    }

    /// - Parameter events: The user's own occurrences, in any order.
    package mutating func contains(
        _ profile: AudienceProfile,
        events: [AudienceEvent],
        in rule: SegmentRule
    ) throws(PatternError) -> Bool {
        switch rule {
        case .all(let rules):
            for rule in rules where try !contains(profile, events: events, in: rule) {
                return false
            }
            return true
        case .any(let rules):
            for rule in rules where try contains(profile, events: events, in: rule) {
                return true
            }
            return false
        case .not(let inner):
            return try !contains(profile, events: events, in: inner)
        case .condition(let condition):
            return try holds(condition, for: profile, events: events)
        }
    }

    /// Whether one filter holds. A segment or list that does not exist contains no users.
    package mutating func holds(
        _ condition: SegmentCondition,
        for profile: AudienceProfile,
        events: [AudienceEvent]
    ) throws(PatternError) -> Bool {
        switch condition {
        case .attribute(let reference, let test):
            switch value(of: reference, for: profile) {
            case .one(let value): return try passes(value, test, in: profile.timeZone)
            case .many(let values): return try passes(anyOf: values, test, in: profile.timeZone)
            }
        case .activity(let activity):
            return try holds(activity, events: events, in: profile.timeZone)
        case .device(let rule):
            for device in profile.devices where try holds(rule, for: device) { return true }
            return false
        case .segment(let id):
            guard let rule = directory.rule(ofSegment: id) else { return false }
            return try contains(profile, events: events, in: rule)
        case .list(let id):
            return directory.list(id, contains: profile.rowID)
        case .controlGroup:
            return directory.controlGroupContains(profile.rowID)
        }
    }

    package enum Reached {
        case one(AttributeValue?)
        case many([AttributeValue])
    }

    /// The values that a filter on the attribute tests.
    package mutating func value(
        of reference: AttributeReference,
        for profile: AudienceProfile
    ) -> Reached {
        switch reference {
        case .standard(.age):
            let calendar = calendar(inZone: profile.timeZone)
            let years = profile.dateOfBirth.map(calendar.years(since:))
            return .one(years.map { .number(Double($0)) })
        case .standard(let attribute):
            return .one(profile.value(of: attribute))
        case .custom(let path):
            let values = path.values(in: profile.custom)
            return path.reachesMany ? .many(values) : .one(values.first)
        }
    }

    package mutating func holds(
        _ rule: DeviceRule,
        for device: AudienceDevice
    ) throws(PatternError) -> Bool {
        switch rule {
        case .all(let rules):
            for rule in rules where try !holds(rule, for: device) { return false }
            return true
        case .any(let rules):
            for rule in rules where try holds(rule, for: device) { return true }
            return false
        case .not(let inner): return try !holds(inner, for: device)
        case .field(let field, let test): return try passes(device.value(of: field), test, in: nil)
        }
    }

    private mutating func holds(
        _ condition: ActivityCondition,
        events: [AudienceEvent],
        in zone: String?
    ) throws(PatternError) -> Bool {
        var summary = ActivitySummary()
        for event in events where try counts(event, for: condition, in: zone) {
            summary.add(event)
        }
        return summary.satisfies(condition.measure, on: calendar(inZone: zone))
    }

    /// Whether the condition counts an occurrence.
    ///
    /// - Parameter zone: The name of the user's time zone.
    package mutating func counts(
        _ event: AudienceEvent,
        for condition: ActivityCondition,
        in zone: String?
    ) throws(PatternError) -> Bool {
        guard condition.subject.includes(event), !event.isSum || condition.properties.isEmpty
        else { return false }
        if condition.from != nil || condition.until != nil {
            let calendar = calendar(inZone: zone)
            if let from = condition.from, event.time < from.seconds(on: calendar) { return false }
            if let until = condition.until, event.time >= until.seconds(on: calendar) {
                return false
            }
        }
        for property in condition.properties {
            let values = property.path.values(in: event.properties)
            if try !passes(values, property, in: zone) { return false }
        }
        return true
    }

    /// Whether the values that a property's path reaches are what is asked of it.
    package mutating func passes(
        _ values: [AttributeValue],
        _ property: ActivityCondition.Property,
        in zone: String?
    ) throws(PatternError) -> Bool {
        property.path.reachesMany
            ? try passes(anyOf: values, property.test, in: zone)
            : try passes(values.first, property.test, in: zone)
    }

    private mutating func passes(
        _ value: AttributeValue?,
        _ test: ValueTest,
        in zone: String?
    ) throws(PatternError) -> Bool {
        let key = try compile(test, zone)
        let isPassed = matchers[key]?.passes(value) ?? false
        try checkCost(key)
        return isPassed
    }

    private mutating func passes(
        anyOf values: [AttributeValue],
        _ test: ValueTest,
        in zone: String?
    ) throws(PatternError) -> Bool {
        let key = try compile(test, zone)
        let isPassed = matchers[key]?.passes(anyOf: values) ?? false
        try checkCost(key)
        return isPassed
    }

    private func checkCost(_ key: MatcherKey) throws(PatternError) {
        if matchers[key]?.isExhausted == true { throw .tooCostly }
    }

    private mutating func compile(
        _ test: ValueTest,
        _ zone: String?
    ) throws(PatternError) -> MatcherKey {
        let key = MatcherKey(test: test, zone: test.dependsOnCalendar ? zone : nil)
        if matchers[key] == nil {
            matchers[key] = try ValueMatcher(test, on: calendar(inZone: key.zone))
        }
        return key
    }
}
