import Foundation

/// What a person writes of a campaign; a launch keeps a copy, so that later changes do not reach a
/// send that runs.
package struct CampaignContent: Sendable, Hashable, Codable {
    package var name: String
    package var note: String
    package var tags: [String]
    package var audience: Audience
    package var extraction: ExtractionTiming
    package var delivery: CampaignDelivery
    /// One to eight; users keep theirs.
    package var variants: [CampaignVariant]
    /// The share of users, in per cent, who get nothing and are compared with the others.
    package var controlShare: Int
    package var winner: WinnerRule?
    package var reeligibility: Reeligibility
    /// Neither held back by the workspace's frequency caps nor counted in them.
    package var isExemptFromCaps: Bool
    package var quietHours: QuietHoursHandling
    /// Up to four; the first one is the primary one.
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
        extraction = .atDelivery
        self.delivery = delivery
        self.variants = variants
        controlShare = 0
        winner = nil
        reeligibility = .never
        isExemptFromCaps = false
        quietHours = .hold
        conversions = []
        messagesPerMinute = nil
    }
}

extension CampaignContent {
    /// What the ledger knows the variant at a place by.
    package func number(ofVariantAt index: Int) -> Int { variants[index].number ?? index }

    /// The variant that the ledger knows by a number.
    package func variant(numbered number: Int) -> CampaignVariant? {
        variants.indices.first { self.number(ofVariantAt: $0) == number }.map { variants[$0] }
    }
}

/// When the recipients of a send are picked (抽出タイミング).
package enum ExtractionTiming: String, Sendable, Hashable, Codable, CaseIterable {
    /// When it is reserved: who matches later is not added, who matches no longer still gets it.
    case frozen
    /// When it is sent.
    case atDelivery
}
