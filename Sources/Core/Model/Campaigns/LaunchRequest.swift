import Foundation

/// An occurrence of a campaign to launch as a send, or to skip.
package struct LaunchRequest: Sendable {
    /// The expected state of the campaign before the launch, and its state afterwards.
    package struct Advance: Sendable, Hashable {
        package var expectedDueAt: Date?
        package var nextDueAt: Date?
        /// Whether this is the last occurrence, after which the campaign is finished.
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
    /// `nil` skips the occurrence, for `skipReason`.
    package var content: SendContent?
    package var skipReason: String?
    /// The start of the send, which can be changed and cancelled until then.
    package var scheduledAt: Date
    package var advance: Advance?
    /// The triggers that become this send; it is launched only if all of them are still pending.
    package var triggers: [Int64]
    package var properties: [ProfileID: MessageProperties]
    /// An earlier occurrence with the same key, created before this time, is ignored.
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
        properties: [ProfileID: MessageProperties] = [:],
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
