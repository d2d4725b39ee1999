import Foundation
import Model
import Ports

/// Converts stored events to pending messages: each event once, in the order of storing.
struct TriggerPlanner: Sendable {
    /// Number of rows scanned in one step.
    private static let page = 5_000

    private let store: any Store

    init(store: any Store) {
        self.store = store
    }

    /// Reads the next events.
    ///
    /// - Returns: Whether there may be more.
    func readNext(now: Date) async throws -> Bool {
        let campaigns = try await store.triggeredCampaigns()
        guard !campaigns.isEmpty else { return false }
        var names: [WorkspaceID: Set<String>] = [:]
        for campaign in campaigns {
            guard case .actionBased(let trigger) = campaign.content.delivery else { continue }
            names[campaign.workspace, default: []].insert(trigger.event.eventName)
            if let exception = trigger.exception {
                names[campaign.workspace, default: []].insert(exception.eventName)
            }
        }
        let cursor = try await store.triggerCursor()
        let page = try await store.events(after: cursor, named: names, limit: Self.page)
        guard page.end > cursor else { return false }
        let changes = page.events.flatMap { event in
            campaigns.filter { $0.workspace == event.workspace }
                .flatMap { Self.changes($0, event, now: now) }
        }
        _ = try await store.commitTriggers(changes, from: cursor, to: page.end)
        return page.hasMore
    }

    /// The effect of one event on one campaign.
    static func changes(
        _ campaign: Campaign,
        _ event: TriggerPage.Event,
        now: Date
    ) -> [TriggerChange] {
        guard case .actionBased(let trigger) = campaign.content.delivery else { return [] }
        var changes: [TriggerChange] = []
        if let exception = trigger.exception,
            exception.matches(name: event.name, properties: event.properties)
        {
            changes.append(
                .cancel(campaign: campaign.id, profile: event.profile, before: event.time)
            )
        }
        let start = max(campaign.activatedAt ?? .distantPast, trigger.start ?? .distantPast)
        guard event.time >= start, event.time <= trigger.end ?? .distantFuture,
            trigger.event.matches(name: event.name, properties: event.properties)
        else { return changes }
        changes.append(
            .add(
                NewTrigger(
                    campaign: campaign.id,
                    profile: event.profile,
                    event: event.id,
                    triggeredAt: event.time,
                    dueAt: event.time.addingTimeInterval(trigger.delay),
                    properties: event.properties
                )
            )
        )
        return changes
    }
}
