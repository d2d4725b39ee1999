import Console
import Foundation
import Model
import Ports

/// Which campaigns and content blocks use a content block or a catalog, read from their templates.
struct ContentUseIndex {
    /// More than that is not looked through.
    private static let limit = 1000

    let blocks: [ContentBlock]
    private let campaigns: [Campaign]

    init(store: any Store, workspace: WorkspaceID) async throws {
        blocks = try await store.contentBlocks(
            in: workspace,
            matching: ContentBlockQuery(limit: Self.limit)
        )
        campaigns = try await store.campaigns(
            in: workspace,
            matching: CampaignQuery(limit: Self.limit)
        ).campaigns
    }

    func uses(ofBlock name: String) -> [ContentUse] {
        uses { $0.contains("content_blocks.${\(name)}") }
    }

    func uses(ofCatalog name: String) -> [ContentUse] {
        uses { text in
            text.contains("catalog_") && text.split { !Self.isPartOfName($0) }.contains(name[...])
        }
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }

    private func uses(_ isUsed: (String) -> Bool) -> [ContentUse] {
        campaigns.filter { $0.content.texts.contains(where: isUsed) }.map {
            ContentUse(
                kind: .campaign(id: $0.id.rawValue),
                name: $0.content.name,
                isActive: $0.state == .active || $0.state == .paused
            )
        }
            + blocks.filter { isUsed($0.content) }.map {
                ContentUse(
                    kind: .block(id: $0.id.uuidString.lowercased()),
                    name: $0.name,
                    isActive: $0.state == .active
                )
            }
    }
}

extension CampaignContent {
    /// Every text that may hold Liquid.
    fileprivate var texts: [String] {
        variants.flatMap { variant in
            [
                variant.message.common, variant.message.ios, variant.message.android,
                variant.message.web,
            ]
            .compactMap { $0?.message }
            .flatMap { message in
                [message.title, message.subtitle, message.body, message.uri ?? ""]
                    + [message.customVariables ?? ""] + message.keyValuePairs.values
            }
        }
    }
}
