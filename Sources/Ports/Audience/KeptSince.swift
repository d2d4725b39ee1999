import Segments

/// The seconds before which occurrences are only summed up.
package struct KeptSince: Sendable, Hashable {
    /// Activities of which some are.
    package var activities: [Activity: Int64]
    /// What devices told about messages, of whatever message; `nil` where nothing is summed up.
    package var interactions: Int64?

    package init(activities: [Activity: Int64] = [:], interactions: Int64? = nil) {
        self.activities = activities
        self.interactions = interactions
    }

    package subscript(activity: Activity) -> Int64? {
        activity.isInteraction ? interactions : activities[activity]
    }
}
