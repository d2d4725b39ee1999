/// A filter on the campaigns of a list.
package typealias CampaignQuery = ContentQuery<CampaignState, CampaignOrder>

package enum CampaignOrder: String, ContentOrder {
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
