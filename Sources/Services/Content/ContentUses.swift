import Campaigns
import Foundation
import Model
import Ports
import Reasons

/// The uses of content blocks and catalogs: every object with a text that names them.
package struct ContentUses: Sendable {
    package typealias Source = CampaignStore & ContentBlockStore & InAppMessageStore & ReportStore

    /// An object with texts.
    package enum Holder: Sendable {
        case campaign(Campaign)
        case block(ContentBlock)
        case inAppMessage(InAppMessageDefinition)
        /// A push without a campaign that is not finished.
        case send(Send)

        package var name: String {
            switch self {
            case .campaign(let campaign): campaign.content.name
            case .block(let block): block.name
            case .inAppMessage(let message): message.name
            case .send(let send): send.content.message.headline
            }
        }

        /// Whether messages are sent from it now, or again once it goes on.
        package var isActive: Bool {
            switch self {
            case .campaign(let campaign): campaign.state == .active || campaign.state == .paused
            case .block(let block): block.state == .active
            case .inAppMessage(let message): message.state == .active || message.state == .paused
            case .send: true
            }
        }

        fileprivate var references: [ContentReferences] {
            switch self {
            case .campaign(let campaign): campaign.content.variants.flatMap(\.contentReferences)
            case .block(let block): [ContentReferences(block.content)]
            case .inAppMessage(let message):
                message.contents.flatMap(\.texts).map(ContentReferences.init)
            case .send(let send):
                ([send.content.message] + (send.content.platforms ?? [:]).values.map(\.message))
                    .flatMap(PushTemplates.texts)
                    .map(ContentReferences.init)
            }
        }
    }

    private static let pageLength = 200
    private static let openStates = Set(SendState.allCases).subtracting([.finished, .cancelled])

    private let holders: [(holder: Holder, references: [ContentReferences])]

    /// Searches all objects except archived campaigns and in-app messages.
    package init(store: any Source, in workspace: WorkspaceID) async throws {
        var holders: [Holder] = []
        holders += try await Self.pages { limit, offset in
            try await store.campaigns(
                in: workspace,
                matching: CampaignQuery(limit: limit, offset: offset),
                withJourneys: true
            ).campaigns
        }.map(Holder.campaign)
        holders += try await Self.pages { limit, offset in
            let query = ContentBlockQuery(limit: limit, offset: offset)
            return try await store.contentBlocks(in: workspace, matching: query)
        }.map(Holder.block)
        holders += try await Self.pages { limit, offset in
            try await store.inAppMessages(
                in: workspace,
                states: [.draft, .active, .paused],
                limit: limit,
                offset: offset
            )
        }.map(Holder.inAppMessage)
        holders += try await Self.pages { limit, offset in
            let query = SendQuery(states: Self.openStates, limit: limit, offset: offset)
            return try await store.sends(in: workspace, matching: query).sends
        }
        // The campaign of a launch is already included.
        .filter { $0.content.launch == nil }.map(Holder.send)
        self.holders = holders.map { ($0, $0.references) }
    }

    private static func pages<Row>(
        _ page: (_ limit: Int, _ offset: Int) async throws -> [Row]
    ) async throws -> [Row] {
        var rows: [Row] = []
        while true {
            let found = try await page(pageLength, rows.count)
            rows += found
            if found.count < pageLength { return rows }
        }
    }

    /// All blocks of the workspace, most recently changed first.
    package var blocks: [ContentBlock] {
        holders.compactMap { if case .block(let block) = $0.holder { block } else { nil } }
    }

    /// The reason why an object in use is not deleted.
    static func refusal(_ holders: [Holder]) -> RefusalError {
        let names = holders.prefix(3).map { "“\($0.name)”" }.joined(separator: ", ")
        return holders.count > 3
            ? RefusalError(
                .contentUsedByMore,
                ["names": .text(names), "count": "\(holders.count - 3)"]
            )
            : RefusalError(.contentUsed, ["names": .text(names)])
    }

    package func holders(ofBlock name: String) -> [Holder] {
        holders { $0.blocks.contains(name) }
    }

    package func holders(ofCatalog name: String) -> [Holder] {
        holders { $0.mentions(catalog: name) }
    }

    /// A message of a campaign.
    package struct CampaignMessage: Sendable, Hashable {
        package var campaign: UUID
        package var variant: UUID
    }

    /// The messages of campaigns that include a block in their own texts.
    package func messages(includingBlock name: String) -> [CampaignMessage] {
        var found: Set<CampaignMessage> = []
        for case .campaign(let campaign) in holders(ofBlock: name) {
            for variant in campaign.content.variants
            where variant.contentReferences.contains(where: { $0.blocks.contains(name) }) {
                found.insert(CampaignMessage(campaign: campaign.apiID, variant: variant.apiID))
            }
        }
        return found.sorted {
            ($0.campaign.uuidString, $0.variant.uuidString)
                < ($1.campaign.uuidString, $1.variant.uuidString)
        }
    }

    private func holders(where isUsed: (ContentReferences) -> Bool) -> [Holder] {
        holders.filter { $0.references.contains(where: isUsed) }.map(\.holder)
    }
}
