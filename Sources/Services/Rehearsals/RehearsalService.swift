import Campaigns
import Foundation
import Logging
import Model
import Ports
import Reasons
import ServiceLifecycle
import Synchronization

/// Plays rehearsals beside a running server: one at a time, on copies that are thrown away.
///
/// Nothing of the server's own parts takes part in it. What it may cost is limited, since everybody who may
/// look at a campaign may ask for one.
package actor RehearsalService: Service {
    package struct Limits: Sendable {
        package var days = 1...60
        /// Users of all workspaces: the copy has all of them, and they are read into memory.
        package var people = 50_000
        /// Of the database.
        package var bytes = 4 << 30
        /// From asking to the result.
        package var seconds = 300
        /// Number of results that are kept, in memory.
        package var kept = 20

        package init() {}
    }

    private typealias Played = (result: RehearsalResult, rows: [RehearsalRow])

    /// Rows of one person that are kept.
    private static let rowLimit = 1_000

    /// A copy of the database.
    package struct Copy: Sendable {
        let store: any Store
        let remove: @Sendable () -> Void

        package init(_ store: any Store, remove: @escaping @Sendable () -> Void) {
            self.store = store
            self.remove = remove
        }
    }

    /// Where copies come from.
    package struct Source: Sendable {
        /// The size of the database, and the room beside it, in bytes.
        let size: @Sendable () async throws -> (database: Int, free: Int)
        /// Leaves nothing behind when it throws, as it does when it is stopped.
        let copy: @Sendable () async throws -> Copy

        package init(
            size: @escaping @Sendable () async throws -> (database: Int, free: Int),
            copy: @escaping @Sendable () async throws -> Copy
        ) {
            self.size = size
            self.copy = copy
        }
    }

    /// A copy grows by what is rehearsed in it, and the server needs room too.
    private static let roomFactor = 3

    package nonisolated let limits: Limits
    private let store: any Store
    private let source: Source
    private let payload: PayloadMeter
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    private let orders: AsyncStream<RehearsalOrder>
    private let order: AsyncStream<RehearsalOrder>.Continuation

    /// The one that is asked for, copied or played.
    private var current: RehearsalOrder?
    private var playing: Task<Played, any Error>?
    private var isStopped = false
    /// When it has taken too long, on the clock of `uptime`.
    private var end = Duration.zero
    private var reached = RehearsalMoment()
    /// The newest last.
    private var asked: [OrderedRehearsal] = []

    package init(
        store: any Store,
        source: Source,
        payload: PayloadMeter,
        limits: Limits = Limits(),
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        logger: Logger
    ) {
        self.store = store
        self.source = source
        self.payload = payload
        self.limits = limits
        self.now = now
        self.uptime = uptime
        self.logger = logger
        (orders, order) = AsyncStream.makeStream(of: RehearsalOrder.self)
    }

    // MARK: Asking

    /// Begins a rehearsal, and returns while it is played.
    ///
    /// - Throws: `ValidationError` that names the field; `Refusal` with the code `rehearsalBusy`,
    ///   `rehearsalPeople` or `rehearsalSize`; `NotAllowed` for another workspace.
    package func begin(_ wanted: RehearsalOrder, by actor: Actor) async throws {
        guard wanted.workspace == actor.workspace else { throw NotAllowed() }
        guard limits.days.contains(wanted.days) else {
            let range = ["first": limits.days.lowerBound, "last": limits.days.upperBound]
            throw ValidationError([
                FieldProblem("days", .dayCount, range.mapValues { .text("\($0)") })
            ])
        }
        guard current == nil else { throw Refusal(.rehearsalBusy) }
        // Before anything is waited for: nobody else begins meanwhile.
        current = wanted
        isStopped = false
        end = uptime() + .seconds(limits.seconds)
        do {
            try await admit()
            let moment = now()
            try await store.addAudit(
                AuditRecord(
                    at: moment,
                    by: actor,
                    action: "\(wanted.kind.rawValue)_rehearsed",
                    subject: wanted.name,
                    detail: "\(Timestamp.format(wanted.from)), \(wanted.days) d"
                ),
                in: wanted.workspace
            )
            reached = RehearsalMoment()
            asked.removeAll { $0.order.isAbout(wanted) }
            asked.append(
                OrderedRehearsal(
                    order: wanted,
                    askedBy: actor.name,
                    askedAt: moment,
                    state: .playing(until: nil)
                )
            )
            asked.removeFirst(max(0, asked.count - limits.kept))
            order.yield(wanted)
        } catch {
            current = nil
            throw error
        }
    }

    private func admit() async throws {
        let size = try await source.size()
        guard size.database <= limits.bytes, size.free >= size.database * Self.roomFactor else {
            throw Refusal(.rehearsalSize)
        }
        var people = 0
        for workspace in try await store.workspaces() {
            people += try await store.userCounts(in: workspace.id).users
        }
        guard people <= limits.people else {
            let counts = ["count": people, "limit": limits.people]
            throw Refusal(.rehearsalPeople, counts.mapValues { .text("\($0)") })
        }
    }

    /// The last rehearsal of a campaign or journey since the server was started.
    package func rehearsal(
        of subject: UUID,
        in workspace: WorkspaceID
    ) -> OrderedRehearsal? {
        guard
            var found = asked.last(where: {
                $0.order.subject == subject && $0.order.workspace == workspace
            })
        else { return nil }
        if found.isPlaying { found.state = .playing(until: reached.value) }
        return found
    }

    /// What is played now, perhaps for another workspace.
    package var busyWith: RehearsalOrder? { current }

    /// Stops the rehearsal of a campaign or journey, if it is the one that is played.
    package func stop(_ subject: UUID, in workspace: WorkspaceID) {
        guard let current, current.subject == subject, current.workspace == workspace else {
            return
        }
        isStopped = true
        playing?.cancel()
    }

    // MARK: Playing

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await order in self.orders { await self.play(order) }
        }
    }

    private func play(_ order: RehearsalOrder) async {
        let reached = reached
        let end = end
        // Pushes and requests come first.
        let task = Task(priority: .utility) { [source, limits, payload, uptime, logger] in
            try await Self.result(order, source, payload, logger) { moment in
                try Task.checkCancellation()
                guard uptime() < end else {
                    throw RehearsalFailure.tooLong(seconds: limits.seconds)
                }
                reached.value = moment
            }
        }
        playing = task
        if isStopped { task.cancel() }
        let state: OrderedRehearsal.State
        var rows: [RehearsalRow] = []
        do {
            let played = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            state = .done(played.result)
            rows = played.rows
        } catch let failure as RehearsalFailure {
            state = .failed(failure)
        } catch is RehearsalProblem {
            state = .failed(.gone)
        } catch {
            // What the database was doing ends with an error of its own.
            let wasStopped = task.isCancelled
            if !wasStopped {
                logger.error(
                    "a rehearsal has failed",
                    metadata: ["rehearsal.error": "\(error)"]
                )
            }
            state = .failed(wasStopped ? .stopped : .broken)
        }
        if let index = asked.lastIndex(where: { $0.order == order }) {
            asked[index].state = state
            asked[index].rows = rows
        }
        playing = nil
        current = nil
    }

    private static func result(
        _ order: RehearsalOrder,
        _ source: Source,
        _ payload: PayloadMeter,
        _ logger: Logger,
        _ progress: @escaping @Sendable (Date) throws -> Void
    ) async throws -> Played {
        try Task.checkCancellation()
        let rows = Mutex<[RehearsalRow]>([])
        let copy = try await source.copy()
        defer { copy.remove() }
        // What its parts say would be taken for news of the server.
        var quiet = logger
        quiet.logLevel = .critical
        let note: @Sendable (RehearsalRow) -> Void = { row in
            guard row.user == order.name else { return }
            rows.withLock { if $0.count < rowLimit { $0.append(row) } }
        }
        // One hand: the other processors are the server's.
        let rehearsal = Rehearsal(
            copy.store,
            of: order.workspace,
            order.settings,
            payload: payload,
            logger: quiet,
            write: order.kind == .person ? note : nil
        )
        return (try await rehearsal.run(progress), rows.withLock { $0 })
    }
}

extension RehearsalOrder {
    fileprivate func isAbout(_ other: RehearsalOrder) -> Bool {
        subject == other.subject && workspace == other.workspace
    }
}

/// How far a rehearsal is, told by the one who plays it.
private final class RehearsalMoment: Sendable {
    private let moment = Mutex<Date?>(nil)

    var value: Date? {
        get { moment.withLock { $0 } }
        set { moment.withLock { $0 = newValue } }
    }
}
