import Model
import Ports
import Segments
import Synchronization

/// The columns of all workspaces and their position in the history of the rows.
///
/// Columns and position change together and in one place, so that no change is applied twice,
/// wherever reading stops.
final class UserIndex: Sendable {
    private struct State {
        var audiences: [WorkspaceID: WorkspaceUserIndex] = [:]
        var position: ChangeCursor
    }

    private let state: Mutex<State>
    private let policy: ColumnPolicy

    /// Builds the columns from all rows.
    static func build(
        from view: any UserRowSnapshot,
        of workspaces: [WorkspaceID],
        policy: ColumnPolicy,
        progress: (WorkspaceID, AudienceProgress) -> Void
    ) async throws -> UserIndex {
        let replica = UserIndex(position: view.position, policy: policy)
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
    init(position: ChangeCursor, policy: ColumnPolicy) {
        state = Mutex(State(position: position))
        self.policy = policy
    }

    var position: ChangeCursor { state.withLock { $0.position } }

    /// Number of users of all workspaces.
    var count: Int {
        state.withLock { $0.audiences.values.reduce(0) { $0 + $1.snapshot().count } }
    }

    /// The memory of the columns of all workspaces.
    var memory: AudienceMemory {
        let audiences = state.withLock { Array($0.audiences.values) }
        return audiences.reduce(into: AudienceMemory()) { $0 += $1.snapshot().memory }
    }

    /// The columns of a workspace; `nil` if it never had a user.
    func columns(of workspace: WorkspaceID) -> ColumnSnapshot? {
        state.withLock { $0.audiences[workspace] }?.snapshot()
    }

    /// The columns of a workspace; empty for a new one.
    private func audience(of workspace: WorkspaceID, _ state: inout State) -> WorkspaceUserIndex {
        if let known = state.audiences[workspace] { return known }
        let new = WorkspaceUserIndex(policy: policy)
        new.replace(with: ColumnSnapshot(policy: policy))
        state.audiences[workspace] = new
        return new
    }

    /// Applies all changes so far. Changes applied before an error remain applied, and the next
    /// call continues after them.
    func advance(from store: any UserChangeLog) async throws {
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
