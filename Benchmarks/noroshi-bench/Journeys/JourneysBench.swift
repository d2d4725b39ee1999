import ArgumentParser
import Foundation
import Journeys
import Logging
import Model
import NoroshiWire
import Ports
import StoreSQL
import Synchronization

/// The cost of people who wait in a journey, and the speed of those who are due.
struct JourneysBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journeys",
        abstract: "People who wait in a journey, and those who are due.",
        discussion: """
            Lets all people of a store into a journey that waits a week, measures what the runner \
            costs while none of them is due, and then moves those who are: each step is a row that \
            survives a loss of power.
            """
    )

    @Option(help: "People who wait.")
    var people = 1_000_000
    @Option(help: "People of them who are due at once.")
    var due = 100_000
    @Option(help: "Rounds of the runner, of which there is one a second, while none is due.")
    var rounds = 300
    @Option(help: "A folder for the database.")
    var folder: String?

    func run() async throws {
        let folder =
            folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-bench-journeys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { if self.folder == nil { try? FileManager.default.removeItem(at: folder) } }
        let path = folder.appendingPathComponent("journeys.sqlite").path
        for file in [path, path + "-wal", path + "-shm"] {
            try? FileManager.default.removeItem(atPath: file)
        }
        let store = try SQLStore(path: path, synchronous: .full)
        let bench = JourneyLoad(store: store, start: Date())
        try await bench.fill(people)
        try await bench.enter(people, dueFirst: due)
        try await bench.measureWaiting(rounds)
        try await bench.measureDue(due)
    }
}

/// A journey with people in it, at a time that is set by hand.
private final class JourneyLoad: Sendable {
    private let store: SQLStore
    private let audience = ListedAudience()
    private let time: Mutex<Date>
    private let ids = Mutex<(workspace: WorkspaceID, journey: JourneyID)?>(nil)

    init(store: SQLStore, start: Date) {
        self.store = store
        time = Mutex(start)
    }

    private var now: Date { time.withLock { $0 } }

    private func say(_ text: String) { print(text) }

    func fill(_ people: Int) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let workspace = try await store.createWorkspace(
            name: "Bench",
            timeZone: "Asia/Tokyo",
            now: now
        )
        for first in stride(from: 0, to: people, by: 5_000) {
            let items = (first..<min(people, first + 5_000)).map { number in
                IngestItem(
                    recordID: nil,
                    user: .external("user-\(number)"),
                    time: now,
                    content: .attributes(AttributeChanges(["number": .integer(Int64(number))]))
                )
            }
            _ = try await store.ingest(
                [IngestRequest(workspace: workspace, source: .api, items: items)],
                now: now
            )
        }
        var all: [ProfileID] = []
        while true {
            let page = try await store.profiles(in: workspace, after: all.last, limit: 100_000)
            all += page
            if page.count < 100_000 { break }
        }
        audience.setEverybody(all)
        ids.withLock { $0 = (workspace, JourneyID(0)) }
        say("\(all.count) people stored in \(seconds(clock.now - start)) s")
    }

    /// The first people wait an hour and take four steps then; the others wait a week.
    func enter(_ people: Int, dueFirst: Int) async throws {
        guard let workspace = ids.withLock({ $0?.workspace }) else { return }
        var steps: [JourneyStep] = []
        func add(_ kind: JourneyStepKind, next: JourneyStepID? = nil) -> JourneyStepID {
            let id = JourneyStepID(UUID())
            steps.insert(JourneyStep(id: id, kind: kind, next: next), at: 0)
            return id
        }
        let end = add(.wait(.duration(7 * 86_400)))
        let jump = add(.jump, next: end)
        let split = add(
            .split([
                JourneyShare(name: "a", weight: 1, next: jump),
                JourneyShare(name: "b", weight: 1, next: end),
            ])
        )
        let hour = add(.wait(.duration(3_600)), next: split)
        let week = add(.wait(.duration(7 * 86_400)), next: end)
        _ = add(
            .branch([
                JourneyPath(
                    name: "soon",
                    condition: .segment(SegmentQuery(filter: "soon")),
                    next: hour
                )
            ]),
            next: week
        )
        let page = try await store.profiles(in: workspace, after: nil, limit: dueFirst)
        for user in page { audience.change("soon", user, joins: true) }
        let service = JourneyService(
            store: store,
            audience: audience,
            now: { self.now },
            announce: { _, _ in }
        )
        let actor = Actor.commandLine(account: "bench", workspace)
        let draft = try await service.create(
            JourneyDefinition(name: "Week", entry: .members(SegmentQuery(), at: nil), steps: steps),
            by: actor
        )
        let journey = try await service.publish(draft, by: actor)
        ids.withLock { $0 = (workspace, journey.id) }
        let clock = ContinuousClock()
        let start = clock.now
        let runner = runner
        while try await runner.step() {}
        let took = clock.now - start
        say("\(people) people entered in \(seconds(took)) s, \(rate(people, took)) a second")
    }

    private var runner: JourneyRunner {
        JourneyRunner(
            store: store,
            audience: audience,
            now: { self.now },
            announce: { _, _ in },
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func measureWaiting(_ rounds: Int) async throws {
        let runner = runner
        _ = try await runner.step()
        let start = ProcessorTime.own()
        for _ in 0..<rounds {
            time.withLock { $0 += 1 }
            if try await runner.step() { throw BenchError("somebody was due") }
        }
        let each = (ProcessorTime.own() - start) / Double(rounds)
        say(
            "while none is due: \(milliseconds(each)) ms of processor time a round, which is "
                + "\(String(format: "%.2f", each * 100)) % of one processor at one round a second"
        )
    }

    func measureDue(_ people: Int) async throws {
        guard let journey = ids.withLock({ $0?.journey }) else { return }
        time.withLock { $0 += 3_700 }
        let before = try await passages(of: journey)
        let clock = ContinuousClock()
        let start = clock.now
        let processor = ProcessorTime.own()
        let runner = runner
        while try await runner.step() {}
        let took = clock.now - start
        let used = ProcessorTime.own() - processor
        let steps = try await passages(of: journey) - before
        say(
            "\(people) due people left \(steps) steps in \(seconds(took)) s: "
                + "\(rate(steps, took)) steps a second, \(rate(people, took)) people, "
                + "\(String(format: "%.1f", used)) s of processor time"
        )
        guard steps >= people * 2 else { throw BenchError("only \(steps) steps were taken") }
    }

    private func passages(of journey: JourneyID) async throws -> Int {
        try await store.figures(of: journey).steps.values.reduce(0) {
            $0 + $1.passed + $1.late + $1.left
        }
    }

    private func seconds(_ duration: Duration) -> String {
        String(format: "%.1f", duration / .seconds(1))
    }

    private func milliseconds(_ seconds: Double) -> String {
        String(format: "%.2f", seconds * 1_000)
    }

    private func rate(_ count: Int, _ duration: Duration) -> Int {
        Int(Double(count) / (duration / .seconds(1)))
    }
}
