import Analytics
import Console
import Foundation
import Model
import Ports

/// Answers the console's questions about events and attributes.
struct EventsAdapter: EventPages {
    private static let mostAttributes = 200

    let store: any Store
    let figures: FigureCache
    let now: @Sendable () -> Date

    func events(_ query: EventQuery, for member: ConsoleMember) async throws -> EventList {
        let workspace = WorkspaceID(member.workspaceID)
        let found = try await store.eventSummaries(
            in: workspace,
            matching: query.text,
            limit: query.page.size,
            offset: query.page.offset
        )
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = member.timeZone
        let today = calendar.startOfDay(for: now())
        let boundaries = (0...query.days).compactMap {
            calendar.date(byAdding: .day, value: $0 - query.days + 1, to: today)
        }
        let names = found.events.map(\.name)
        // Days that are over are counted rarely, today's often.
        let page = "\(today) \(query.text) \(query.page.number)"
        let past = try await figures.value(of: .past(workspace), "events \(page)") {
            try await store.eventCounts(
                of: names,
                in: workspace,
                between: Array(boundaries.dropLast())
            )
        }
        let present = try await figures.value(of: .workspace(workspace), "events \(page)") {
            try await store.eventCounts(
                of: names,
                in: workspace,
                between: Array(boundaries.suffix(2))
            )
        }
        return EventList(
            rows: found.events.map { event in
                EventRow(
                    name: event.name,
                    lastAt: event.lastAt,
                    days: (past[event.name] ?? Array(repeating: 0, count: query.days - 1))
                        + (present[event.name] ?? [0]),
                    isBlocked: event.isBlocked
                )
            },
            total: found.total
        )
    }

    func attributes(for member: ConsoleMember) async throws -> [AttributeRow] {
        let workspace = WorkspaceID(member.workspaceID)
        return try await store.attributeSummaries(in: workspace, limit: Self.mostAttributes).map {
            AttributeRow(
                name: $0.name,
                share: $0.sample == 0 ? 0 : Double($0.profiles) / Double($0.sample),
                types: $0.types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .compactMap { ValueKind(rawValue: $0.key) },
                isBlocked: $0.isBlocked
            )
        }
    }

    func setBlocked(
        _ name: String,
        of kind: DataKind,
        to isBlocked: Bool,
        for member: ConsoleMember
    ) async throws {
        try await store.setBlocked(
            BlockedName(kind == .event ? .event : .attribute, name),
            to: isBlocked,
            in: WorkspaceID(member.workspaceID),
            now: now()
        )
    }
}
