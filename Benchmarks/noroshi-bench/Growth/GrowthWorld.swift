import Analytics
import Audience
import Foundation
import Ingestion
import Logging
import Model
import Ports
import Retention
import StoreSQL
import Synchronization

/// A store with its columns and its removal, on a clock that is steered.
final class GrowthWorld: Sendable {
    private static let looks = 9
    /// How many clients send events at once.
    private static let clients = 8
    private static let beginning = Date(timeIntervalSince1970: 1_790_000_000)

    private let path: String
    private let workload: GrowthWorkload
    private let store: SQLStore
    private let workspace: WorkspaceID
    private let audience: SegmentationService
    private let retention: RetentionService
    private let time: TimeBox
    private let clock = ContinuousClock()

    init(path: String, period: Int, workload: GrowthWorkload) async throws {
        self.path = path
        self.workload = workload
        let store = try SQLStore(path: path, synchronous: .normal)
        self.store = store
        let workspace = try await store.createWorkspace(
            name: "Bench",
            timeZone: "UTC",
            now: Self.beginning
        )
        self.workspace = workspace
        _ = try await store.changeWorkspace(workspace) { settings in
            var settings = settings
            settings.retention.customEvents = period
            settings.retention.sessions = period
            let audit = AuditRecord(
                at: Self.beginning,
                origin: .commandLine,
                author: "bench",
                action: "workspace_changed",
                subject: settings.name
            )
            return (settings, audit)
        }
        let time = TimeBox(Self.beginning)
        self.time = time
        audience = Self.audience(store) { time.value }
        var settings = RetentionService.Settings()
        settings.rows = 10_000
        settings.pause = .zero
        retention = RetentionService(
            store: store,
            settings: settings,
            now: { time.value },
            // A pass that seems to take no time is not followed by a rest.
            uptime: { .zero },
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        try await audience.rebuild()
    }

    private static func audience(
        _ store: SQLStore,
        now: @escaping @Sendable () -> Date
    ) -> SegmentationService {
        SegmentationService(
            store: store,
            now: now,
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func close() async throws { try await store.close() }

    /// Tells the store what happens on some days; what was a day before is followed and removed beside.
    func live(_ days: Range<Int>, _ former: GrowthMonth?) async throws -> GrowthMonth {
        var month = GrowthMonth(number: (former?.number ?? 0) + 1)
        let begin = clock.now
        let arrival = TimeBox(Self.beginning)
        let ingestion = IngestionService(
            store: store,
            feed: ChangeFeed(),
            now: { arrival.value },
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        async let _: Void = ingestion.run()
        for day in days {
            async let removing = day > days.lowerBound ? end(day - 1) : .zero
            let answers = try await ingest(day, ingestion, arrival)
            month.removing += try await removing
            month.answers += answers
        }
        month.removing += try await end(days.upperBound - 1)
        month.elapsed = clock.now - begin
        month.days = days.count
        month.events = days.count * workload.events
        try await measure(&month, former)
        return month
    }

    /// How long each request of a day was waited for.
    private func ingest(
        _ day: Int,
        _ ingestion: IngestionService,
        _ arrival: TimeBox
    ) async throws -> [Duration] {
        let start = Self.beginning.addingTimeInterval(Double(day) * 86_400)
        let sent = SentEvents()
        return try await withThrowingTaskGroup(of: [Duration].self) { clients in
            for _ in 0..<Self.clients {
                clients.addTask { [self] in
                    var answers: [Duration] = []
                    while true {
                        let first = sent.next(GrowthWorkload.batch)
                        guard first < workload.events else { return answers }
                        let items = workload.batch(from: first, ofDay: day, from: start)
                        arrival.set(items.last?.time ?? start)
                        let request = IngestRequest(
                            workspace: workspace,
                            source: .api,
                            items: items
                        )
                        let begin = clock.now
                        _ = try await ingestion.submit(request)
                        answers.append(clock.now - begin)
                    }
                }
            }
            return try await clients.reduce(into: []) { $0 += $1 }
        }
    }

    /// Follows what happened on a day, and removes what is old at its end.
    ///
    /// - Returns: How long the removal took.
    private func end(_ day: Int) async throws -> Duration {
        // A day after the end of the pass before, so that one is due.
        time.set(Self.beginning.addingTimeInterval(Double(day) * 86_400 + 86_401))
        try await audience.catchUp()
        try await store.refreshDailyCounts(in: workspace, days: LocalDays(.gmt))
        let begin = clock.now
        try await retention.removeDue()
        let removing = clock.now - begin
        if let position = audience.position {
            try await store.forgetAudienceChanges(before: position)
        }
        while try await store.indexEvents(UserEventIndexer.stepSize) {}
        return removing
    }

    /// What the file, the columns and a start have come to.
    private func measure(_ month: inout GrowthMonth, _ former: GrowthMonth?) async throws {
        month.removedSoFar =
            retention.removedRows(of: .customEvents) + retention.removedRows(of: .sessions)
        month.removed = month.removedSoFar - (former?.removedSoFar ?? 0)
        for end in ["", "-wal"] {
            let size = try FileManager.default.attributesOfItem(atPath: path + end)[.size]
            month.bytes += (size as? Int) ?? 0
        }
        try await audience.catchUp()
        month.columnBytes = audience.memory.total
        let moment = time.value
        let begin = clock.now
        try await Self.audience(store) { moment }.rebuild()
        month.start = clock.now - begin
        let looks = try await looks().sorted()
        if !looks.isEmpty { month.look = looks[looks.count / 2] }
    }

    /// How long the latest events of some users take.
    private func looks() async throws -> [Duration] {
        var times: [Duration] = []
        for number in 0..<Self.looks {
            let name = "user-\(workload.users / Self.looks * number)"
            guard let user = try await store.profile(.external(name), in: workspace) else {
                continue
            }
            let begin = clock.now
            _ = try await store.events(of: user.id, limit: 50)
            times.append(clock.now - begin)
        }
        return times
    }
}

/// The time that the bench has come to.
private final class TimeBox: Sendable {
    private let time: Mutex<Date>

    init(_ time: Date) { self.time = Mutex(time) }

    var value: Date { time.withLock { $0 } }

    func set(_ new: Date) { time.withLock { $0 = new } }
}

/// How many events of a day have been taken by clients.
private final class SentEvents: Sendable {
    private let count = Atomic(0)

    /// - Returns: The place of the first of some more.
    func next(_ more: Int) -> Int { count.add(more, ordering: .relaxed).oldValue }
}
