import ContentFolders
import Foundation
import Model
import NoroshiWire
import Sends
import Server
import StoreSQL

/// What the console's review would say of the campaigns, journeys and in-app messages of a plan, were it
/// applied: read from a copy to which it is.
struct FolderReview {
    struct Found {
        let path: String
        let outlook: SendOutlook
        /// Whether it is a push, for which people need a device.
        let isPush: Bool
    }

    private let copy: WorkspaceHandle
    private let review: SendReview

    /// - Throws: `FolderError`, or an error of the database.
    static func found(_ folder: String, _ plan: FolderPlan, _ opened: WorkspaceHandle) async throws
        -> [Found]
    {
        let kinds: Set = ["campaign", "journey", "in_app_message"]
        let entries = plan.entries.filter { kinds.contains($0.kind) }
        guard !entries.isEmpty else { return [] }
        return try await DatabaseCopy.with(of: opened.settings.database) { copy in
            let changed = opened.with(copy.store)
            _ = try await ContentFolder(folder, changed, isCopy: true).applyToCopy()
            return try await CommandAudience.with(changed.store) { audience in
                try await FolderReview(
                    copy: changed,
                    review: copy.review(audience, now: ServerDependencies.live.now)
                ).found(entries)
            }
        }
    }

    private func found(_ entries: [FolderPlan.Entry]) async throws -> [Found] {
        var found: [Found] = []
        for entry in entries {
            guard let request = try await request(entry) else { continue }
            let outlook = try await review.outlook(of: request, in: copy.id)
            found.append(Found(path: entry.path, outlook: outlook, isPush: request.isPush))
        }
        return found
    }

    private func request(_ entry: FolderPlan.Entry) async throws -> SendReview.Request? {
        guard let id = entry.after.objectValue?["id"]?.stringValue.flatMap(UUID.init(uuidString:))
        else { return nil }
        switch entry.kind {
        case "campaign":
            let campaign = try await copy.store.campaign(apiID: id, in: copy.id)
            return campaign.map { SendReview.Request($0.content, runs: []) }
        case "journey":
            let journey = try await copy.store.journey(apiID: id, in: copy.id)
            return journey.map { SendReview.Request($0.draft) }
        default:
            return try await copy.store.inAppMessage(id, in: copy.id)
                .map { SendReview.Request($0) }
        }
    }
}
