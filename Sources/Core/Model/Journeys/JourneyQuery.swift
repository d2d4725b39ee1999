/// A filter on the journeys of a list.
package typealias JourneyQuery = ContentQuery<JourneyState, JourneyOrder>

package enum JourneyOrder: String, ContentOrder {
    case newestFirst, oldestFirst
    /// In the order of the alphabet, without regard to case.
    case name
    /// The one that was entered last first; those that never were come last.
    case lastEntry
    /// The one in which most people are now first.
    case inside
    /// The one with the most entries first.
    case entered
    /// The one with the highest share of entries that reached the goal first; those without a goal
    /// or an entry come last.
    case converted
}
