import Audience
import Foundation
import InAppMessages
import Model
import Ports

/// Plays the days of some people on a store, from one moment at which something is due to the next.
struct RehearsalPlayer: Sendable {
    let parts: RehearsalParts
    let log: RehearsalLog
    private(set) var people: RehearsedPeople
    private let store: any Store
    private let workspace: WorkspaceID
    private let clock: RehearsalClock
    private let check: @Sendable () throws -> Void
    private var phones: RehearsedPhones
    /// When something is due next; `nil` before the first look and after the last moment.
    private var next: Date?
    private var nextDelivery = Date.distantPast
    private var hasBegun = false

    /// - Parameter check: Called between two parts of the work, to end it by throwing.
    init(
        _ store: any Store,
        of workspace: WorkspaceID,
        _ parts: RehearsalParts,
        _ log: RehearsalLog,
        _ people: RehearsedPeople,
        _ check: @escaping @Sendable () throws -> Void
    ) {
        self.store = store
        self.workspace = workspace
        self.parts = parts
        self.log = log
        self.people = people
        self.check = check
        clock = parts.clock
        phones = RehearsedPhones(store, of: workspace, parts.inApp, log)
    }

    /// Plays all moments before `end`.
    mutating func play(until end: Date) async throws {
        if !hasBegun {
            hasBegun = true
            next = try await settle()
        }
        while let moment = next, moment < end {
            clock.set(moment)
            try await signUp(people.signUps(until: moment), at: moment)
            let reports = people.reports(until: moment)
            if !reports.isEmpty { _ = try await store.ingest(reports, now: moment) }
            let seen = try await phones.show(people.occurrences(until: moment), at: moment)
            if !seen.isEmpty { _ = try await store.ingest(seen, now: moment) }
            next = try await settle()
            // The store answers at once, so that nothing else lets others go on.
            await Task.yield()
        }
    }

    /// Does all that is due now.
    ///
    /// - Returns: When there is more to do.
    private mutating func settle() async throws -> Date? {
        try await parts.settle(&people, nextDelivery: &nextDelivery, check)
        let planned = try await store.nextWorkDue(after: clock.now)
        let next = [planned, people.nextReport(after: clock.now)].compactMap(\.self).min()
        guard nextDelivery > clock.now, nextDelivery < .distantFuture else { return next }
        return min(nextDelivery, next ?? nextDelivery)
    }

    private mutating func signUp(
        _ newcomers: [RehearsedNewcomers.Newcomer],
        at now: Date
    ) async throws {
        guard !newcomers.isEmpty else { return }
        var own: [RehearsedNewcomers.Newcomer] = []
        for newcomer in newcomers {
            if people.includes(newcomer) {
                own.append(newcomer)
            } else {
                // With the numbers that they have where nobody shares.
                try await store(own, at: now)
                own = []
                try await store.passOver(users: 1, devices: newcomer.device == nil ? 0 : 1)
            }
        }
        try await store(own, at: now)
    }

    private mutating func store(
        _ newcomers: [RehearsedNewcomers.Newcomer],
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
