import Ports
import Segments
import Synchronization

/// The progress of a rebuild of the columns.
package struct AudienceProgress: Sendable, Hashable {
    package enum Step: String, Sendable {
        case profiles
        case activities
        case lists
        case ready
    }

    package var step: Step
    package var done: Int
    /// An estimate; `done` may exceed it.
    package var expected: Int
}

/// The columns of a running server: changed by commits, read as snapshots.
///
/// A change is visible to every evaluation that starts after `apply` returns. A running evaluation
/// keeps its snapshot: only the parts that a change modifies are copied.
package final class WorkspaceUserIndex: Sendable {
    private struct State {
        var columns: ColumnSnapshot
        /// Commits that arrived during a rebuild and may not be in the snapshot that it reads.
        var arrivedDuringRebuild: [AudienceChange]?
        /// Lists set during a rebuild; `nil` for removed ones.
        var listsDuringRebuild: [String: [Int64]?] = [:]
        /// Commits since a table was begun; `nil` while none is made.
        var arrivedDuringTable: [AudienceChange]?
        var isReady = false
    }

    private let state: Mutex<State>
    private let policy: ColumnPolicy

    package init(policy: ColumnPolicy = ColumnPolicy()) {
        self.policy = policy
        state = Mutex(State(columns: ColumnSnapshot(policy: policy)))
    }

    /// Whether the columns were built, so that counts are complete.
    package var isReady: Bool { state.withLock { $0.isReady } }

    /// The current columns.
    package func snapshot() -> ColumnSnapshot { state.withLock { $0.columns } }

    /// Applies one commit.
    package func apply(_ change: AudienceChange) {
        state.withLock { state in
            state.arrivedDuringRebuild?.append(change)
            state.arrivedDuringTable?.append(change)
            state.columns.apply(change)
        }
    }

    /// Applies a change under the next sequence number.
    package func apply(next change: AudienceChange) {
        state.withLock { state in
            var numbered = change
            numbered.sequence = state.columns.sequence + 1
            state.arrivedDuringTable?.append(numbered)
            state.columns.apply(numbered)
        }
    }

    /// Replaces the columns with ones that were built elsewhere.
    package func replace(with columns: ColumnSnapshot) {
        state.withLock { state in
            state.columns = columns
            state.isReady = true
        }
    }

    /// The current columns with an empty table; from here on every commit is noted for it.
    func beginTable(of activity: Activity, _ names: Set<String>) -> ColumnSnapshot {
        state.withLock { state in
            state.arrivedDuringTable = []
            var columns = state.columns
            columns.tables[activity] = PropertyTable(
                names,
                of: activity,
                policy: columns.policy
            )
            return columns
        }
    }

    /// Adds the table of columns that were begun and filled, as it is after all commits since. One
    /// that became too large leaves the former one in its place.
    ///
    /// - Parameter filled: `nil` if not everything was read.
    func finishTable(of activity: Activity, in filled: ColumnSnapshot?) {
        var columns = filled
        while true {
            let isDone = state.withLock { state in
                guard let latest = columns, let missed = state.arrivedDuringTable else {
                    state.arrivedDuringTable = nil
                    return true
                }
                let rest = missed.filter { $0.sequence > latest.sequence }
                state.arrivedDuringTable = rest.isEmpty ? nil : rest
                guard rest.isEmpty else { return false }
                // Other columns than those of the beginning are not what the table was made for.
                if latest.sequence == state.columns.sequence,
                    let table = latest.tables[activity]
                {
                    state.columns.tables[activity] = table
                }
                return true
            }
            if isDone { return }
            // Applied outside of the lock, so that nobody waits for it; few are left each time.
            for change in state.withLock(\.arrivedDuringTable) ?? [] { columns?.apply(change) }
        }
    }

    /// The memory of an activity's table, in bytes; `nil` without one.
    func memory(ofTable activity: Activity) -> Int? {
        state.withLock { $0.columns.tables[activity]?.memory }
    }

    /// Forgets the table of an activity.
    func dropTable(of activity: Activity) {
        state.withLock { $0.columns.tables[activity] = nil }
    }

    /// Replaces an uploaded list.
    package func setList(_ id: String, profiles: [Int64]) {
        state.withLock { state in
            if state.arrivedDuringRebuild != nil {
                state.listsDuringRebuild.updateValue(profiles, forKey: id)
            }
            state.columns.setList(id, profiles: profiles)
        }
    }

    package func removeList(_ id: String) {
        state.withLock { state in
            if state.arrivedDuringRebuild != nil {
                state.listsDuringRebuild.updateValue(nil, forKey: id)
            }
            state.columns.removeList(id)
        }
    }

    /// Rebuilds the columns from rows and replaces the current ones.
    ///
    /// Evaluations and changes continue meanwhile; commits later than the snapshot are applied to
    /// the new columns before these are used.
    package func rebuild(
        from source: any UserRowReader,
        progress: (AudienceProgress) -> Void = { _ in }
    ) async throws {
        state.withLock { $0.arrivedDuringRebuild = [] }
        let rebuilt: ColumnSnapshot
        do {
            rebuilt = try await AudienceBuilder.build(
                from: source,
                policy: policy,
                progress: progress
            )
        } catch {
            state.withLock { state in
                state.arrivedDuringRebuild = nil
                state.listsDuringRebuild = [:]
            }
            throw error
        }
        state.withLock { state in
            let missed = state.arrivedDuringRebuild ?? []
            state.columns = rebuilt
            for change in missed { state.columns.apply(change) }
            for (id, profiles) in state.listsDuringRebuild {
                if let profiles {
                    state.columns.setList(id, profiles: profiles)
                } else {
                    state.columns.removeList(id)
                }
            }
            state.arrivedDuringRebuild = nil
            state.listsDuringRebuild = [:]
            state.isReady = true
        }
        progress(AudienceProgress(step: .ready, done: rebuilt.count, expected: rebuilt.count))
    }
}

/// Builds columns from rows.
package enum AudienceBuilder {
    package static func build(
        from source: any UserRowReader,
        policy: ColumnPolicy = ColumnPolicy(),
        progress: (AudienceProgress) -> Void = { _ in }
    ) async throws -> ColumnSnapshot {
        var columns = ColumnSnapshot(policy: policy)
        var step = AudienceProgress(
            step: .profiles,
            done: 0,
            expected: try await source.profileCount()
        )
        progress(step)
        try await source.scanBatches(skipping: columns.unkept) { batch in
            try Task.checkCancellation()
            columns.load(batch)
            step.done += batch.rowIDs.count
            progress(step)
        }
        step = AudienceProgress(
            step: .activities,
            done: 0,
            expected: try await source.eventCount()
        )
        progress(step)
        columns.keep(try await source.keptSince())
        try await source.scanRemoved { activity, removed in
            try Task.checkCancellation()
            columns.load(removed, of: activity)
        }
        try await source.scanOccurrences { occurrences in
            try Task.checkCancellation()
            columns.load(occurrences)
            step.done += occurrences.times.count
            progress(step)
        }
        let purchases = AudienceEventQuery(subject: .purchase(products: []))
        try await source.scanEvents(purchases) { events in
            try Task.checkCancellation()
            for event in events where event.activity == .purchase { columns.load(event) }
            step.done += events.count
            progress(step)
        }
        step = AudienceProgress(step: .lists, done: 0, expected: 0)
        progress(step)
        try await source.scanLists { id, profiles in columns.setList(id, profiles: profiles) }
        columns.compact()
        columns.sequence = source.sequence
        return columns
    }
}
