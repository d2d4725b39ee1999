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
        /// Whose occurrences are read with their properties: those of all tables, also of one that
        /// is being made.
        var detailed: [WorkspaceID: Set<Activity>] = [:]
        /// The tables' activities, those that were used last at the end.
        var tables: [TableKey] = []
        /// What turned out to be too large for a table.
        var refused: Set<TableKey> = []
    }

    private struct TableKey: Hashable {
        var workspace: WorkspaceID
        var activity: Activity
        /// Only of those that were refused.
        var names: Set<String> = []
    }

    /// A table that is being filled.
    struct UnfinishedTable: Sendable {
        let workspace: WorkspaceID
        let activity: Activity
        /// The columns at the position at which it was begun.
        var columns: ColumnSnapshot
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
            let (before, detailed) = state.withLock { ($0.position, $0.detailed) }
            let delta = try await store.audienceDelta(
                after: before,
                detailing: detailed
            )
            guard let delta else { return }
            let isCurrent = state.withLock { state in
                // A table was begun meanwhile, for which properties are missing.
                guard state.detailed == detailed else { return false }
                // A concurrent call has already applied it.
                guard state.position == before else { return true }
                for (workspace, change) in delta.changes {
                    audience(of: workspace, &state).apply(next: change)
                }
                state.position = delta.position
                return true
            }
            if isCurrent, delta.isComplete { return }
        }
    }

    // MARK: Tables

    /// Whether an activity's table has these properties; it counts as used then.
    func hasTable(of activity: Activity, _ names: Set<String>, in workspace: WorkspaceID) -> Bool {
        state.withLock { state in
            let columns = state.audiences[workspace]?.snapshot()
            guard columns?.tables[activity]?.holds(names) == true else { return false }
            let key = TableKey(workspace: workspace, activity: activity)
            state.tables.removeAll { $0 == key }
            state.tables.append(key)
            return true
        }
    }

    /// Whether a table of an activity is known to become too large.
    func refusesTable(
        of activity: Activity,
        _ names: Set<String>,
        in workspace: WorkspaceID
    ) -> Bool {
        state.withLock { state in
            let count = state.audiences[workspace]?.snapshot().count(of: activity) ?? 0
            return count > policy.maxTableOccurrences
                || state.refused.contains {
                    $0.workspace == workspace && $0.activity == activity
                        && $0.names.isSubset(of: names)
                }
        }
    }

    /// Begins the table of an activity, with what an earlier one of it holds.
    ///
    /// - Returns: `nil` if it is there.
    func beginTable(
        of activity: Activity,
        _ names: Set<String>,
        in workspace: WorkspaceID
    ) -> UnfinishedTable? {
        state.withLock { state in
            guard let audience = state.audiences[workspace] else { return nil }
            let columns = audience.snapshot()
            let key = TableKey(workspace: workspace, activity: activity)
            let former = columns.tables[activity]
            guard former?.holds(names) != true else { return nil }
            let refusals = state.refused.filter {
                $0.workspace == workspace && $0.activity == activity
            }
            var all = names
            // What was refused together may fit by itself.
            let both = names.union(former?.names ?? [])
            if !refusals.contains(where: { $0.names.isSubset(of: both) }) { all = both }
            makeRoom(for: columns.count(of: activity), besides: key, &state)
            state.detailed[workspace, default: []].insert(activity)
            return UnfinishedTable(
                workspace: workspace,
                activity: activity,
                columns: audience.beginTable(of: activity, all)
            )
        }
    }

    /// Forgets the tables that were not used for the longest time, until others fit.
    private func makeRoom(for count: Int, besides key: TableKey, _ state: inout State) {
        func size(_ key: TableKey) -> Int {
            state.audiences[key.workspace]?.snapshot().tables[key.activity]?.count ?? 0
        }
        var total = count + state.tables.reduce(0) { $1 == key ? $0 : $0 + size($1) }
        while total > policy.maxOccurrencesOfTables,
            let oldest = state.tables.firstIndex(where: { $0 != key })
        {
            let gone = state.tables.remove(at: oldest)
            total -= size(gone)
            state.audiences[gone.workspace]?.dropTable(of: gone.activity)
            state.detailed[gone.workspace]?.remove(gone.activity)
        }
    }

    /// Adds a table that was begun and filled.
    ///
    /// - Parameter isWhole: Whether everything was read; otherwise the table is forgotten.
    func finish(_ table: UnfinishedTable, isWhole: Bool) {
        let audience = state.withLock { $0.audiences[table.workspace] }
        audience?.finishTable(of: table.activity, in: isWhole ? table.columns : nil)
        state.withLock { state in
            let key = TableKey(workspace: table.workspace, activity: table.activity)
            let isThere = audience?.snapshot().tables[table.activity] != nil
            state.tables.removeAll { $0 == key }
            if isThere {
                state.tables.append(key)
            } else {
                state.detailed[table.workspace]?.remove(table.activity)
            }
        }
    }

    /// Notes that a table would be too large.
    func refuse(_ table: UnfinishedTable, _ names: Set<String>) {
        state.withLock { state in
            _ = state.refused.insert(
                TableKey(workspace: table.workspace, activity: table.activity, names: names)
            )
        }
    }
}
