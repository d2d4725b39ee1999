import Analytics
import Campaigns
import Foundation
import Model
import Ports

/// The results of a campaign, for display.
package struct CampaignResults: Sendable, Hashable {
    package var recipients: Int
    package var variants: [VariantResult]
    /// Number of users in the control group.
    package var control: Int
    /// Conversions of each event, in the order of the content.
    package var conversions: [ConversionResult]
}

/// The results of one text of a variant, on all platforms.
package struct VariantResult: Sendable, Hashable {
    package enum Standing: String, Sendable, Hashable, CaseIterable {
        case current
        /// Its variant has a different text now.
        case earlier
        /// Its variant was removed.
        case removed
    }

    package var name: String
    /// The text that was sent.
    package var text: String
    package var standing: Standing
    package var sent: Int
    package var directOpens: Int
    package var influencedOpens: Int
    package var failed: Int

    package var opens: Int { directOpens + influencedOpens }
}

package struct ConversionResult: Sendable, Hashable {
    package var users: Int
    package var inControl: Int
    /// What the messages' conversions brought in, without the control group's; 0 unless the event is
    /// a purchase.
    package var revenue: Double
}

extension SendReports {
    /// The newest launches of a campaign.
    package func launches(of campaign: CampaignID, limit: Int) async throws -> [SendReport] {
        try await reports(of: store.sends(of: campaign, limit: limit, offset: 0))
    }

    /// The messages of campaigns; those that were never launched are missing.
    package func totals(of campaigns: [Campaign]) async throws -> [CampaignID: CampaignTotals] {
        try await CampaignReports(store: store).totals(of: campaigns)
    }

    /// The results of a campaign so far, recomputed after a change.
    package func results(of campaign: Campaign) async throws -> CampaignResults {
        let counted = try await figures.value(
            of: .workspace(campaign.workspace),
            "campaign \(campaign.id) \(campaign.updatedAt.timeIntervalSince1970)"
        ) {
            (
                figures: try await CampaignReports(store: store).figures(of: campaign),
                control: try await store.controlGroupUsers(of: campaign.id)
            )
        }
        return CampaignResults(
            recipients: counted.figures.uniqueRecipients,
            variants: Self.results(
                of: campaign.content,
                try await store.variantRecords(of: campaign.id),
                counted.figures.variants
            ),
            control: counted.control,
            conversions: counted.figures.conversions.map { found in
                ConversionResult(
                    users: Set(found.filter { $0.variant != nil }.map(\.profile)).count,
                    inControl: Set(found.filter { $0.variant == nil }.map(\.profile)).count,
                    revenue: found.filter { $0.variant != nil }.map(\.revenue).reduce(0, +)
                )
            }
        )
    }

    /// What the groups of a campaign say so far, recomputed after a change. Of one that compares
    /// nothing no row is read.
    package func experiment(of campaign: Campaign) async throws -> CampaignExperiment {
        let planned = CampaignExperiment(planned: campaign.content)
        guard planned.groups.count > 1 else { return planned }
        return try await figures.value(
            of: .workspace(campaign.workspace),
            "experiment \(campaign.id) \(campaign.updatedAt.timeIntervalSince1970)"
        ) {
            try await CampaignReports(store: store).experiment(of: campaign, at: now())
        }
    }

    /// The current texts in order, then the earlier ones.
    private static func results(
        of content: CampaignContent,
        _ records: [CampaignVariantRecord],
        _ figures: [VariantCounts]
    ) -> [VariantResult] {
        func result(
            _ number: Int,
            _ name: String,
            _ message: CampaignMessage,
            _ standing: VariantResult.Standing
        ) -> VariantResult {
            let parts = figures.filter { $0.variant == number }
            let direct = parts.map(\.directOpens).reduce(0, +)
            return VariantResult(
                name: name,
                text: message.common.message.body,
                standing: standing,
                sent: parts.map(\.sent).reduce(0, +),
                directOpens: direct,
                influencedOpens: parts.map(\.totalOpens).reduce(0, +) - direct,
                failed: parts.map(\.bounces).reduce(0, +)
            )
        }
        let present = content.variants.indices.map { index in
            let variant = content.variants[index]
            return result(
                content.number(ofVariantAt: index),
                variant.name,
                variant.message,
                .current
            )
        }
        let numbers = Set(content.variants.indices.map(content.number(ofVariantAt:)))
        let ids = Set(content.variants.map(\.apiID))
        let past = records.filter { !numbers.contains($0.number) }.map { record in
            result(
                record.number,
                record.name,
                record.message,
                ids.contains(record.apiID) ? .earlier : .removed
            )
        }
        return present + past.filter { $0.sent > 0 || $0.failed > 0 }
    }
}
