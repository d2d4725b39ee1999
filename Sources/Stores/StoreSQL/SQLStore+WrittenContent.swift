import Foundation
import Model
import Ports
import Relational

extension SQLStore: WrittenContentStore {
    package func writtenContent(of workspace: WorkspaceID) async throws -> WrittenContent? {
        try await read { [unreadable] in
            try WrittenContentRows(workspace: workspace, database: $0).content(unreadable)
        }
    }

    package func writtenContentState(
        of workspace: WorkspaceID,
        identifiers: Set<UUID>
    ) async throws -> WrittenContentState? {
        try await read { [unreadable] in
            try WrittenContentRows(workspace: workspace, database: $0)
                .state(identifiers, unreadable)
        }
    }

    package func changeWrittenContent<Outcome: Sendable>(
        of workspace: WorkspaceID,
        identifiers: Set<UUID>,
        now: Date,
        _ change:
            @escaping @Sendable (WrittenContentState) throws -> (WrittenContentChanges, Outcome)
    ) async throws -> Outcome {
        try await write { [unreadable] database in
            let rows = WrittenContentRows(workspace: workspace, database: database)
            guard let state = try rows.state(identifiers, unreadable) else {
                throw StoreError(.unreadable, .noWorkspace, ["id": "\(workspace.rawValue)"])
            }
            let (changes, outcome) = try change(state)
            try WrittenContentWriter(workspace: workspace, now: now, database: database)
                .write(changes)
            return outcome
        }
    }
}
