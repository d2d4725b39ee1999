import Campaigns
import Console
import Foundation
import Model
import Ports

/// Which campaigns and content blocks use a content block or a catalog, read from their templates.
struct ContentUseIndex {
    /// More than that is not looked through.
    private static let limit = 1000

    let blocks: [ContentBlock]
    private let users: [(use: ContentUse, references: [ContentReferences])]

    init(store: any Store, workspace: WorkspaceID) async throws {
        blocks = try await store.contentBlocks(
            in: workspace,
            matching: ContentBlockQuery(limit: Self.limit)
        )
        let campaigns = try await store.campaigns(
            in: workspace,
            matching: CampaignQuery(limit: Self.limit)
        ).campaigns
        users =
            campaigns.map { campaign in
                (
                    ContentUse(
                        kind: .campaign(id: campaign.id.rawValue),
                        name: campaign.content.name,
                        isActive: campaign.state == .active || campaign.state == .paused
                    ),
                    campaign.content.variants.flatMap(\.contentReferences)
                )
            }
            + blocks.map { block in
                (
                    ContentUse(
                        kind: .block(id: block.id.uuidString.lowercased()),
                        name: block.name,
                        isActive: block.state == .active
                    ),
                    [ContentReferences(block.content)]
                )
            }
    }

    func uses(ofBlock name: String) -> [ContentUse] {
        uses { $0.blocks.contains(name) }
    }

    func uses(ofCatalog name: String) -> [ContentUse] {
        uses { $0.mentions(catalog: name) }
    }

    private func uses(where isUsed: (ContentReferences) -> Bool) -> [ContentUse] {
        users.filter { $0.references.contains(where: isUsed) }.map(\.use)
    }
}
