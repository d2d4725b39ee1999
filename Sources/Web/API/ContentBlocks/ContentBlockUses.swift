import Campaigns
import Foundation
import Model
import Ports

/// Which campaigns include which content blocks, in their own texts.
struct ContentBlockUses {
    /// A message of a campaign that includes a block.
    struct Place: Hashable {
        var campaign: UUID
        var variant: UUID
    }

    private let uses: ContentUses

    init(store: any ContentUses.Source, in workspace: WorkspaceID) async throws {
        uses = try await ContentUses(store: store, in: workspace)
    }

    func places(of block: ContentBlock) -> [Place] {
        var places: Set<Place> = []
        for case .campaign(let campaign) in uses.holders(ofBlock: block.name) {
            for variant in campaign.content.variants
            where variant.contentReferences.contains(where: { $0.blocks.contains(block.name) }) {
                places.insert(Place(campaign: campaign.apiID, variant: variant.apiID))
            }
        }
        return places.sorted {
            ($0.campaign.uuidString, $0.variant.uuidString)
                < ($1.campaign.uuidString, $1.variant.uuidString)
        }
    }
}
