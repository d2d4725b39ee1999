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
        /// The tables' activities, those that were used last at the end.
        var tables: [TableKey] = []
        /// Those whose table is being filled.
        var unfinished: Set<TableKey> = []
        /// Sets of properties that turned out to be too large for a table, the latest at the end.
        var refused: [(key: TableKey, names: Set<String>)] = []
    }

    private struct TableKey: Hashable {
        var workspace: WorkspaceID
        var activity: Activity
    }

    /// So many refusals are remembered.
    private static let maxRefused = 1_000

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
            let (before, detailed) = state.withLock { ($0.position, self.detailed($0)) }
            let delta = try await store.audienceDelta(
                after: before,
                detailing: detailed
            )
            guard let delta else { return }
            let isCurrent = state.withLock { state in
                // A table was begun meanwhile, for which properties are missing.
                let isDetailed = self.detailed(state).allSatisfy { workspace, activities in
                    activities.isSubset(of: detailed[workspace] ?? [])
                }
                guard isDetailed else { return false }
                // A concurrent call has already applied it.
                guard state.position == before else { return true }
                for (workspace, change) in delta.changes {
                    audience(of: workspace, &state).apply(next: change)
                }
                state.position = delta.position
                makeRoom(for: 0, &state)
                return true
            }
            if isCurrent, delta.isComplete { return }
        }
    }

    // MARK: Tables

    /// Whose occurrences are read with their properties: those of all tables, also of one that is
    /// being filled.
    private func detailed(_ state: State) -> [WorkspaceID: Set<Activity>] {
        var detailed: [WorkspaceID: Set<Activity>] = [:]
        for key in state.unfinished.union(state.tables) {
            detailed[key.workspace, default: []].insert(key.activity)
        }
        return detailed
    }

    /// Whether an activity's table has these properties; it counts as used then.
    func hasTable(of activity: Activity, _ names: Set<String>, in workspace: WorkspaceID) -> Bool {
        state.withLock { state in
            let columns = state.audiences[workspace]?.snapshot()
            guard columns?.table(of: activity, names) != nil else { return false }
            let key = TableKey(workspace: workspace, activity: activity)
            if let place = state.tables.firstIndex(of: key) {
                state.tables.append(state.tables.remove(at: place))
            }
            return true
        }
    }

    /// The sets of properties with which a table may be made that has the wanted ones, the best
    /// first: one with those of the present table is of use to more reports.
    ///
    /// - Returns: Nothing if there is a table, or none that is known not to become too large.
    func tableAttempts(
        of activity: Activity,
        _ names: Set<String>,
        in workspace: WorkspaceID
    ) -> [Set<String>] {
        state.withLock { state in
            guard let columns = state.audiences[workspace]?.snapshot(),
                columns.table(of: activity, names) == nil,
                columns.count(of: activity) <= policy.maxTableOccurrences
            else { return [] }
            let key = TableKey(workspace: workspace, activity: activity)
            let refused = state.refused.filter { $0.key == key }.map(\.names)
            var attempts = [names]
            let all = names.union(columns.tables[activity]?.names ?? [])
            if all != names { attempts.insert(all, at: 0) }
            return attempts.filter { attempt in
                attempt.count <= policy.maxTableProperties
                    && !refused.contains { $0.isSubset(of: attempt) }
            }
        }
    }

    /// Begins a table of an activity.
    ///
    /// - Returns: `nil` for a workspace without users.
    func beginTable(
        of activity: Activity,
        _ names: Set<String>,
        in workspace: WorkspaceID
    ) -> UnfinishedTable? {
        state.withLock { state in
            guard let audience = state.audiences[workspace] else { return nil }
            let key = TableKey(workspace: workspace, activity: activity)
            let least =
                audience.snapshot().count(of: activity)
                * PropertyTable.bytes(of: activity, names: names.count)
            makeRoom(for: least, besides: key, &state)
            state.unfinished.insert(key)
            return UnfinishedTable(
                workspace: workspace,
                activity: activity,
                columns: audience.beginTable(of: activity, names)
            )
        }
    }

    /// Forgets the tables that were not used for the longest time, until others fit.
    ///
    /// - Parameter bytes: What is needed besides the tables.
    private func makeRoom(for bytes: Int, besides kept: TableKey? = nil, _ state: inout State) {
        guard !state.tables.isEmpty else { return }
        var sizes: [TableKey: Int] = [:]
        for key in state.tables {
            sizes[key] = state.audiences[key.workspace]?.memory(ofTable: key.activity)
        }
        // Those that grew too large are gone already.
        state.tables.removeAll { sizes[$0] == nil }
        var total = sizes.values.reduce(bytes, +)
        while total > policy.maxMemoryOfTables,
            let oldest = state.tables.firstIndex(where: { $0 != kept })
        {
            let gone = state.tables.remove(at: oldest)
            total -= sizes[gone] ?? 0
            state.audiences[gone.workspace]?.dropTable(of: gone.activity)
        }
    }

    /// Adds a table that was begun and filled. One that became too large is remembered, and the
    /// former one of its activity remains.
    ///
    /// - Parameter isWhole: Whether everything was read; otherwise the table is forgotten.
    func finish(_ table: UnfinishedTable, _ names: Set<String>, isWhole: Bool) {
        let audience = state.withLock { $0.audiences[table.workspace] }
        audience?.finishTable(of: table.activity, in: isWhole ? table.columns : nil)
        state.withLock { state in
            let key = TableKey(workspace: table.workspace, activity: table.activity)
            state.unfinished.remove(key)
            if isWhole, table.columns.tables[table.activity] == nil {
                state.refused.append((key, names))
                if state.refused.count > Self.maxRefused { state.refused.removeFirst() }
            }
            state.tables.removeAll { $0 == key }
            guard audience?.memory(ofTable: table.activity) != nil else { return }
            state.tables.append(key)
            makeRoom(for: 0, besides: key, &state)
        }
    }
}
