import ArgumentParser
import Audience
import Foundation
import Journeys
import Model
import NoroshiWire
import Ports
import StoreSQL

/// The crash test of journeys.
struct JourneysTorture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journeys",
        abstract: "People through a journey, kill -9 and a push service with faults.",
        discussion: """
            Everybody enters a journey of ten steps, five of which send a push; between them they \
            wait for events, which arrive late. The server is killed at random moments. At the end \
            every device has to show each push exactly once, and the rows of the ledger are compared \
            with the simulator's record. Ends with 1 when they differ.
            """
    )

    @Option(help: "People, each with one device.")
    var people = 50_000
    @Option(help: "How often the server is killed.")
    var kills = 30
    @Option(help: "How many requests of a hundred go wrong.")
    var faults = 2.0
    @Option(help: "Chooses the moments; the same seed repeats a run as far as time allows.")
    var seed: UInt64?
    @Option(help: "The noroshi-server to torture; the one beside this program without it.")
    var server: String?
    @Option(help: "A folder for the file with the users, which the next run uses again.")
    var folder: String?

    /// The run has failed after this many seconds without progress.
    private static let patience: TimeInterval = 90
    /// Number of pushes to each person.
    private static let pushes = 5

    func run() async throws {
        let seed = self.seed ?? UInt64.random(in: 1...999_999)
        print("seed \(seed): \(people) people, \(kills) kills, \(faults) % faults")
        let users = DeliveryAudience(
            folder: folder.map { URL(fileURLWithPath: $0) }
                ?? FileManager.default.temporaryDirectory
                .appendingPathComponent("noroshi-bench-delivery"),
            users: people
        )
        try await users.prepare { print($0) }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-torture-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path =
            server
            ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("noroshi-server").path
        let site = TortureEnvironment(
            folder: folder,
            serverPath: path,
            recipients: people,
            seed: seed
        )
        try site.prepare(users)
        let differences = try await torture(site, SeededRandom(seed: seed))
        guard differences.isEmpty else {
            for line in differences.prefix(20) { print("  \(line)") }
            print("FAILED: \(differences.count) differences; the files are in \(folder.path)")
            throw ExitCode(1)
        }
        try? FileManager.default.removeItem(at: folder)
        print("PASSED: every device shows each push once, and the rows agree with the record.")
    }

    // MARK: The journey

    private static func definition() -> JourneyDefinition {
        var steps: [JourneyStep] = []
        func add(_ kind: JourneyStepKind) {
            let next = steps.first?.id
            steps.insert(JourneyStep(id: JourneyStepID(UUID()), kind: kind, next: next), at: 0)
        }
        for number in (1...pushes).reversed() {
            if number < pushes {
                add(
                    .wait(
                        .event(EventMatch(.custom(name: event(number))), limit: 86_400, late: nil)
                    )
                )
            }
            let message = CampaignMessage(PlatformMessage(PushMessage(body: "Push \(number)")))
            add(
                .push(
                    JourneyPush(
                        variants: [CampaignVariant(apiID: UUID(), name: "A", message: message)]
                    )
                )
            )
        }
        let first = steps[0].id
        let shares = ["left", "right"].map { JourneyShare(name: $0, weight: 1, next: first) }
        steps.insert(JourneyStep(id: JourneyStepID(UUID()), kind: .split(shares)), at: 0)
        return JourneyDefinition(
            name: "Torture",
            entry: .members(SegmentQuery(), at: nil),
            steps: steps
        )
    }

    private static func event(_ number: Int) -> String { "after-\(number)" }

    // MARK: The run

    private func torture(
        _ site: TortureEnvironment,
        _ random: SeededRandom
    ) async throws -> [String] {
        var random = random
        let simulator = try site.startSimulator(faults: faults)
        defer { simulator.kill() }
        let store = try SQLStore(path: site.database)
        guard let workspace = try await store.workspaces().first else {
            throw BenchError("the file has no workspace")
        }
        let service = JourneyService(
            store: store,
            audience: ListedAudience(),
            now: { Date() },
            announce: { _, _ in }
        )
        let actor = Actor.commandLine(account: "torture", workspace.id)
        let draft = try await service.create(Self.definition(), by: actor)
        let journey = try await service.publish(draft, by: actor)
        var record = try AcceptedRecord(path: site.recordPath)
        var server = try site.startServer(simulator: simulator)
        defer { server.kill() }
        let waits = journey.draft.steps.filter { if case .wait = $0.kind { true } else { false } }
        var killed = 0
        for (number, wait) in waits.enumerated() {
            // The kills are spread evenly over the parts of the way.
            let until = kills * (number + 1) / (waits.count + 1)
            while killed < until {
                let pause = Int.random(in: 200...2_500, using: &random)
                try await Task.sleep(for: .milliseconds(pause))
                server.kill()
                killed += 1
                try record.follow()
                print("kill \(killed) of \(kills) after \(record.lines) accepted pushes")
                fflush(nil)
                server = try site.startServer(simulator: simulator)
            }
            try await self.wait("at wait \(number + 1)", server) {
                try await store.figures(of: journey.id).steps[wait.id]?.entered ?? 0
            }
            try await log(Self.event(number + 1), store, workspace.id, &random)
        }
        while killed < kills {
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...2_500, using: &random)))
            server.kill()
            killed += 1
            server = try site.startServer(simulator: simulator)
        }
        try await self.wait("through the journey", server) {
            try await store.figures(of: journey.id).ended[.completed] ?? 0
        }
        try await self.wait("sent", server, to: nil) {
            try await openRows(of: journey, store)
        }
        server.stop()
        try record.follow()
        return try await differences(journey, site, store, record)
    }

    /// Stores an event of everybody, in an order of its own and some seconds late.
    private func log(
        _ name: String,
        _ store: SQLStore,
        _ workspace: WorkspaceID,
        _ random: inout SeededRandom
    ) async throws {
        let time = Date()
        var cursor: ProfileID?
        var everybody: [ProfileID] = []
        repeat {
            let page = try await store.profiles(in: workspace, after: cursor, limit: 10_000)
            everybody += page
            cursor = page.last
        } while cursor != nil
        everybody.shuffle(using: &random)
        for first in stride(from: 0, to: everybody.count, by: 1_000) {
            let page = everybody[first..<min(everybody.count, first + 1_000)]
            var items: [IngestItem] = []
            for user in page {
                guard let profile = try await store.profile(user) else { continue }
                items.append(
                    IngestItem(
                        recordID: nil,
                        user: .profile(profile.publicID),
                        updatesExistingOnly: true,
                        time: time,
                        content: .event(name: name, properties: EventProperties([:]))
                    )
                )
            }
            _ = try await store.ingest(
                [IngestRequest(workspace: workspace, source: .api, items: items)],
                now: Date()
            )
        }
    }

    /// Waits until everybody is counted, or, without `goal`, nobody is.
    private func wait(
        _ what: String,
        _ server: ProgramProcess,
        to goal: Int? = 1,
        _ count: () async throws -> Int
    ) async throws {
        let wanted = goal == nil ? 0 : people
        var last = -1
        var lastChange = Date()
        while true {
            let found = try await count()
            if found == wanted { return }
            guard server.isRunning else { throw BenchError("the server ended by itself") }
            if found != last { (last, lastChange) = (found, Date()) }
            guard Date().timeIntervalSince(lastChange) < Self.patience else {
                throw BenchError("nothing has happened for long: \(found) people are \(what)")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private func sends(of journey: Journey, _ store: SQLStore) async throws -> [Send] {
        var query = SendQuery(limit: 1_000_000)
        query.includesJourneys = true
        return try await store.sends(in: journey.workspace, matching: query).sends
            .filter { $0.content.launch?.journey?.journey == journey.id }
    }

    private func openRows(of journey: Journey, _ store: SQLStore) async throws -> Int {
        try await sends(of: journey, store).filter { $0.state != .finished }.count
    }

    // MARK: The verdict

    private func differences(
        _ journey: Journey,
        _ site: TortureEnvironment,
        _ store: SQLStore,
        _ record: AcceptedRecord
    ) async throws -> [String] {
        var differences: [String] = []
        var rows: [DeviceID: [JourneyStepID: Int]] = [:]
        var accepted = 0
        for send in try await sends(of: journey, store) {
            guard let step = send.content.launch?.journey?.step else { continue }
            var after: DeviceID?
            repeat {
                let page = try await store.ledger(of: send.id, after: after, limit: 10_000)
                for row in page {
                    rows[row.device, default: [:]][step, default: 0] += 1
                    if row.state == .accepted { accepted += 1 }
                }
                after = page.last?.device
            } while after != nil
        }
        let removed = site.removed
        for number in 0..<people where !removed.contains(number) {
            let token = DeliveryAudience.token(number)
            let shown = record.devices[token]?.shown ?? 0
            if shown != Self.pushes {
                differences.append("person \(number): the device shows \(shown) pushes")
            }
            let device = DeviceID(Int64(number + 1))
            let own = rows[device] ?? [:]
            if own.count != Self.pushes || own.values.contains(where: { $0 != 1 }) {
                differences.append("person \(number): rows of steps are \(own.values.sorted())")
            }
        }
        let shown = record.devices.values.reduce(0) { $0 + $1.shown }
        if shown != accepted {
            differences.append("\(shown) pushes are shown, \(accepted) rows are accepted")
        }
        let figures = try await store.figures(of: journey.id)
        if figures.entered != people || figures.ended != [.completed: people] {
            differences.append("entered \(figures.entered), ended \(figures.ended)")
        }
        print(
            "record: \(record.lines) accepted, \(shown) shown; the others were repetitions under the "
                + "same id, which replace on the device"
        )
        return differences
    }
}
