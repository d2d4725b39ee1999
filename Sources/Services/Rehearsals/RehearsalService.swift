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
        /// Number of rehearsals that are kept.
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
    /// A rehearsal that this server plays.
    private struct Current: Sendable {
        let id: UUID
        let ordered: OrderedRehearsal

        var order: RehearsalOrder { ordered.order }
    }

    private let store: any Store
    /// Among those of the database.
    private let server: UUID
    private let source: Source
    /// Between two looks whether another server was told to stop it.
    private let pause: Duration
    private let payload: PayloadMeter
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    private let orders: AsyncStream<Current>
    private let order: AsyncStream<Current>.Continuation

    /// The one that is asked for, copied or played.
    private var current: Current?
    private var playing: Task<Played, any Error>?
    private var isStopped = false
    /// When it has taken too long, on the clock of `uptime`.
    private var end = Duration.zero
    private var reached = RehearsalMoment()

    /// - Parameter server: Tells it from the other servers of the database.
    package init(
        store: any Store,
        server: UUID,
        source: Source,
        payload: PayloadMeter,
        limits: Limits = Limits(),
        pause: Duration = .seconds(1),
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        logger: Logger
    ) {
        self.store = store
        self.server = server
        self.pause = pause
        self.source = source
        self.payload = payload
        self.limits = limits
        self.now = now
        self.uptime = uptime
        self.logger = logger
        (orders, order) = AsyncStream.makeStream(of: Current.self)
    }

    // MARK: Asking

    /// Begins a rehearsal, and returns while it is played.
    ///
    /// - Throws: `ValidationError` that names the field; `RefusalError` with the code `rehearsalBusy`,
    ///   `rehearsalPeople` or `rehearsalSize`; `NotAllowedError` for another workspace.
    package func begin(_ wanted: RehearsalOrder, by actor: Actor) async throws {
        guard wanted.workspace == actor.workspace else { throw NotAllowedError() }
        guard limits.days.contains(wanted.days) else {
            let range = ["first": limits.days.lowerBound, "last": limits.days.upperBound]
            throw ValidationError([
                FieldProblem("days", .dayCount, range.mapValues { .text("\($0)") })
            ])
        }
        guard current == nil else { throw RefusalError(.rehearsalBusy) }
        // Before anything is waited for: nobody else begins meanwhile.
        let moment = now()
        let begun = Current(
            id: UUID(),
            ordered: OrderedRehearsal(
                order: wanted,
                askedBy: actor.name,
                askedAt: moment,
                state: .playing(until: nil)
            )
        )
        current = begun
        reached = RehearsalMoment()
        isStopped = false
        end = uptime() + .seconds(limits.seconds)
        do {
            try await admit()
            let record = RehearsalRecord(
                id: begun.id,
                workspace: wanted.workspace,
                subject: wanted.subject,
                askedAt: moment,
                content: try begun.ordered.stored(),
                player: server
            )
            guard try await store.addRehearsal(record, keeping: limits.kept) else {
                throw RefusalError(.rehearsalBusy)
            }
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
            order.yield(begun)
        } catch {
            current = nil
            throw error
        }
    }

    private func admit() async throws {
        let size = try await source.size()
        guard size.database <= limits.bytes, size.free >= size.database * Self.roomFactor else {
            throw RefusalError(.rehearsalSize)
        }
        var people = 0
        for workspace in try await store.workspaces() {
            people += try await store.userCounts(in: workspace.id).users
        }
        guard people <= limits.people else {
            let counts = ["count": people, "limit": limits.people]
            throw RefusalError(.rehearsalPeople, counts.mapValues { .text("\($0)") })
        }
    }

    /// The last rehearsal of a campaign, journey or person, whichever server plays it or has played it.
    ///
    /// - Throws: `StoreError`.
    package func rehearsal(
        of subject: UUID,
        in workspace: WorkspaceID
    ) async throws -> OrderedRehearsal? {
        // One of this server that seems to be left: it may have ended while it was read.
        var seen: UUID?
        while true {
            // What another version has written may say something else.
            guard let record = try await store.rehearsal(about: subject, in: workspace),
                var found = OrderedRehearsal(stored: record.content)
            else { return nil }
            guard let player = record.player else { return found }
            if record.id == current?.id {
                found.state = .playing(until: reached.value)
            } else if player != server, record.isPlayerWorking {
                found.state = .playing(until: record.reached)
            } else if player == server, record.id != seen {
                seen = record.id
                continue
            } else {
                found.state = .failed(.left)
            }
            return found
        }
    }

    /// What this server plays now, perhaps for another workspace.
    package var busyWith: RehearsalOrder? { current?.order }

    /// Stops the rehearsal of a campaign, journey or person, if it is played.
    ///
    /// - Throws: `StoreError`.
    package func stop(_ subject: UUID, in workspace: WorkspaceID) async throws {
        guard let order = current?.order, order.subject == subject, order.workspace == workspace
        else { return try await store.stopRehearsal(about: subject, in: workspace) }
        isStopped = true
        playing?.cancel()
    }

    // MARK: Playing

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await order in self.orders { await self.play(order) }
        }
    }

    private func play(_ begun: Current) async {
        let order = begun.order
        let reached = reached
        let end = end
        // Pushes and requests come first.
        let task = Task(priority: .utility) { [source, limits, payload, uptime, logger] in
            try await Self.result(order, source, payload, logger) { moment in
                try Task.checkCancellation()
                guard uptime() < end else {
                    throw RehearsalError.tooLong(seconds: limits.seconds)
                }
                reached.value = moment
            }
        }
        playing = task
        if isStopped { task.cancel() }
        var ordered = begun.ordered
        do {
            let played = try await withTaskCancellationHandler {
                try await watching(begun, task) { try await task.value }
            } onCancel: {
                task.cancel()
            }
            ordered.state = .done(played.result)
            ordered.rows = played.rows
        } catch let failure as RehearsalError {
            ordered.state = .failed(failure)
        } catch is RehearsalProblem {
            ordered.state = .failed(.gone)
        } catch {
            // What the database was doing ends with an error of its own.
            let wasStopped = task.isCancelled
            if !wasStopped {
                logger.error(
                    "a rehearsal has failed",
                    metadata: ["rehearsal.error": "\(error)"]
                )
            }
            ordered.state = .failed(wasStopped ? .stopped : .broken)
        }
        await finish(begun, ordered)
        playing = nil
        current = nil
    }

    /// Tells the other servers meanwhile how far it is, and ends it when somebody has stopped it at one of them.
    private func watching<Value: Sendable>(
        _ begun: Current,
        _ task: Task<Played, any Error>,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { [store, pause, reached] group in
            group.addTask {
                while true {
                    try await Task.sleep(for: pause)
                    // A database that cannot be reached does not say that it was stopped.
                    let goesOn = try? await store.noteRehearsal(begun.id, reached: reached.value)
                    if goesOn == false {
                        task.cancel()
                    }
                }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Keeps what it has shown, once the database takes it. Of a server that ends before, others read that it
    /// has left.
    private func finish(_ begun: Current, _ ordered: OrderedRehearsal) async {
        let content: String
        do {
            content = try ordered.stored()
        } catch {
            // Nor would it be written the next time; others read that it is lost.
            logger.error(
                "the result of a rehearsal cannot be written",
                metadata: ["rehearsal.error": "\(error)"]
            )
            return
        }
        var hasFailed = false
        while true {
            do {
                return try await store.finishRehearsal(begun.id, content: content)
            } catch {
                if !hasFailed, !Task.isCancelled {
                    logger.error(
                        "the result of a rehearsal cannot be stored and will be",
                        metadata: ["rehearsal.error": "\(error)"]
                    )
                }
                hasFailed = true
                do { try await Task.sleep(for: pause) } catch { return }
            }
        }
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

extension OrderedRehearsal {
    /// `nil` for what another version has written, and this one cannot read.
    fileprivate init?(stored text: String) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
            return nil
        }
        self = read
    }

    fileprivate func stored() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
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
