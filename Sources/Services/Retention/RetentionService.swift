import Foundation
import Logging
import Model
import Ports
import ServiceLifecycle
import Synchronization
import WorkLoops

/// Removes what the workspaces no longer want to keep: once a day, in small transactions with
/// pauses, so that ingestion and delivery do not wait for it.
package final class RetentionService: Service {
    package struct Settings: Sendable {
        /// How many rows a transaction looks at.
        package var rows = 2_000
        /// The least pause between two transactions.
        package var pause: Duration = .milliseconds(50)
        /// Interval between looks at the clock, which may be set.
        package var look: Duration = .seconds(30)

        package init() {}
    }

    /// From the end of a pass to the next one.
    private static let interval: TimeInterval = 86_400
    /// A transaction is followed by a pause of so many times its duration.
    private static let rest = 3

    private let store: any RetentionStore & WorkspaceStore
    private let settings: Settings
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    private let removed = Mutex<[RetainedKind: Int]>([:])

    package init(
        store: any RetentionStore & WorkspaceStore,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        logger: Logger
    ) {
        self.store = store
        self.settings = settings
        self.now = now
        self.uptime = uptime
        self.logger = logger
    }

    /// Number of rows removed since the start.
    package func removedRows(of kind: RetainedKind) -> Int {
        removed.withLock { $0[kind] ?? 0 }
    }

    package func run() async throws {
        await WorkLoop(
            pause: settings.look,
            logger: logger,
            failure: "old rows could not be removed; the next try is in half a minute",
            key: "retention.error"
        ).runWithPauses { try await self.removeDue() }
    }

    /// Takes all passes that are due to their ends.
    package func removeDue() async throws {
        for workspace in try await store.workspaces() {
            for kind in RetainedKind.allCases {
                while let step = try await step(kind, in: workspace), !step.isLast {
                    try Task.checkCancellation()
                }
            }
        }
    }

    /// Takes one step with the pause after it; returns `nil` if no pass is due. The settings are
    /// read again for each step, so that a period that is made longer holds at once.
    private func step(
        _ kind: RetainedKind,
        in listed: Workspace
    ) async throws -> RetentionStep? {
        let moment = now()
        guard let days = try await store.workspace(listed.id)?.settings.retention[kind] else {
            return nil
        }
        let progress = try await store.retentionProgress(in: listed.id).first { $0.kind == kind }
        if let progress, let end = progress.finishedAt, end <= moment,
            moment < end.addingTimeInterval(Self.interval)
        {
            return nil
        }
        let beginning = uptime()
        let step = try await store.removeRows(
            kind,
            in: listed.id,
            olderThan: moment.addingTimeInterval(-Double(days) * 86_400),
            lookingAt: settings.rows,
            now: moment
        )
        removed.withLock { $0[kind, default: 0] += step.removed }
        try await Task.sleep(for: max(settings.pause, (uptime() - beginning) * Self.rest))
        return step
    }

    /// What the workspace keeps, kind by kind.
    package func states(in workspace: Workspace) async throws -> [RetentionState] {
        let progress = try await store.retentionProgress(in: workspace.id)
        let holders = try await store.retentionHolders(in: workspace.id)
        return RetainedKind.allCases.map { kind in
            let latest = progress.first { $0.kind == kind }
            let days = workspace.settings.retention[kind]
            return RetentionState(
                kind: kind,
                days: days,
                keptSince: latest?.keptSince,
                removed: latest?.removed ?? 0,
                lastRunAt: latest.map { $0.finishedAt ?? $0.startedAt },
                phase: phase(of: latest, days: days),
                holders: days == nil ? [] : holders.filter { $0.kind == kind }
            )
        }
    }

    private func phase(of latest: RetentionProgress?, days: Int?) -> RetentionState.Phase {
        guard days != nil else { return .off }
        guard let latest else { return .waiting }
        let age = now().timeIntervalSince(latest.finishedAt ?? latest.startedAt)
        if age > 2 * Self.interval { return .behind }
        return latest.finishedAt == nil ? .running : .done
    }
}
