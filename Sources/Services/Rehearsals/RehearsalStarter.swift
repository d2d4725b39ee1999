import Campaigns
import Foundation
import InAppMessages
import Journeys
import Model
import Ports
import Reasons

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
    func start(_ which: RehearsalStart) async throws -> [RehearsalResult.Problem] {
        if case .nothing = which { return [] }
        var problems: [RehearsalResult.Problem] = []
        func note(_ error: any Error, _ kind: RehearsalSource.Kind, _ name: String) {
            let source = RehearsalSource(kind: kind, name: name)
            problems.append(RehearsalResult.Problem(source: source, error: error))
        }
        let campaigns = try await Self.all { offset in
            try await parts.campaigns.campaigns(
                in: workspace,
                matching: CampaignQuery(order: .oldestFirst, limit: Self.page, offset: offset)
            ).campaigns
        }.filter { Self.wants(which, $0) }
        for campaign in campaigns {
            do {
                switch campaign.state {
                case .draft, .stopped:
                    try await parts.campaigns.take(.activate, with: campaign, by: actor)
                case .paused: try await parts.campaigns.take(.resume, with: campaign, by: actor)
                default: break
                }
            } catch {
                note(error, .campaign, campaign.content.name)
            }
        }
        let journeys = try await Self.all { offset in
            try await parts.journeys.journeys(
                in: workspace,
                matching: JourneyQuery(order: .oldestFirst, limit: Self.page, offset: offset)
            ).journeys
        }.filter { Self.wants(which, $0) }
        for journey in journeys {
            let isWaiting = journey.state == .draft || journey.state == .stopped
            do {
                if journey.state == .paused {
                    try await parts.journeys.take(.resume, with: journey, by: actor)
                }
                guard isWaiting || journey.hasUnpublishedChanges else { continue }
                _ = try await parts.journeys.publish(journey, by: actor)
            } catch {
                note(error, .journey, journey.draft.name)
            }
        }
        if case .named(_, _, let names) = which, !names.isEmpty {
            for message in try await messages(names) {
                do {
                    _ = try await parts.inApp.take(.activate, with: message, by: actor)
                } catch {
                    note(error, .inApp, message.name)
                }
            }
        }
        let found = campaigns.count + journeys.count
        if case .only(let name) = which, found != 1 {
            throw RehearsalProblem(
                found == 0 ? .noSource : .severalSources,
                ["name": .text(name)]
            )
        }
        return problems
    }

    /// Those of some names that are not shown yet.
    private func messages(_ names: Set<String>) async throws -> [InAppMessageDefinition] {
        try await Self.all { offset in
            try await parts.inApp.messages(in: workspace, limit: Self.page, offset: offset)
        }.filter { names.contains($0.name) && $0.steps.contains(.activate) }
    }

    private static func all<Row>(_ page: (_ offset: Int) async throws -> [Row]) async throws
        -> [Row]
    {
        var rows: [Row] = []
        while true {
            let next = try await page(rows.count)
            rows += next
            if next.count < Self.page { return rows }
        }
    }

    private static func wants(_ which: RehearsalStart, _ campaign: Campaign) -> Bool {
        switch which {
        case .nothing: false
        case .named(let campaigns, _, _): campaigns.contains(campaign.content.name)
        case .only(let name):
            name == campaign.content.name || name == campaign.apiID.uuidString.lowercased()
        }
    }

    private static func wants(_ which: RehearsalStart, _ journey: Journey) -> Bool {
        switch which {
        case .nothing: false
        case .named(_, let journeys, _): journeys.contains(journey.draft.name)
        case .only(let name):
            name == journey.draft.name || name == journey.apiID.uuidString.lowercased()
        }
    }
}
