import Audience
import Campaigns
import Drafts
import Foundation
import Journeys
import Model
import News
import WebPages

/// Which row of the workspace a page is about, by its address.
///
/// Every kind of row that files describe and that the console edits has a place here.
struct WrittenRowFinder {
    let site: ConsoleRenderer
    let context: ConsoleContext

    func row() async throws -> WrittenRow? {
        let path = context.address.split(separator: "?", omittingEmptySubsequences: false)[0]
        let parts = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        guard parts.first == "console" else { return nil }
        return try await row(parts.dropFirst())
    }

    private func row(_ parts: ArraySlice<String>) async throws -> WrittenRow? {
        guard let first = parts.first, let name = parts.dropFirst().first else { return nil }
        if name == "drafts" { return try await row(ofDraft: parts.dropFirst(2).first, in: first) }
        switch (first, name) {
        case ("settings", "workspace"): return WrittenRow(kind: "settings", id: "")
        case ("settings", "limits"), ("settings", "control-group"):
            return WrittenRow(kind: "limits", id: "")
        case ("reports", "saved"): return parts.dropFirst(2).first.flatMap { row("report", $0) }
        case ("catalogs", _): return WrittenRow(kind: "catalog", id: name)
        case ("blocks", _): return row("content_block", name)
        case ("in-app", _): return row("in_app_message", name)
        case ("segments", _), ("campaigns", _), ("journeys", _), ("news", _):
            guard let number = Int64(name) else { return nil }
            return try await row(first, number)
        default: return nil
        }
    }

    private func row(_ kind: String, _ id: String) -> WrittenRow? {
        UUID(uuidString: id).map { WrittenRow(kind: kind, id: $0.uuidString.lowercased()) }
    }

    private func row(_ folder: String, _ number: Int64) async throws -> WrittenRow? {
        let services = site.services
        let workspace = context.workspace
        switch folder {
        case "segments":
            let found = try await services.segments.segment(SegmentID(number), in: workspace)
            return found.map { WrittenRow(kind: "segment", id: $0.apiID.text) }
        case "campaigns":
            let found = try await services.campaigns.campaign(CampaignID(number), in: workspace)
            return found.map { WrittenRow(kind: "campaign", id: $0.apiID.text) }
        case "journeys":
            let found = try await services.journeys.journey(JourneyID(number), in: workspace)
            return found.map { WrittenRow(kind: "journey", id: $0.apiID.text) }
        case "news":
            let found = try await services.news.item(NewsID(number), in: workspace)
            return found.map { WrittenRow(kind: "news", id: $0.publicID.text) }
        default: return nil
        }
    }

    /// What a draft is to change, if it is there already.
    private func row(ofDraft id: String?, in folder: String) async throws -> WrittenRow? {
        guard let id = id.flatMap(UUID.init(uuidString:)),
            let draft = try await site.services.drafts.draft(id, in: context.workspace),
            !draft.subject.isEmpty
        else { return nil }
        return try await row([folder, draft.subject])
    }
}

extension UUID {
    fileprivate var text: String { uuidString.lowercased() }
}
