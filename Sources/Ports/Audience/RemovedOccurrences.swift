import Segments

/// What is known of a user's occurrences of an activity that are only summed up.
///
/// Conditions on what a user did ever, first or last are exact with it. Within a shorter time the
/// first and the last one have their own times, and the others that of the first.
package struct RemovedOccurrences: Sendable, Hashable {
    package var profile: Int64
    package var count: Int
    /// Unix seconds.
    package var first: Int64
    package var last: Int64

    package init(profile: Int64, count: Int, first: Int64, last: Int64) {
        self.profile = profile
        self.count = count
        self.first = first
        self.last = last
    }

    /// Those together with others of the same user and activity.
    package mutating func add(_ other: RemovedOccurrences) {
        count += other.count
        first = min(first, other.first)
        last = max(last, other.last)
    }

    /// As occurrences, for evaluation one by one.
    package func events(of activity: Activity) -> [AudienceEvent] {
        func sum(_ count: Int, at time: Int64) -> AudienceEvent {
            var event = AudienceEvent(
                profile: profile,
                activity: activity,
                time: time,
                quantity: count
            )
            event.isSum = true
            return event
        }
        return (count > 1 ? [sum(count - 1, at: first)] : []) + [sum(1, at: last)]
    }
}
