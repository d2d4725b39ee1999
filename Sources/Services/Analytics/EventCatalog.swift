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
    private static let shownValues = 5
    private static let shownOccurrences = 10

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

    /// What the newest occurrences of an event say, and whether it is blocked; `nil` for a name that
    /// neither occurred nor is blocked.
    package func detail(
        of name: String,
        in workspace: WorkspaceID
    ) async throws -> (event: EventDetail, isBlocked: Bool)? {
        let isBlocked = try await store.blockedNames(in: workspace)
            .contains(BlockedName(.event, name))
        // The system's own events are not the app's.
        let found =
            name.hasPrefix("$")
            ? nil
            : try await store.eventDetail(
                of: name,
                in: workspace,
                values: Self.shownValues,
                latest: Self.shownOccurrences
            )
        guard found != nil || isBlocked else { return nil }
        return (found ?? EventDetail(sample: 0, properties: [], latest: []), isBlocked)
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
    /// - Throws: `NotAllowedError` for actors who are not administrators.
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
