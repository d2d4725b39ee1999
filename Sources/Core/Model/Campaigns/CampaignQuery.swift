import Foundation

/// A filter on the campaigns of a list.
package struct CampaignQuery: Sendable, Hashable {
    package enum Order: String, Sendable, Hashable {
        case newestFirst, oldestFirst
        /// In the order of the alphabet, without regard to case.
        case name
        /// The one that was sent last first; those that never were come last.
        case lastSent
        /// The one with the most delivered messages first.
        case delivered
        /// The one with the highest open rate first; those without a message come last.
        case openRate
        /// The one that is launched next first; those that wait for no moment come last.
        case nextDue
    }

    /// A text in the name or a tag.
    package var text: String
    /// Empty means all except archived ones.
    package var states: Set<CampaignState>
    package var editedAfter: Date?
    /// Whether the messages of journeys are among them.
    package var includesJourneys = false
    package var order: Order
    package var limit: Int
    package var offset: Int

    package init(
        text: String = "",
        states: Set<CampaignState> = [],
        editedAfter: Date? = nil,
        order: Order = .newestFirst,
        limit: Int = 25,
        offset: Int = 0
    ) {
        self.text = text
        self.states = states
        self.editedAfter = editedAfter
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
