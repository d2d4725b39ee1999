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

    private static let pageLength = 200

    private var places: [String: Set<Place>] = [:]

    /// Reads the campaigns that are not archived.
    init(store: any CampaignStore, in workspace: WorkspaceID) async throws {
        var offset = 0
        while true {
            let query = CampaignQuery(limit: Self.pageLength, offset: offset)
            let found = try await store.campaigns(in: workspace, matching: query).campaigns
            for campaign in found {
                for variant in campaign.content.variants {
                    let place = Place(campaign: campaign.apiID, variant: variant.apiID)
                    for name in variant.contentReferences.flatMap(\.blocks) {
                        places[name, default: []].insert(place)
                    }
                }
            }
            offset += found.count
            if found.count < Self.pageLength { return }
        }
    }

    func places(of block: ContentBlock) -> [Place] {
        (places[block.name] ?? []).sorted {
            ($0.campaign.uuidString, $0.variant.uuidString)
                < ($1.campaign.uuidString, $1.variant.uuidString)
        }
    }
}
