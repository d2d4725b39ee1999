import Model
import Ports
import Segments

/// The columns of all workspaces and the moment up to which they show the rows.
struct AudienceReplica: Sendable {
    private(set) var audiences: [WorkspaceID: AudienceStore] = [:]
    private(set) var position: AudiencePosition
    private let policy: AudiencePolicy

    /// Reads everything.
    static func build(
        from view: any AudienceView,
        of workspaces: [WorkspaceID],
        policy: AudiencePolicy,
        progress: (WorkspaceID, AudienceProgress) -> Void
    ) async throws -> AudienceReplica {
        var replica = AudienceReplica(position: view.position, policy: policy)
        for workspace in workspaces {
            let columns = try await AudienceBuilder.build(
                from: view.rows(of: workspace),
                policy: policy
            ) { progress(workspace, $0) }
            replica.audience(of: workspace).replace(with: columns)
        }
        return replica
    }

    private init(position: AudiencePosition, policy: AudiencePolicy) {
        self.position = position
        self.policy = policy
    }

    /// The columns of a workspace; a new one has no users yet.
    mutating func audience(of workspace: WorkspaceID) -> AudienceStore {
        if let known = audiences[workspace] { return known }
        let new = AudienceStore(policy: policy)
        new.replace(with: AudienceColumns(policy: policy))
        audiences[workspace] = new
        return new
    }

    /// Applies everything that has happened until now.
    ///
    /// - Returns: The workspaces that changed.
    mutating func advance(from store: any AudienceRowStore) async throws -> Set<WorkspaceID> {
        var changed: Set<WorkspaceID> = []
        while let delta = try await store.audienceDelta(after: position) {
            for (workspace, change) in delta.changes {
                audience(of: workspace).apply(next: change)
                changed.insert(workspace)
            }
            position = delta.position
            if delta.isComplete { break }
        }
        return changed
    }
}
