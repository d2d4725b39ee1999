import Model
import Ports
import Segments
import Synchronization

/// The columns of all workspaces and their position in the history of the rows.
///
/// Columns and position change together and in one place, so that no change is applied twice,
/// wherever reading stops.
final class AudienceReplica: Sendable {
    private struct State {
        var audiences: [WorkspaceID: AudienceStore] = [:]
        var position: AudiencePosition
    }

    private let state: Mutex<State>
    private let policy: AudiencePolicy

    /// Builds the columns from all rows.
    static func build(
        from view: any AudienceView,
        of workspaces: [WorkspaceID],
        policy: AudiencePolicy,
        progress: (WorkspaceID, AudienceProgress) -> Void
    ) async throws -> AudienceReplica {
        let replica = AudienceReplica(position: view.position, policy: policy)
        for workspace in workspaces {
            let columns = try await AudienceBuilder.build(
                from: view.rows(of: workspace),
                policy: policy
            ) { progress(workspace, $0) }
            replica.state.withLock { state in
                replica.audience(of: workspace, &state).replace(with: columns)
            }
        }
        return replica
    }

    /// Columns without users, at a position in the history of the rows.
    init(position: AudiencePosition, policy: AudiencePolicy) {
        state = Mutex(State(position: position))
        self.policy = policy
    }

    var position: AudiencePosition { state.withLock { $0.position } }

    /// Number of users of all workspaces.
    var count: Int {
        state.withLock { $0.audiences.values.reduce(0) { $0 + $1.snapshot().count } }
    }

    /// The columns of a workspace; `nil` if it never had a user.
    func columns(of workspace: WorkspaceID) -> AudienceColumns? {
        state.withLock { $0.audiences[workspace] }?.snapshot()
    }

    /// The columns of a workspace; empty for a new one.
    private func audience(of workspace: WorkspaceID, _ state: inout State) -> AudienceStore {
        if let known = state.audiences[workspace] { return known }
        let new = AudienceStore(policy: policy)
        new.replace(with: AudienceColumns(policy: policy))
        state.audiences[workspace] = new
        return new
    }

    /// Applies all changes so far. Changes applied before an error remain applied, and the next
    /// call continues after them.
    func advance(from store: any AudienceRowStore) async throws {
        while true {
            let before = position
            guard let delta = try await store.audienceDelta(after: before) else { return }
            state.withLock { state in
                // A concurrent call has already applied it.
                guard state.position == before else { return }
                for (workspace, change) in delta.changes {
                    audience(of: workspace, &state).apply(next: change)
                }
                state.position = delta.position
            }
            if delta.isComplete { return }
        }
    }
}
