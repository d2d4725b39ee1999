import Foundation
import Model
import Ports

/// Reports on campaigns, counted from the raw rows each time.
package struct CampaignReports: Sendable {
    let store: any Store

    package init(store: any Store) {
        self.store = store
    }

    /// The counts of one campaign, or of its sends with one `send_id`, in one period.
    package func figures(
        of campaign: Campaign,
        trackingID: String? = nil,
        from start: Date = .distantPast,
        to end: Date = .distantFuture
    ) async throws -> CampaignFigures {
        var conversions: [[CampaignConversion]] = []
        for event in campaign.content.conversions {
            conversions.append(
                try await store.conversions(
                    of: campaign.id,
                    trackingID: trackingID,
                    event: event.event,
                    window: event.window
                )
            )
        }
        return CampaignFigures(
            variants: try await store.variantFigures(
                of: campaign.id,
                trackingID: trackingID,
                from: start,
                to: end
            ),
            uniqueRecipients: try await store.uniqueRecipients(
                of: campaign.id,
                trackingID: trackingID,
                from: start,
                to: end
            ),
            conversions: conversions
        )
    }

    /// All texts that the campaign has had, by their numbers.
    package func variantRecords(of campaign: Campaign) async throws -> [CampaignVariantRecord] {
        try await store.variantRecords(of: campaign.id)
    }

    /// The index of the variant with the best rate among those with a weight; of equal ones the
    /// first.
    package func bestVariant(
        of campaign: Campaign,
        by measure: WinnerRule.Measure
    ) async throws -> Int {
        let figures = try await figures(of: campaign)
        let content = campaign.content
        var sent = Array(repeating: 0, count: content.variants.count)
        var wins = sent
        let places = Dictionary(
            content.variants.indices.map { (content.number(ofVariantAt: $0), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for variant in figures.variants {
            guard let place = places[variant.variant] else { continue }
            sent[place] += variant.sent
            if measure == .opens { wins[place] += variant.totalOpens }
        }
        if measure == .conversions {
            for conversion in figures.conversions.first ?? [] {
                guard let place = conversion.variant.flatMap({ places[$0] }) else { continue }
                wins[place] += 1
            }
        }
        let rates = zip(wins, sent).map { $1 == 0 ? 0 : Double($0) / Double($1) }
        // A variant without a weight was not tested and cannot win.
        return rates.indices.filter { content.variants[$0].weight > 0 }
            .max { rates[$0] < rates[$1] || (rates[$0] == rates[$1] && $0 > $1) } ?? 0
    }
}

/// The counts of a campaign in a period; conversions are not limited to the period.
package struct CampaignFigures: Sendable, Hashable {
    package var variants: [VariantCounts]
    package var uniqueRecipients: Int
    /// Per conversion event, in the order of the campaign.
    package var conversions: [[CampaignConversion]]

    package init(
        variants: [VariantCounts],
        uniqueRecipients: Int,
        conversions: [[CampaignConversion]]
    ) {
        self.variants = variants
        self.uniqueRecipients = uniqueRecipients
        self.conversions = conversions
    }
}
