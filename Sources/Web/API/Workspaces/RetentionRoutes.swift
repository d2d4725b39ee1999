import Accounts
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Reasons
import Retention

/// `/workspace/retention`: how long rows are kept that figures do without.
struct RetentionRoutes: Sendable {
    let workspaces: WorkspaceService
    let retention: RetentionService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/workspace/retention",
                "workspace.retention",
                "Tells how long record ids, the audit log, events, sessions, reports and pushes are kept, and since when",
                answers: Self.answer
            ) { call in try await show(call) },
            .post(
                "/workspace/retention/update",
                "workspace.retention.update",
                "Changes how long record ids, the audit log, events, sessions, reports and pushes are kept",
                success: .ok,
                takes: .object(
                    Dictionary(
                        uniqueKeysWithValues: RetainedKind.allCases.map {
                            ($0.field.rawValue, Self.days(of: $0))
                        }
                    )
                ),
                answers: Self.answer
            ) { try await change($0) }.recordingItself,
        ]
    }

    private static func days(of kind: RetainedKind) -> Schema {
        Schema.integer(kind.bounds).orNull.described("Days; null keeps them for ever.")
    }

    private static let mostHolders = 100

    private static let answer = Schema.success([
        "retention": Schema.list(
            of: .object([
                "kind": Schema.choice(RetainedKind.allCases.map(\.rawValue)).required,
                "days": Schema.count.orNull.required.described("null keeps them for ever."),
                "kept_since": Schema.time.orNull.required
                    .described("Those from then on are all there; null if none was removed."),
                "removed_rows": Schema.count.required,
                "last_run_at": Schema.time.orNull.required,
                "state": Schema.choice(RetentionState.Phase.allCases.map(\.rawValue)).required,
                "kept_for": Schema.list(
                    of: .object([
                        "type": Schema.choice(["campaign", "in_app_message"]).required,
                        "id": Schema.uuid.required,
                        "name": Schema.text.required,
                    ]),
                    limit: mostHolders
                ).required.described(
                    "The first by name of those whose conversions or goals are counted from rows, which stay for them."
                ),
            ]),
            limit: RetainedKind.allCases.count
        ).required
    ])

    private func show(_ call: RESTEndpoint.Call) async throws -> Response {
        try await answer(workspaces.workspace(call.workspace))
    }

    private func change(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var changes: [(kind: RetainedKind, days: Int?)] = []
        for kind in RetainedKind.allCases {
            let field = kind.field.rawValue
            if reader.isNull(field) {
                changes.append((kind, nil))
            } else if let days = try reader.wholeNumber(field, kind.bounds) {
                changes.append((kind, days))
            }
        }
        let workspace = try await workspaces.change(by: .key(call.key)) { [changes] settings in
            for change in changes { settings.retention[change.kind] = change.days }
        }
        return try await answer(workspace)
    }

    private func answer(_ workspace: Workspace) async throws -> Response {
        func time(_ date: Date?) -> JSONValue {
            date.map { .string(Timestamp.format($0)) } ?? .null
        }
        let states = try await retention.states(in: workspace).map { state -> JSONValue in
            [
                "kind": .string(state.kind.rawValue),
                "days": state.days.map { .integer(Int64($0)) } ?? .null,
                "kept_since": time(state.keptSince),
                "removed_rows": .integer(Int64(state.removed)),
                "last_run_at": time(state.lastRunAt),
                "state": .string(state.phase.rawValue),
                "kept_for": .array(state.holders.prefix(Self.mostHolders).map(Self.json)),
            ]
        }
        return try JSONResponse.json(["message": "success", "retention": .array(states)])
    }

    private static func json(_ holder: RetentionHolder) -> JSONValue {
        let (type, id): (String, UUID) =
            switch holder.subject {
            case .campaign(_, let apiID): ("campaign", apiID)
            case .inAppMessage(let id): ("in_app_message", id)
            }
        return [
            "type": .string(type), "id": .string(id.uuidString.lowercased()),
            "name": .string(holder.name),
        ]
    }
}
