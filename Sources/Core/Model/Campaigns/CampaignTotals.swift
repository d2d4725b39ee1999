/// The messages of all launches of a campaign.
package struct CampaignTotals: Sendable, Hashable {
    package var delivered: Int
    /// Direct and influenced opens.
    package var opened: Int

    package init(delivered: Int = 0, opened: Int = 0) {
        self.delivered = delivered
        self.opened = opened
    }
}
