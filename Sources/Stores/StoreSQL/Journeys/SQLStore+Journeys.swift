import Foundation
import Model
import Ports
import Relational

extension SQLStore: JourneyStore {
    package func createJourney(
        _ definition: JourneyDefinition,
        apiID: UUID,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: @escaping @Sendable (JourneyID) -> AuditRecord?,
        now: Date
    ) async throws -> Journey {
        let text = try StoredJSON.text(definition)
        return try await write { database in
            try origin.begin(in: workspace, database)
            let number = try Int64.fetchOnly(
                database,
                sql: """
                    INSERT INTO journeys
                        (workspace_id, api_id, state, name, draft, created_at, updated_at)
                    VALUES (?, ?, 'draft', ?, ?, ?, ?) RETURNING id
                    """,
                arguments: [
                    workspace.rawValue, apiID, definition.name, text, now.milliseconds,
                    now.milliseconds,
                ]
            )
            let id = JourneyID(number)
            try origin.finish(as: String(id.rawValue), in: workspace, database)
            try Self.addAudit(audit(id), in: workspace, database)
            return try Self.stored(id, database)
        }
    }

    /// A journey that this transaction has written.
    private static func stored(_ id: JourneyID, _ database: Database) throws -> Journey {
        guard let journey = try Journey.fetch(id, database) else {
            throw StoreError(.unreadable, .noJourney, ["id": "\(id)"])
        }
        return journey
    }

    package func journey(_ id: JourneyID) async throws -> Journey? {
        try await read { database in try Journey.fetch(id, database) }
    }

    package func journey(apiID: UUID, in workspace: WorkspaceID) async throws -> Journey? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM journeys WHERE api_id = ? AND workspace_id = ?",
                arguments: [apiID, workspace.rawValue]
            ).map(Journey.init(row:))
        }
    }

    package func journeys(
        in workspace: WorkspaceID,
        matching query: JourneyQuery
    ) async throws -> (journeys: [Journey], total: Int) {
        var page = PagedQuery(
            "journeys",
            workspace: workspace.rawValue,
            limit: query.limit,
            offset: query.offset
        )
        try page.filter(
            query,
            content: "draft",
            states: JourneyState.allCases.filter { $0 != .archived }
        )
        let order = Self.order(query.order)
        let found = try await read { [page, unreadable] in
            try page.fetch($0, unreadable, orderedBy: order, Journey.init(row:))
        }
        return (found.items, found.total)
    }

    private static func order(_ order: JourneyQuery.Order) -> String {
        func entries(_ count: String) -> String {
            "(SELECT \(count) FROM journey_entries WHERE journey_id = journeys.id)"
        }
        switch order {
        case .newestFirst: return "id DESC"
        case .oldestFirst: return "id"
        case .name: return "lower(name), id"
        case .lastEntry: return "last_entry_at DESC NULLS LAST, id DESC"
        case .inside: return "\(entries("count(*) - count(end)")) DESC, id DESC"
        case .entered: return "\(entries("count(*)")) DESC, id DESC"
        case .converted:
            return """
                iif(draft ->> '$.goal' IS NULL, NULL,
                    \(entries("1.0 * count(converted_at) / nullif(count(*), 0)"))) DESC NULLS LAST,
                id DESC
                """
        }
    }

    package func updateJourney(
        _ id: JourneyID,
        draft: JourneyDefinition,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool {
        let text = try StoredJSON.text(draft)
        return try await write { database in
            guard let journey = try Journey.fetch(id, database), journey.state != .archived else {
                return false
            }
            try origin.begin(in: journey.workspace, database)
            try origin.check(
                "SELECT updated_at FROM journeys WHERE id = ?",
                id.rawValue,
                database
            )
            try database.execute(
                sql: """
                    UPDATE journeys SET name = ?1, draft = ?2,
                        is_changed = iif(version IS NOT NULL AND (is_changed OR draft <> ?2), 1, 0),
                        updated_at = max(?3, updated_at + 1) WHERE id = ?4
                    """,
                arguments: [draft.name, text, now.milliseconds, id.rawValue]
            )
            try origin.finish(as: String(id.rawValue), in: journey.workspace, database)
            try Self.addAudit(audit, in: journey.workspace, database)
            return true
        }
    }

    package func publishJourney(
        _ request: JourneyPublication,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Journey? {
        try await write { database in
            guard let journey = try Journey.fetch(request.journey, database),
                journey.state != .archived,
                journey.updatedAt.milliseconds == request.draftedAt.milliseconds
            else { return nil }
            let writer = JourneyPublisher(journey: journey, database: database, now: now)
            try writer.publish(request)
            try Self.addAudit(audit, in: journey.workspace, database)
            return try Self.stored(journey.id, database)
        }
    }

    package func journeyVersion(
        _ number: Int,
        of journey: JourneyID
    ) async throws -> JourneyVersion? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM journey_versions WHERE journey_id = ? AND number = ?",
                arguments: [journey.rawValue, number]
            ).map(JourneyVersion.init(row:))
        }
    }

    package func journeyVersions(of journey: JourneyID) async throws -> [JourneyVersion] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT * FROM journey_versions WHERE journey_id = ? ORDER BY number DESC
                        """,
                    arguments: [journey.rawValue]
                ),
                of: "journey_versions",
                JourneyVersion.init(row:)
            )
        }
    }

    package func transitionJourney(
        _ id: JourneyID,
        from origins: Set<JourneyState>,
        to state: JourneyState?,
        version: Date?,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> [SendID]? {
        let moved: [SendID]? = try await write { database in
            guard let journey = try Journey.fetch(id, database), origins.contains(journey.state),
                version == nil || version?.milliseconds == journey.updatedAt.milliseconds
            else { return nil }
            let writer = JourneyPublisher(journey: journey, database: database, now: now)
            let sends = try writer.move(to: state)
            try Self.addAudit(audit, in: journey.workspace, database)
            return sends
        }
        if state == .stopped {
            for send in moved ?? [] { try await skipQueued(of: send, now: now) }
        }
        return moved
    }
}
