import ArgumentParser
import Foundation
import Journeys
import Logging
import Model
import NoroshiWire
import Ports
import StoreSQL
import Synchronization

/// Plays worlds that another program has made up: a line of JSON in, a line of JSON out.
struct JourneysModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journeys-model",
        abstract: "Plays journeys from the standard input, for other programs to check.",
        shouldDisplay: false
    )

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-journeys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore(
            path: folder.appendingPathComponent("model.sqlite").path,
            synchronous: .normal
        )
        let encoder = JSONEncoder()
        while let line = readLine() {
            let world = try JSONDecoder().decode(JourneyWorld.self, from: Data(line.utf8))
            let result = try await JourneyPlay(world, store: store).result()
            FileHandle.standardOutput.write(try encoder.encode(result) + Data("\n".utf8))
        }
    }
}

/// One world in a workspace of its own.
private final class JourneyPlay: Sendable {
    struct Result: Encodable {
        struct Message: Encodable {
            var at: Double
            var person: Int
            var step: String
        }

        struct Entry: Encodable {
            var person: Int
            var number: Int
            var version: Int
            var entered: Double
            var end: String?
            var ended: Double?
            var converted: Double?
            var step: String?
            var passage: Int?
            var arrived: Double?
            var due: Double?
        }

        var ids: [Int64]
        var messages: [Message]
        var entries: [Entry]
    }

    private let world: JourneyWorld
    private let store: SQLStore
    private let audience = ListedAudience()
    private let time = Mutex(Date.distantPast)

    init(_ world: JourneyWorld, store: SQLStore) {
        self.world = world
        self.store = store
    }

    private var now: Date { time.withLock { $0 } }

    func result() async throws -> Result {
        let start = Date(timeIntervalSince1970: world.acts.first?.at ?? 0)
        time.withLock { $0 = start }
        let workspace = try await store.createWorkspace(
            name: "World",
            timeZone: "Asia/Tokyo",
            now: start
        )
        if let quiet = world.quiet,
            let from = TimeOfDay(quiet[0] / 60, quiet[0] % 60),
            let to = TimeOfDay(quiet[1] / 60, quiet[1] % 60)
        {
            try await store.saveLimits(
                MessagingLimits(quietHours: QuietHours(start: from, end: to)),
                of: workspace
            )
        }
        var ids: [ProfileID] = []
        for person in world.people { ids.append(try await add(person, workspace)) }
        let service = JourneyService(
            store: store,
            audience: audience,
            now: { self.now },
            makeID: { [world] in world.journey },
            announce: { _, _ in }
        )
        let actor = Actor.commandLine(account: "model", workspace)
        var journey = try await service.create(
            world.versions[0].definition(named: "World"),
            by: actor
        )
        for act in world.acts {
            time.withLock { $0 = Date(timeIntervalSince1970: act.at) }
            journey = try await store.journey(journey.id) ?? journey
            try await perform(act, journey, service, actor, ids)
            // A new runner each time, as after a restart.
            while try await runner.step() {}
        }
        let result = try await read(journey, ids)
        journey = try await store.journey(journey.id) ?? journey
        try await service.take(.stop, with: journey, by: actor)
        return result
    }

    private var runner: JourneyRunner {
        var settings = JourneyRunner.Settings()
        settings.chunk = 4
        return JourneyRunner(
            store: store,
            audience: audience,
            settings: settings,
            now: { self.now },
            announce: { _, _ in },
            logger: Logger(label: "model") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func add(
        _ person: JourneyWorld.Person,
        _ workspace: WorkspaceID
    ) async throws -> ProfileID {
        let values: [String: JSONValue] = person.zone.map { ["time_zone": .string($0)] } ?? [:]
        try await ingest(.attributes(AttributeChanges(values)), of: person.name, workspace, now)
        guard let profile = try await store.profile(.external(person.name), in: workspace) else {
            throw BenchError("a person was not stored")
        }
        return profile.id
    }

    private func ingest(
        _ content: IngestItem.Content,
        of name: String,
        _ workspace: WorkspaceID,
        _ date: Date
    ) async throws {
        let item = IngestItem(recordID: nil, user: .external(name), time: date, content: content)
        let request = IngestRequest(workspace: workspace, source: .api, items: [item])
        _ = try await store.ingest([request], now: now)
    }

    private func perform(
        _ act: JourneyWorld.Act,
        _ journey: Journey,
        _ service: JourneyService,
        _ actor: Actor,
        _ ids: [ProfileID]
    ) async throws {
        let name = act.person.map { world.people[$0].name } ?? ""
        switch act.kind {
        case "event":
            let properties = (act.properties ?? [:]).mapValues { JSONValue.integer(Int64($0)) }
            try await ingest(
                .event(name: act.event ?? "", properties: EventProperties(properties)),
                of: name,
                journey.workspace,
                Date(timeIntervalSince1970: act.time ?? act.at)
            )
        case "member":
            audience.change(act.segment ?? "", ids[act.person ?? 0], joins: act.joins ?? true)
            try await ingest(
                .attributes(AttributeChanges(["touched": .number(act.at)])),
                of: name,
                journey.workspace,
                now
            )
        case "publish":
            let definition = try world.versions[act.version ?? 0].definition(named: "World")
            try await service.update(journey, to: definition, by: actor)
            let edited = try await store.journey(journey.id) ?? journey
            let removed = try act.removed.map { removed in
                Dictionary(
                    uniqueKeysWithValues: try removed.map { key, value in
                        guard let id = UUID(uuidString: key) else {
                            throw BenchError("'\(key)' is no step")
                        }
                        return (JourneyStepID(id), JourneyStepID(value))
                    }
                )
            }
            _ = try await service.publish(
                edited,
                migration: removed.map(JourneyMigration.move) ?? .keep,
                by: actor
            )
        case "pause": try await service.take(.pause, with: journey, by: actor)
        case "resume": try await service.take(.resume, with: journey, by: actor)
        case "tick": break
        default: throw BenchError("there is no act of the kind \(act.kind)")
        }
    }

    private func read(_ journey: Journey, _ ids: [ProfileID]) async throws -> Result {
        let people = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        var query = SendQuery(limit: 100_000)
        query.includesJourneys = true
        var messages: [Result.Message] = []
        for send in try await store.sends(in: journey.workspace, matching: query).sends {
            guard case .profiles(let users) = send.content.audience else { continue }
            for user in users {
                messages.append(
                    Result.Message(
                        at: send.createdAt.timeIntervalSince1970,
                        person: people[user] ?? -1,
                        step: send.content.message.body.lowercased()
                    )
                )
            }
        }
        var entries: [Result.Entry] = []
        for user in ids {
            for entry in try await store.entries(of: user, in: journey.id) {
                entries.append(
                    Result.Entry(
                        person: people[user] ?? -1,
                        number: entry.number,
                        version: entry.version,
                        entered: entry.enteredAt.timeIntervalSince1970,
                        end: entry.end?.rawValue,
                        ended: entry.endedAt?.timeIntervalSince1970,
                        converted: entry.convertedAt?.timeIntervalSince1970,
                        step: entry.position.map { "\($0.step)" },
                        passage: entry.position?.passage,
                        arrived: entry.position?.arrivedAt.timeIntervalSince1970,
                        due: entry.position?.dueAt?.timeIntervalSince1970
                    )
                )
            }
        }
        return Result(ids: ids.map(\.rawValue), messages: messages, entries: entries)
    }
}
