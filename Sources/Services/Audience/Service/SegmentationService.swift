import Foundation
import Logging
import Model
import Ports
import Reasons
import Reports
import Segments
import ServiceLifecycle
import Synchronization

/// Keeps all users in memory and evaluates segments.
///
/// Before every result it applies the commits since the last one, so that a result is exact at its
/// time; a loop does the same in between, so that little is left to apply. Commits are read from
/// the rows, so that those of every process are included.
package final class SegmentationService: Service, AudienceSource, MembershipSource {
    package struct Settings: Sendable {
        /// Interval between polls for commits.
        package var pause: Duration = .milliseconds(200)
        /// Interval between records of segment sizes, and between clean-ups.
        package var upkeepPause: Duration = .seconds(600)
        /// Number of processors that an evaluation uses.
        package var workers = 2
        package var policy = ColumnPolicy()

        package init() {}
    }

    private struct State {
        var replica: UserIndex?
        var status = AudienceStatus(
            isReady: false,
            step: .profiles,
            done: 0,
            expected: 0,
            users: 0
        )
        /// When the columns last held everything that was stored.
        var currentAt: Date
        /// Listings in progress, so that their next pages need no new evaluation.
        var listings: [Listing] = []
    }

    private struct Listing {
        var workspace: WorkspaceID
        var query: SegmentQuery
        var moment: AudienceMoment
        var selection: AudienceSelection
    }

    private static let maxListings = 8

    let store: any UserChangeLog & SegmentStore & WorkspaceStore
    let settings: Settings
    private let now: @Sendable () -> Date
    private let logger: Logger
    let turns = SingleFlight()
    /// Tables are made one after another, because each holds many rows in memory.
    let tableTurns = SingleFlight()
    private let state: Mutex<State>

    package init(
        store: any UserChangeLog & SegmentStore & WorkspaceStore,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.settings = settings
        self.now = now
        self.logger = logger
        state = Mutex(State(currentAt: now()))
    }

    package var status: AudienceStatus { state.withLock(\.status) }

    /// How long ago the columns last held everything that was stored, in seconds; before they are
    /// ready, since the start.
    package var lag: Double { max(0, now().timeIntervalSince(state.withLock(\.currentAt))) }

    /// Up to where the columns have read; `nil` until they are ready.
    package var position: ChangeCursor? { index?.position }

    /// The memory of the columns of all workspaces.
    package var memory: AudienceMemory { index?.memory ?? AudienceMemory() }

    /// The columns of all workspaces; `nil` until they are ready.
    var index: UserIndex? { state.withLock(\.replica) }

    // MARK: Running

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.follow() }
                group.addTask { await self.upkeep() }
            }
        }
    }

    private func follow() async {
        while !Task.isCancelled {
            do {
                if status.isReady { try await catchUp() } else { try await rebuild() }
            } catch is CancellationError {
                return
            } catch {
                logger.error(
                    "the audience cannot follow the rows and tries again",
                    metadata: ["audience.error": "\(error)"]
                )
            }
            // Cancellation ends the sleep, and with it the loop.
            try? await Task.sleep(for: settings.pause)
        }
    }

    private func upkeep() async {
        while !Task.isCancelled {
            do {
                if status.isReady { try await saveSizes() }
                if let position = state.withLock(\.replica)?.position {
                    try await store.forgetAudienceChanges(before: position)
                }
            } catch is CancellationError {
                return
            } catch {
                logger.error(
                    "the sizes of segments are not kept",
                    metadata: ["audience.error": "\(error)"]
                )
            }
            let pause: Duration = status.isReady ? settings.upkeepPause : .seconds(1)
            try? await Task.sleep(for: pause)
        }
    }

    /// Rereads all rows and then replaces the columns; evaluations continue meanwhile.
    package func rebuild() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let workspaces = try await store.workspaces().map(\.id)
        let replica = try await UserIndex.build(
            from: store.audienceView(readers: settings.workers),
            of: workspaces,
            policy: settings.policy
        ) { _, progress in
            state.withLock { state in
                guard !state.status.isReady else { return }
                state.status.step = progress.step
                state.status.done = progress.done
                state.status.expected = progress.expected
            }
        }
        try await replica.advance(from: store)
        try await turns.take { [store] in
            let start = self.now()
            try await replica.advance(from: store)
            self.put(replica, currentAt: start)
        }
        let seconds = (clock.now - start).seconds
        state.withLock { $0.status.secondsToReady = seconds }
        logger.info(
            "all users are in memory",
            metadata: [
                "audience.users": "\(status.users)",
                "audience.seconds": "\(String(format: "%.2f", seconds))",
            ]
        )
    }

    private func put(_ replica: UserIndex, currentAt: Date) {
        let users = replica.count
        state.withLock { state in
            state.replica = replica
            state.currentAt = currentAt
            state.listings = []
            state.status.isReady = true
            state.status.step = .ready
            state.status.users = users
        }
    }

    private var notReady: AudienceError {
        AudienceError(.notReady, .notReady, ["progress": "\(status.text)"])
    }

    /// Applies all commits so far.
    package func catchUp() async throws {
        guard status.isReady else { throw notReady }
        try await turns.share { [store] in
            guard let replica = self.state.withLock(\.replica) else { return }
            let before = replica.position
            let start = self.now()
            do {
                try await replica.advance(from: store)
            } catch is LostChangesError {
                self.logger.warning("the database has failed over; all users are read anew")
                // `follow` does.
                self.state.withLock { $0.status.isReady = false }
                throw self.notReady
            }
            self.state.withLock { $0.currentAt = start }
            guard replica.position != before else { return }
            let users = replica.count
            self.state.withLock { $0.status.users = users }
        }
    }

    /// The columns of a workspace after all commits so far.
    package func columns(of workspace: WorkspaceID) async throws -> ColumnSnapshot {
        try await catchUp()
        return state.withLock(\.replica)?.columns(of: workspace)
            ?? ColumnSnapshot(policy: settings.policy)
    }

    /// Stores how many users each segment has today, for the line of its size.
    package func saveSizes() async throws {
        for workspace in try await store.workspaces() {
            var sizes: [SegmentID: Int] = [:]
            for segment in try await store.segments(in: workspace.id) {
                do {
                    sizes[segment.id] = try await select(
                        SegmentQuery(segments: [segment.id]),
                        in: workspace.id
                    ).count().users
                } catch let problem as AudienceError {
                    logger.warning(
                        "a segment cannot be counted",
                        metadata: [
                            "segment.id": "\(segment.id)", "audience.error": "\(problem)",
                        ]
                    )
                }
            }
            guard !sizes.isEmpty else { continue }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = workspace.zone
            let moment = now()
            let offset = calendar.timeZone.secondsFromGMT(for: moment)
            let local = moment.timeIntervalSince1970 + Double(offset)
            try await store.saveSegmentSizes(sizes, day: Int((local / 86_400).rounded(.down)))
        }
    }

    // MARK: Answers

    /// The rule of a query with its references resolved.
    package func rule(
        of query: SegmentQuery,
        in workspace: WorkspaceID
    ) async throws -> (rule: SegmentRule, book: WorkspaceSegmentResolver) {
        let book = WorkspaceSegmentResolver(
            segments: try await store.segments(in: workspace),
            lists: try await store.userLists(in: workspace),
            campaigns: try await store.campaignReferences(in: workspace),
            controlGroup: try await store.controlGroup(of: workspace)
        )
        var rules: [SegmentRule] = []
        for id in query.segments {
            guard let rule = book.rule(ofSegment: String(id.rawValue)) else {
                throw AudienceError(.unknownSegment, .noSegment, ["id": "\(id)"])
            }
            rules.append(rule)
        }
        if let filter = query.filter {
            do throws(SegmentError) {
                rules.append(try book.rule(json: filter))
            } catch {
                throw AudienceError(
                    .invalidFilter,
                    .filter,
                    ["place": .text(error.place), "reason": .reason(error.reason)]
                )
            }
        }
        return (rules.count == 1 ? rules[0] : .all(rules), book)
    }

    /// - Throws: `AudienceError`.
    package func select(
        _ query: SegmentQuery,
        in workspace: WorkspaceID,
        at moment: AudienceMoment = .now
    ) async throws -> AudienceSelection {
        let (rule, book) = try await rule(of: query, in: workspace)
        return try await select(rule, book: book, in: workspace, at: moment)
    }

    /// - Throws: `AudienceError`.
    package func select(
        _ rule: SegmentRule,
        book: WorkspaceSegmentResolver,
        in workspace: WorkspaceID,
        at moment: AudienceMoment = .now
    ) async throws -> AudienceSelection {
        try await select(rule, book: book, in: workspace, at: moment, readsRows: true)
    }

    /// - Throws: `AudienceError`.
    func select(
        _ rule: SegmentRule,
        book: WorkspaceSegmentResolver,
        in workspace: WorkspaceID,
        at moment: AudienceMoment,
        readsRows: Bool
    ) async throws -> AudienceSelection {
        if readsRows {
            var asked = ActivityProperties()
            asked.add(rule, directory: book)
            try await makeTables(for: asked, in: workspace)
        }
        return try await columns(of: workspace).select(
            rule,
            at: try await time(of: moment, in: workspace),
            directory: book,
            source: readsRows ? LazyRowSource(store: store, workspace: workspace) : nil,
            workers: settings.workers
        )
    }

    /// The evaluation time, with the workspace's time zone for users without one.
    package func time(
        of moment: AudienceMoment,
        in workspace: WorkspaceID
    ) async throws -> EvaluationTime {
        let zone = try await store.timeZone(of: workspace)
        func time(_ date: Date) -> EvaluationTime {
            EvaluationTime(
                now: Int64(date.timeIntervalSince1970.rounded(.down)),
                workspaceZone: zone
            )
        }
        return switch moment {
        case .now: time(now())
        case .at(let date): time(date)
        case .onEachClock(let local):
            EvaluationTime(
                day: local.day.number,
                minute: local.time.minutes,
                workspaceZone: zone
            )
        }
    }

    package func count(
        in workspace: WorkspaceID,
        matching query: SegmentQuery
    ) async throws -> AudienceCount {
        try await count(select(query, in: workspace))
    }

    /// - Throws: `AudienceError`.
    package func count(_ selection: AudienceSelection) async throws -> AudienceCount {
        let users = try await selection.count().users
        let reach = try await selection.subscribed().reach()
        return AudienceCount(
            users: users,
            reachable: reach.reachableUsers,
            devices: reach.reachableDevicesByPlatform
        )
    }

    package func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        at moment: AudienceMoment,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        func isThis(_ listing: Listing) -> Bool {
            listing.workspace == workspace && listing.query == query && listing.moment == moment
        }
        // A listing continues with the columns with which it began.
        let known = cursor.flatMap { _ in
            state.withLock { state in
                state.listings.last(where: isThis)
            }
        }
        let selection: AudienceSelection
        if let known {
            selection = known.selection
        } else {
            selection = try await select(query, in: workspace, at: moment)
        }
        let found = selection.profiles(after: cursor?.rawValue, limit: limit)
        state.withLock { state in
            state.listings.removeAll(where: isThis)
            guard found.count == limit else { return }
            state.listings.append(
                Listing(
                    workspace: workspace,
                    query: query,
                    moment: moment,
                    selection: selection
                )
            )
            if state.listings.count > Self.maxListings { state.listings.removeFirst() }
        }
        return found.map { ProfileID($0) }
    }

    /// Explains why a user does or does not match: the rule with the result of each filter.
    ///
    /// - Returns: `nil` if the workspace has no such user.
    /// - Throws: `AudienceError`.
    package func explain(
        _ rule: SegmentRule,
        for profile: ProfileID,
        in workspace: WorkspaceID
    ) async throws -> SegmentExplanation? {
        let view = try await store.audienceView()
        guard let (owner, row) = try await view.profile(profile), owner == workspace else {
            return nil
        }
        let book = WorkspaceSegmentResolver(
            segments: try await store.segments(in: workspace),
            lists: try await store.userLists(in: workspace),
            campaigns: try await store.campaignReferences(in: workspace),
            controlGroup: try await store.controlGroup(of: workspace),
            memberships: try await store.userLists(of: profile)
        )
        var subjects: Set<ActivityCondition.Subject> = []
        rule.forEachActivity(in: book) { subjects.insert($0.subject) }
        let events = try await view.events(of: profile, subjects)
        var evaluator = SegmentEvaluator(
            at: try await time(of: .now, in: workspace),
            directory: book
        )
        do {
            return try evaluator.explain(rule, for: row, events: events, named: book.named)
        } catch {
            throw AudienceError(
                .invalidFilter,
                .matching,
                ["reason": .reason(error.reason)]
            )
        }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
