import Campaigns
import Foundation
import Logging
import Model
import Ports
import Scheduling
import ServiceLifecycle
import WorkLoops

/// Lets people into journeys and moves them on.
///
/// All of its state is in the store, and each move is one transaction with what it does: a restart
/// goes on where it stopped. A person who waits costs nothing until they are due.
package struct JourneyRunner: Service {
    package struct Settings: Sendable {
        /// Maximum interval between looks at what is due.
        package var idlePause: Duration = .seconds(1)
        /// Maximum number of people moved by one transaction.
        package var chunk = 1_000
        /// Maximum number of events scanned in one step.
        package var eventPage = 5_000
        /// Interval between looks at who has come into a segment.
        package var lookPause: TimeInterval = 60
        /// Names the process among those that share the work.
        package var owner = "server"
        package var lease: TimeInterval = 60
        /// Older events let nobody in.
        package var maxLateness: TimeInterval = 86_400

        package init() {}
    }

    let store: any Store
    let audience: any AudienceSource & MembershipSource
    let settings: Settings
    private let now: @Sendable () -> Date
    private let announce: @Sendable (SendID, WorkspaceID) -> Void
    private let logger: Logger
    private let versions: JourneyVersionCache

    /// `announce` is called with every new send.
    package init(
        store: any Store,
        audience: any AudienceSource & MembershipSource,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Date,
        announce: @escaping @Sendable (SendID, WorkspaceID) -> Void,
        logger: Logger
    ) {
        self.store = store
        self.audience = audience
        self.settings = settings
        self.now = now
        self.announce = announce
        self.logger = logger
        versions = JourneyVersionCache(store: store)
    }

    package func run() async {
        await WorkLoop(
            pause: settings.idlePause,
            logger: logger,
            failure: "journeys could not be looked at and will be again",
            key: "journeys.error"
        ).run { try await step() }
    }

    /// Does the work that is due now.
    ///
    /// - Returns: Whether more work may be due at once.
    package func step() async throws -> Bool {
        let now = now()
        let journeys = try await versions.live(
            store.claimJourneys(
                owner: settings.owner,
                leaseEnd: now.addingTimeInterval(settings.lease),
                now: now
            )
        )
        guard !journeys.isEmpty else { return false }
        var didWork = try await readEvents(journeys, now)
        for journey in journeys {
            do {
                if try await letIn(journey, now) { didWork = true }
                if try await moveDue(journey, now) { didWork = true }
            } catch let problem as AudienceError {
                // The others go on; this one waits until its segments can be evaluated.
                logger.error(
                    "people of a journey wait for a segment that cannot be evaluated",
                    metadata: [
                        "journey.id": "\(journey.running.id)", "journey.reason": "\(problem)",
                    ]
                )
            }
        }
        for journey in try await store.finishDrainedJourneys(now: now) {
            logger.info("a journey is over", metadata: ["journey.id": "\(journey)"])
        }
        return didWork
    }

    // MARK: Events

    /// Reads the next events for the journeys that are farthest behind.
    private func readEvents(_ journeys: [LiveJourney], _ now: Date) async throws -> Bool {
        guard let cursor = journeys.map(\.running.eventCursor).min() else { return false }
        let behind = journeys.filter { $0.running.eventCursor == cursor }
        let reader = JourneyEventReader(journeys: behind, settings: settings)
        let page = try await store.events(
            after: cursor,
            named: reader.names,
            limit: settings.eventPage
        )
        guard page.end > cursor else { return false }
        let commit: JourneyCommit
        do {
            commit = try await reader.commit(page, after: cursor, store, audience, now)
        } catch let problem as AudienceError where problem.code == .notReady {
            return false
        }
        _ = try await perform(commit, of: behind, now)
        return page.hasMore || journeys.contains { $0.running.eventCursor > cursor }
    }

    // MARK: Entering

    private func letIn(_ journey: LiveJourney, _ now: Date) async throws -> Bool {
        guard journey.running.isOpen else { return false }
        if journey.running.hasRequests { return try await answerRequests(of: journey, now) }
        guard let look = journey.running.nextLookAt, look <= now, let definition = journey.current
        else {
            return false
        }
        switch definition.entry {
        case .members(let query, _):
            return try await listMembers(query, of: journey, now)
        case .entering(let query):
            return try await lookForNewMembers(query, of: journey, now)
        case .event, .api, .journey: return false
        }
    }

    private func answerRequests(of journey: LiveJourney, _ now: Date) async throws -> Bool {
        let requests = try await store.entryRequests(
            of: journey.running.id,
            now: now,
            limit: settings.chunk
        )
        var chosen: [ProfileID: MessageProperties] = [:]
        for request in requests where chosen[request.profile] == nil {
            chosen[request.profile] = request.properties
        }
        var commit = JourneyCommit(requests: requests.map(\.id))
        commit.moves = try await entries(of: chosen, into: journey, now)
        try await perform(commit, of: [journey], now)
        return true
    }

    /// Lets in the next of all members of a segment.
    private func listMembers(
        _ query: SegmentQuery,
        of journey: LiveJourney,
        _ now: Date
    ) async throws -> Bool {
        let page = try await audience.profiles(
            in: journey.running.workspace,
            matching: query,
            after: journey.running.lookCursor,
            limit: settings.chunk
        )
        let isOver = page.count < settings.chunk
        let users = Dictionary(uniqueKeysWithValues: page.map { ($0, MessageProperties()) })
        var commit = JourneyCommit(
            look: JourneyCommit.Look(
                journey: journey.running.id,
                expectedAt: journey.running.nextLookAt,
                cursor: page.last ?? journey.running.lookCursor,
                // The next page is read at once, by whoever has the journey then.
                nextAt: isOver ? nil : journey.running.nextLookAt,
                knowsMembers: false
            )
        )
        commit.moves = try await entries(of: users, into: journey, now)
        try await perform(commit, of: [journey], now)
        return true
    }

    /// Lets in who has come into a segment since the last look. Who is in it at the first look
    /// does not enter.
    private func lookForNewMembers(
        _ query: SegmentQuery,
        of journey: LiveJourney,
        _ now: Date
    ) async throws -> Bool {
        var changes = try await MembershipChanges.read(
            query,
            of: journey.running,
            store,
            audience,
            page: settings.chunk * 10
        )
        let isOver = changes.joined.count <= settings.chunk
        changes.joined = Array(changes.joined.prefix(settings.chunk))
        let users = Dictionary(
            uniqueKeysWithValues: changes.joined.map { ($0, MessageProperties()) }
        )
        var commit = JourneyCommit(
            look: JourneyCommit.Look(
                journey: journey.running.id,
                expectedAt: journey.running.nextLookAt,
                joined: changes.joined,
                gone: changes.gone,
                nextAt: isOver
                    ? now.addingTimeInterval(settings.lookPause) : journey.running.nextLookAt,
                knowsMembers: journey.running.knowsMembers || isOver
            )
        )
        if journey.running.knowsMembers {
            commit.moves = try await entries(of: users, into: journey, now)
        }
        try await perform(commit, of: [journey], now)
        return !isOver
    }

    /// The entries of those users whom the journey's rules let in.
    private func entries(
        of users: [ProfileID: MessageProperties],
        into journey: LiveJourney,
        _ now: Date
    ) async throws -> [JourneyMove] {
        guard let definition = journey.current else { return [] }
        let last = try await store.lastEntries(
            of: users.keys.sorted(),
            in: journey.running.id
        )
        var reader = try await JourneyFactReader(
            store: store,
            audience: audience,
            workspace: journey.running.workspace,
            now: now
        )
        let interpreter = JourneyInterpreter(
            journey: journey.running.apiID,
            definition: definition
        )
        return try await reader.results(users.keys.sorted(), { $0 }) {
            (user, facts) throws(MissingFactError) -> JourneyMove? in
            guard try JourneyAdmission.admits(into: definition, last: last[user], facts),
                let entry = interpreter.entry(
                    JourneyEntry(
                        id: JourneyEntryID(0),
                        journey: journey.running.id,
                        profile: user,
                        number: (last[user]?.number ?? -1) + 1,
                        version: journey.running.version,
                        enteredAt: now,
                        properties: users[user] ?? MessageProperties()
                    ),
                    now: now
                )
            else { return nil }
            var move =
                try interpreter.advance(entry, facts) ?? JourneyMove(before: nil, after: entry)
            move.before = nil
            return move
        }.compactMap(\.self)
    }

    // MARK: Going on

    private func moveDue(_ journey: LiveJourney, _ now: Date) async throws -> Bool {
        let due = try await store.dueEntries(
            of: journey.running.id,
            now: now,
            limit: settings.chunk
        )
        guard !due.isEmpty else { return false }
        var reader = try await JourneyFactReader(
            store: store,
            audience: audience,
            workspace: journey.running.workspace,
            now: now
        )
        let interpreters = journey.versions.mapValues {
            JourneyInterpreter(journey: journey.running.apiID, definition: $0)
        }
        let moves = try await reader.results(due, \.profile) {
            (entry, facts) throws(MissingFactError) -> JourneyMove in
            // A move that changes nothing notes that the entry was looked at.
            try interpreters[entry.version]?.advance(entry, facts)
                ?? JourneyMove(before: entry, after: entry)
        }
        try await perform(JourneyCommit(moves: moves), of: [journey], now)
        return true
    }

    // MARK: Writing

    @discardableResult
    private func perform(
        _ commit: JourneyCommit,
        of journeys: [LiveJourney],
        _ now: Date
    ) async throws -> Bool {
        var commit = commit
        try await passOver(&commit)
        let byID = Dictionary(
            journeys.map { ($0.running.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for move in commit.moves {
            for effect in move.effects where effect.kind == .push {
                let key = JourneyCommit.MessageKey(
                    journey: move.after.journey,
                    step: effect.step,
                    version: move.after.version
                )
                guard commit.messages[key] == nil,
                    let definition = byID[key.journey]?.versions[key.version],
                    let step = definition.step(key.step)
                else { continue }
                commit.messages[key] = definition.message(of: step)
            }
        }
        guard let result = try await store.commit(commit, now: now) else { return false }
        guard let workspace = journeys.first?.running.workspace else { return true }
        for send in result.sends { announce(send, workspace) }
        return true
    }

    /// After a restored backup another server may have sent what was due before: people go on, but
    /// nothing is sent to them for that time.
    private func passOver(_ commit: inout JourneyCommit) async throws {
        guard commit.moves.contains(where: { !$0.effects.isEmpty }),
            let limit = try await store.sendingHold()?.skippedBefore
        else { return }
        for index in commit.moves.indices {
            let due = commit.moves[index].before?.position?.dueAt
            guard let due, due < limit else { continue }
            commit.moves[index].effects.removeAll { $0.kind == .push || $0.kind == .webhook }
        }
    }
}
