import Audience
import Campaigns
import Delivery
import Foundation
import InAppMessages
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
        let active = try await parts.inApp.active(in: workspace)
        let hasInAppMessages = settings.starts.hasInAppMessages || !active.isEmpty
        try await people.read(store, into: log, hasInAppMessages: hasInAppMessages, check)
        let notStarted = try await RehearsalStarter(store, parts, workspace).start(settings.starts)
        var phones = RehearsedPhones(store, of: workspace, parts.inApp, log)

        while true {
            let wait = try await parts.settle(&people, check)
            let planned = try await store.nextWorkDue(after: clock.now)
            let due = [planned, people.nextReport(after: clock.now), wait]
            guard let next = due.compactMap(\.self).min(), next < settings.end else { break }
            clock.set(next)
            try await signUp(people.signUps(until: next), &people, log, at: next)
            let reports = people.reports(until: next)
            if !reports.isEmpty { _ = try await store.ingest(reports, now: next) }
            let seen = try await phones.show(people.occurrences(until: next), at: next)
            if !seen.isEmpty { _ = try await store.ingest(seen, now: next) }
        }

        var result = RehearsalResult(settings: settings, zone: zone)
        result.people = people.count
        result.openRate = people.openRate
        result.days = try log.days()
        result.opened = people.opened
        result.repeated = people.repeated
        result.signedUp = people.signedUp
        result.calls = parts.webhooks.calls
        result.unasked = parts.content.calls
        result.problems = notStarted + log.problems()
        return result
    }

    private func signUp(
        _ newcomers: [RehearsedNewcomers.Newcomer],
        _ people: inout RehearsedPeople,
        _ log: RehearsalLog,
        at now: Date
    ) async throws {
        guard !newcomers.isEmpty else { return }
        let requests = newcomers.flatMap { $0.requests(in: workspace) }
        _ = try await store.ingest(requests, now: now)
        for newcomer in newcomers {
            guard
                let profile = try await store.profile(.external(newcomer.name), in: workspace)
            else { continue }
            let device = try await store.devices(of: profile.id).first
            let person = RehearsalLog.Person(
                name: newcomer.name,
                language: RehearsalLog.language(of: profile, device?.locale)
            )
            log.add([profile.id: person])
            people.joined(newcomer, profile, device)
        }
    }
}
