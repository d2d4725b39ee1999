import Audience
import Campaigns
import Delivery
import Foundation
import Journeys
import Logging
import Model
import Ports
import Scheduling

/// Plays days of a workspace in seconds: the scheduler, planner, ledger, templates and journeys of the
/// server, on a clock that jumps from one moment at which something is due to the next.
///
/// It writes into its store, which has to be a copy.
package struct Rehearsal {
    private let store: any Store
    private let workspace: WorkspaceID
    private let settings: RehearsalSettings
    private let payload: PayloadMeter
    private let logger: Logger
    private let write: @Sendable (RehearsalRow) throws -> Void

    /// - Parameters:
    ///   - store: A copy, with what is to be rehearsed in it.
    ///   - payload: What push services take.
    ///   - write: Gets every row in the order of time.
    package init(
        _ store: any Store,
        of workspace: WorkspaceID,
        _ settings: RehearsalSettings,
        payload: PayloadMeter,
        logger: Logger,
        write: @escaping @Sendable (RehearsalRow) throws -> Void = { _ in }
    ) {
        self.store = store
        self.workspace = workspace
        self.settings = settings
        self.payload = payload
        self.logger = logger
        self.write = write
    }

    /// - Parameter progress: Called again and again with the moment that is played; what it throws ends the
    ///   rehearsal.
    package func run(
        _ progress: @escaping @Sendable (Date) throws -> Void = { _ in }
    ) async throws -> RehearsalResult {
        let zone = try await store.timeZone(of: workspace)
        let clock = RehearsalClock(at: settings.from)
        let check: @Sendable () throws -> Void = { try progress(clock.now) }
        let log = RehearsalLog(clock, of: workspace, zone: zone, write: write)
        let parts = RehearsalParts(store, clock, log, payload, settings, logger)
        try await parts.releaseHold()
        try await parts.audience.rebuild()
        var people = RehearsedPeople(settings, of: workspace, zone: zone)
        try await people.read(store, into: log, check)
        let notStarted = try await RehearsalStarter(store, parts, workspace).start(settings.starts)

        while true {
            let wait = try await parts.settle(&people, check)
            let planned = try await store.nextWorkDue(after: clock.now)
            let due = [planned, people.nextReport(after: clock.now), wait]
            guard let next = due.compactMap(\.self).min(), next < settings.end else { break }
            clock.set(next)
            let reports = people.reports(until: next)
            if !reports.isEmpty { _ = try await store.ingest(reports, now: next) }
        }

        var result = RehearsalResult(settings: settings, zone: zone)
        result.people = people.count
        result.openRate = people.openRate
        result.days = try log.days()
        result.opened = people.opened
        result.repeated = people.repeated
        result.calls = parts.webhooks.calls
        result.unasked = parts.content.calls
        result.problems = notStarted + log.problems()
        return result
    }
}
