import Foundation
import Model
import Ports

/// The app's own events and attributes, and those that are blocked.
package struct EventCatalog: Sendable {
    /// An event and how often it occurred.
    package struct Event: Sendable, Hashable {
        package var summary: EventSummary
        /// Number of occurrences on each of the last days, oldest first.
        package var days: [Int]
    }

    package static let maxAttributes = 200

    private let store: any EventCatalogStore & ReportStore
    private let figures: ReportCache
    private let now: @Sendable () -> Date

    package init(
        store: any EventCatalogStore & ReportStore,
        figures: ReportCache,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.figures = figures
        self.now = now
    }

    /// The names of a page, in alphabetical order.
    package func names(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [String] {
        try await store.eventNames(in: workspace, limit: limit, offset: offset)
    }

    /// The events of a page, and the total number on all pages.
    package func summaries(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> (events: [EventSummary], total: Int) {
        try await store.eventSummaries(in: workspace, matching: "", limit: limit, offset: offset)
    }

    /// The events of a page with their daily counts, and the total number on all pages.
    ///
    /// - Parameters:
    ///   - text: A part of the name; empty for all events.
    ///   - days: Number of days, the last of which is today.
    ///   - zone: The time zone of the days.
    package func events(
        in workspace: WorkspaceID,
        matching text: String,
        days: Int,
        in zone: TimeZone,
        limit: Int,
        offset: Int
    ) async throws -> (events: [Event], total: Int) {
        let found = try await store.eventSummaries(
            in: workspace,
            matching: text,
            limit: limit,
            offset: offset
        )
        let boundaries = LocalDays(zone).days(days, endingAt: now())
        let names = found.events.map(\.name)
        // Past days are rarely counted again, today often.
        let page = "events \(boundaries.last ?? now()) \(text) \(limit) \(offset)"
        let past = try await figures.value(of: .past(workspace), page) {
            try await store.eventCounts(
                of: names,
                in: workspace,
                between: Array(boundaries.dropLast())
            )
        }
        let present = try await figures.value(of: .workspace(workspace), page) {
            try await store.eventCounts(
                of: names,
                in: workspace,
                between: Array(boundaries.suffix(2))
            )
        }
        let events = found.events.map { event in
            Event(
                summary: event,
                days: (past[event.name] ?? Array(repeating: 0, count: max(0, days - 1)))
                    + (present[event.name] ?? [0])
            )
        }
        return (events, found.total)
    }

    /// The most frequent custom attributes, from a sample of users.
    package func attributes(
        in workspace: WorkspaceID,
        limit: Int = Self.maxAttributes
    ) async throws -> [AttributeSummary] {
        try await store.attributeSummaries(in: workspace, limit: limit)
    }

    /// Blocks or unblocks a name.
    ///
    /// - Throws: `NotAllowed` for actors who are not administrators.
    package func setBlocked(
        _ name: BlockedName,
        to isBlocked: Bool,
        by actor: Actor
    ) async throws {
        try actor.require(.administrator)
        let action = "\(name.kind.rawValue)_\(isBlocked ? "blocked" : "allowed")"
        try await store.setBlocked(
            name,
            to: isBlocked,
            in: actor.workspace,
            noting: AuditRecord(at: now(), by: actor, action: action, subject: name.name),
            now: now()
        )
    }
}
