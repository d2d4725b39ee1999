import Foundation

/// The content of a campaign. Each launch keeps a copy, so that later changes do not affect a
/// running send.
package struct CampaignContent: Sendable, Hashable, Codable {
    package var name: String
    package var note: String
    package var tags: [String]
    package var audience: Audience
    package var extraction: RecipientTiming
    package var delivery: CampaignDelivery
    /// One to eight variants; each user always gets the same one.
    package var variants: [CampaignVariant]
    /// The percentage of users in the control group, who get no message and are compared with the
    /// others.
    package var controlShare: Int
    package var winner: WinnerRule?
    package var reeligibility: Reeligibility
    /// Whether the campaign ignores the workspace's frequency caps and does not count toward them.
    package var isExemptFromCaps: Bool
    /// Whether the workspace's control group gets its messages too; `nil` means only if requests of
    /// the REST API trigger it.
    package var reachesControlGroup: Bool?
    package var quietHours: QuietHoursHandling
    /// Up to four; the first is the primary one.
    package var conversions: [ConversionEvent]
    package var messagesPerMinute: Int?

    package init(
        name: String,
        audience: Audience = .everyone,
        delivery: CampaignDelivery = .immediately,
        variants: [CampaignVariant]
    ) {
        self.name = name
        note = ""
        tags = []
        self.audience = audience
        extraction = .whenSent
        self.delivery = delivery
        self.variants = variants
        controlShare = 0
        winner = nil
        reeligibility = .never
        isExemptFromCaps = false
        reachesControlGroup = nil
        quietHours = .delay
        conversions = []
        messagesPerMinute = nil
    }
}

extension CampaignContent {
    /// Whether the workspace's control group gets nothing of it.
    package var withholdsFromControlGroup: Bool {
        !(reachesControlGroup ?? (delivery == .apiTriggered))
    }

    /// The number of the variant at an index, as stored in dispatches.
    package func number(ofVariantAt index: Int) -> Int { variants[index].number ?? index }

    /// The variant with a number stored in dispatches.
    package func variant(numbered number: Int) -> CampaignVariant? {
        variants.indices.first { self.number(ofVariantAt: $0) == number }.map { variants[$0] }
    }
}

/// When the recipients of a send are determined (抽出タイミング).
package enum RecipientTiming: String, Sendable, Hashable, Codable, CaseIterable {
    /// Recipients are fixed when the send is scheduled. Users who match later are not added; users
    /// who stop matching still receive it.
    case whenScheduled = "frozen"
    /// Recipients are determined when the send starts.
    case whenSent = "atDelivery"
}
