import Foundation
import InAppMessages
import Model
import Ports

/// What makes people of a rehearsal depend on each other, so that one has to play all of them: a limit that they
/// share, and whatever depends on whose message comes first.
struct RehearsalTies {
    private static let page = 200

    let store: any Store
    let workspace: WorkspaceID
    let inApp: InAppMessageService

    func exist() async throws -> Bool {
        for place in try await store.workspaces() {
            if try await store.pushLimit(of: place.id) != nil { return true }
            if try await bindsByCampaigns(place.id) { return true }
        }
        for send in try await store.sendsBegun(by: .distantFuture) {
            if send.content.messagesPerMinute != nil || Self.binds(send.content) { return true }
        }
        for message in try await inApp.active(in: workspace) where Self.binds(message.message) {
            return true
        }
        if try await bindsByJourneys() { return true }
        return try await bindsByBlocks()
    }

    private func bindsByCampaigns(_ place: WorkspaceID) async throws -> Bool {
        var query = CampaignQuery(order: .oldestFirst, limit: Self.page)
        while true {
            let page =
                try await store
                .campaigns(in: place, matching: query, withJourneys: true).campaigns
            for campaign in page where Self.binds(campaign.content) { return true }
            guard page.count == query.limit else { return false }
            query.offset += page.count
        }
    }

    private func bindsByJourneys() async throws -> Bool {
        var query = JourneyQuery(order: .oldestFirst, limit: Self.page)
        while true {
            let page = try await store.journeys(in: workspace, matching: query).journeys
            for journey in page {
                let versions = try await store.journeyVersions(of: journey.id)
                if versions.contains(where: { Self.binds($0.definition) }) { return true }
            }
            guard page.count == query.limit else { return false }
            query.offset += page.count
        }
    }

    private func bindsByBlocks() async throws -> Bool {
        var query = ContentBlockQuery(limit: Self.page)
        while true {
            let page = try await store.contentBlocks(in: workspace, matching: query)
            for block in page where Self.binds(block.content) { return true }
            guard page.count == query.limit else { return false }
            query.offset += page.count
        }
    }

    /// A test that looks for its winner asks all people together.
    private static func binds(_ content: CampaignContent) -> Bool {
        if content.messagesPerMinute != nil || content.winner != nil { return true }
        return binds(content as any Encodable)
    }

    private static func binds(_ content: any Encodable) -> Bool {
        guard let bytes = try? JSONEncoder().encode(content) else { return true }
        return binds(String(decoding: bytes, as: UTF8.self))
    }

    /// Messages have numbers, catalogs draw and servers are asked again in the order of messages; and a text that
    /// was too dear for some is given up for all others.
    static func binds(_ text: String) -> Bool {
        let words = ["dispatch_id", "catalog_selection", ":retry", "append", "prepend"]
        if words.contains(where: { text.contains($0) }) { return true }
        return text.components(separatedBy: "{%").dropFirst().contains { tag in
            let name = tag.drop { $0 == "-" || $0.isWhitespace }
            return name.hasPrefix("for") || name.hasPrefix("tablerow")
        }
    }
}
