import Campaigns
import Foundation
import Journeys
import Model
import Ports

/// Starts what is to be rehearsed, as a member would.
struct RehearsalStarter {
    private static let page = 200

    private let store: any Store
    private let parts: RehearsalParts
    private let workspace: WorkspaceID

    init(_ store: any Store, _ parts: RehearsalParts, _ workspace: WorkspaceID) {
        self.store = store
        self.parts = parts
        self.workspace = workspace
    }

    private var actor: Actor { .commandLine(account: "rehearsal", workspace) }

    /// - Returns: What could not be started, and why.
    /// - Throws: `RehearsalProblem` if there is no such row.
    func start(_ which: RehearsalStart) async throws -> [String] {
        if case .nothing = which { return [] }
        var problems: [String] = []
        var found = 0
        var offset = 0
        while true {
            let page = try await parts.campaigns.campaigns(
                in: workspace,
                matching: CampaignQuery(order: .oldestFirst, limit: Self.page, offset: offset)
            ).campaigns
            for campaign in page where Self.wants(which, campaign) {
                found += 1
                guard campaign.state == .draft || campaign.state == .stopped else { continue }
                do {
                    try await parts.campaigns.take(.activate, with: campaign, by: actor)
                } catch {
                    problems.append("campaign '\(campaign.content.name)': \(error)")
                }
            }
            offset += page.count
            if page.count < Self.page { break }
        }
        offset = 0
        while true {
            let page = try await parts.journeys.journeys(
                in: workspace,
                matching: JourneyQuery(order: .oldestFirst, limit: Self.page, offset: offset)
            ).journeys
            for journey in page where Self.wants(which, journey) {
                found += 1
                let isWaiting = journey.state == .draft || journey.state == .stopped
                guard isWaiting || journey.hasUnpublishedChanges else { continue }
                do {
                    _ = try await parts.journeys.publish(journey, by: actor)
                } catch {
                    problems.append("journey '\(journey.draft.name)': \(error)")
                }
            }
            offset += page.count
            if page.count < Self.page { break }
        }
        if case .only(let name) = which, found != 1 {
            throw RehearsalProblem(
                found == 0
                    ? "there is no campaign or journey '\(name)'"
                    : "several campaigns or journeys are called '\(name)'; name one by its identifier"
            )
        }
        return problems
    }

    private static func wants(_ which: RehearsalStart, _ campaign: Campaign) -> Bool {
        switch which {
        case .nothing: false
        case .named(let campaigns, _): campaigns.contains(campaign.content.name)
        case .only(let name):
            name == campaign.content.name || name == campaign.apiID.uuidString.lowercased()
        }
    }

    private static func wants(_ which: RehearsalStart, _ journey: Journey) -> Bool {
        switch which {
        case .nothing: false
        case .named(_, let journeys): journeys.contains(journey.draft.name)
        case .only(let name):
            name == journey.draft.name || name == journey.apiID.uuidString.lowercased()
        }
    }
}

/// Why there is nothing to rehearse.
package struct RehearsalProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
