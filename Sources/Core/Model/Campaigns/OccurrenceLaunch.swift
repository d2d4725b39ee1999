import Foundation

/// One occurrence of a campaign that is to become a send, or to be passed over.
package struct OccurrenceLaunch: Sendable {
    /// What must still be true of the campaign, and what is true of it afterwards.
    package struct Advance: Sendable, Hashable {
        package var expectedDueAt: Date?
        package var nextDueAt: Date?
        /// Whether this was the last one: the campaign is then over.
        package var isLast: Bool

        package init(expectedDueAt: Date?, nextDueAt: Date?, isLast: Bool) {
            self.expectedDueAt = expectedDueAt
            self.nextDueAt = nextDueAt
            self.isLast = isLast
        }
    }

    package var campaign: CampaignID
    /// Unique in the campaign.
    package var key: String
    package var dueAt: Date
    /// `nil` passes it over, for `skipReason`.
    package var content: SendContent?
    package var skipReason: String?
    /// When the send begins; before, it can be changed and cancelled.
    package var scheduledAt: Date
    package var advance: Advance?
    /// Triggers that become this send; it is launched only if all of them still wait.
    package var triggers: [Int64]
    package var properties: [ProfileID: DispatchProperties]
    /// An occurrence of the same key made before is forgotten.
    package var keyExpiredBefore: Date?

    package init(
        campaign: CampaignID,
        key: String,
        dueAt: Date,
        content: SendContent?,
        skipReason: String? = nil,
        scheduledAt: Date,
        advance: Advance? = nil,
        triggers: [Int64] = [],
        properties: [ProfileID: DispatchProperties] = [:],
        keyExpiredBefore: Date? = nil
    ) {
        self.campaign = campaign
        self.key = key
        self.dueAt = dueAt
        self.content = content
        self.skipReason = skipReason
        self.scheduledAt = scheduledAt
        self.advance = advance
        self.triggers = triggers
        self.properties = properties
        self.keyExpiredBefore = keyExpiredBefore
    }
}
