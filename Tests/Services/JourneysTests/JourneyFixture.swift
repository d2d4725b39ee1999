import Campaigns
import Crypto
import Foundation
import Journeys
import Logging
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

/// A workspace with journeys over the real store, a clock that is set by hand, and a provider that
/// takes every push.
final class JourneyFixture: Sendable {
    let store: any Store
    let workspace: WorkspaceID
    let app: App
    let audience = ListedSegments()
    private let time: Mutex<Date>

    private init(store: any Store, workspace: WorkspaceID, app: App, start: Date) {
        self.store = store
        self.workspace = workspace
        self.app = app
        time = Mutex(start)
    }

    /// Runs `body` in a world whose clock shows `start`; the workspace's zone is Asia/Tokyo.
    static func run(
        at start: String = "2026-03-02T00:00:00Z",
        _ body: (JourneyFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-journeys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "test.sqlite").path
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        try await body(
            JourneyFixture(
                store: store,
                workspace: fixture.workspace,
                app: fixture.app,
                start: try #require(Timestamp.parse(start))
            )
        )
    }

    var now: Date { time.withLock { $0 } }

    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }

    var actor: Actor { .commandLine(account: "mio", workspace) }

    var service: JourneyService {
        JourneyService(store: store, audience: audience, now: { self.now }) { _, _ in }
    }

    private var planner: SendPlanner {
        SendPlanner(store: store, audience: audience, now: { self.now })
    }

    /// A new one each time, as after a restart: nothing is remembered but rows.
    /// Makes the calls of webhook steps through `fetcher`.
    func caller(
        _ fetcher: any ContentFetcher,
        _ change: (inout JourneyCaller.Settings) -> Void = { _ in }
    ) -> JourneyCaller {
        var settings = JourneyCaller.Settings()
        change(&settings)
        return JourneyCaller(
            store: store,
            fetcher: fetcher,
            renderer: MessageRenderer(),
            catalogs: CatalogReader(store: store, now: { self.now }, random: { 0 }),
            key: WebhookKey(root: SymmetricKey(data: Data(repeating: 7, count: 32))),
            settings: settings,
            now: { self.now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func runner(_ change: (inout JourneyRunner.Settings) -> Void = { _ in }) -> JourneyRunner {
        var settings = JourneyRunner.Settings()
        settings.chunk = 3
        settings.owner = "test"
        change(&settings)
        return JourneyRunner(
            store: store,
            audience: audience,
            settings: settings,
            now: { self.now },
            announce: { _, _ in },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    // MARK: Users

    /// Registers a user with a device, perhaps with a zone.
    @discardableResult
    func user(_ name: String, zone: String? = nil) async throws -> ProfileID {
        let registration = PushRegistration(
            provider: .apns,
            token: "token-\(name)",
            environment: .sandbox,
            authorization: .authorized,
            registeredAt: now
        )
        var items = [
            IngestItem(
                recordID: UUID(),
                user: .external(name),
                time: now,
                content: .pushRegistered(registration)
            )
        ]
        if let zone {
            items.append(
                IngestItem(
                    recordID: nil,
                    user: .external(name),
                    time: now,
                    content: .attributes(AttributeChanges(["time_zone": .string(zone)]))
                )
            )
        }
        let request = IngestRequest(
            workspace: workspace,
            source: .device(SDKDevice(id: UUID(), platform: "ios"), app: app.id),
            items: items
        )
        _ = try await store.ingest([request], now: now)
        return try await profile(name).id
    }

    func profile(_ name: String) async throws -> Profile {
        try #require(try await store.profile(.external(name), in: workspace))
    }

    func event(
        _ name: String,
        by user: String,
        _ properties: [String: JSONValue] = [:],
        at date: Date? = nil
    ) async throws {
        try await ingest(
            .event(name: name, properties: EventProperties(properties)),
            of: user,
            at: date ?? now
        )
    }

    func set(_ attributes: [String: JSONValue], of user: String) async throws {
        try await ingest(.attributes(AttributeChanges(attributes)), of: user, at: now)
    }

    private func ingest(
        _ content: IngestItem.Content,
        of user: String,
        at date: Date
    ) async throws {
        let item = IngestItem(recordID: nil, user: .external(user), time: date, content: content)
        let request = IngestRequest(workspace: workspace, source: .api, items: [item])
        _ = try await store.ingest([request], now: now)
    }

    // MARK: Journeys

    @discardableResult
    func start(_ definition: JourneyDefinition) async throws -> Journey {
        let draft = try await service.create(definition, by: actor)
        return try await service.publish(draft, by: actor)
    }

    /// Publishes another definition of a journey.
    @discardableResult
    func publish(
        _ definition: JourneyDefinition,
        of journey: Journey,
        _ migration: JourneyMigration = .keep
    ) async throws -> Journey {
        try await service.update(read(journey), to: definition, by: actor)
        return try await service.publish(read(journey), migration: migration, by: actor)
    }

    func read(_ journey: Journey) async throws -> Journey {
        try #require(try await store.journey(journey.id))
    }

    func figures(_ journey: Journey) async throws -> JourneyFigures {
        try await service.figures(of: journey)
    }

    // MARK: Running

    struct Sent: Sendable, Hashable {
        var user: String
        var text: String
        var properties: MessageProperties
    }

    /// Does all that is due now, and returns what was sent.
    @discardableResult
    func settle() async throws -> [Sent] {
        var sent: [Sent] = []
        var didWork = true
        while didWork {
            didWork = try await runner().step()
            sent += try await deliver()
        }
        return sent
    }

    /// Plans and sends what was launched.
    func deliver() async throws -> [Sent] {
        for send in try await store.startPlanningDueSends(now: now) {
            while try await !planner.planNextBatch(of: send, limit: 100).isComplete {}
        }
        let request = ClaimRequest(
            limit: 100,
            owner: "test",
            leaseEnd: now.addingTimeInterval(60),
            now: now
        )
        let claimed = try await store.claimDispatches(request).rows
        try await store.record(
            claimed.map {
                DispatchUpdate(
                    send: $0.send,
                    device: $0.device.id,
                    change: .accepted(providerID: nil)
                )
            },
            now: now
        )
        var sent: [Sent] = []
        for push in claimed {
            let content = try #require(try await store.send(push.send)).content
            let message = content.message(for: .ios, variant: push.variant)
            sent.append(
                Sent(
                    user: push.profile.externalID ?? "",
                    text: message.message.body,
                    properties: push.properties
                )
            )
        }
        _ = try await store.markFinishedSends(now: now)
        return sent.sorted { ($0.user, $0.text) < ($1.user, $1.text) }
    }

    func texts() async throws -> [String] {
        try await settle().map { "\($0.user): \($0.text)" }
    }
}

/// Segments that are lists, by the text of their filter.
final class ListedSegments: AudienceSource, MembershipSource {
    private let lists = Mutex<[String: Set<ProfileID>]>([:])

    static func query(_ name: String) -> SegmentQuery { SegmentQuery(filter: name) }

    func set(_ name: String, _ users: some Sequence<ProfileID>) {
        lists.withLock { $0[name] = Set(users) }
    }

    private func list(_ query: SegmentQuery) -> Set<ProfileID> {
        lists.withLock { $0[query.filter ?? ""] ?? [] }
    }

    func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        at moment: AudienceMoment,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        let found = list(query).filter { user in cursor.map { user > $0 } ?? true }
        return Array(found.sorted().prefix(limit))
    }

    func count(
        in workspace: WorkspaceID,
        matching query: SegmentQuery
    ) async throws -> AudienceCount {
        AudienceCount(users: list(query).count, reachable: list(query).count)
    }

    func members(
        of profiles: [ProfileID],
        matching query: SegmentQuery,
        in workspace: WorkspaceID
    ) async throws -> [ProfileID] {
        let found = list(query)
        return profiles.filter(found.contains)
    }
}

/// Steps with short names, for definitions that read like a list.
struct Steps {
    private(set) var steps: [JourneyStep] = []
    private var names: [String: JourneyStepID] = [:]

    mutating func id(_ name: String) -> JourneyStepID {
        if let known = names[name] { return known }
        let id = JourneyStepID(UUID())
        names[name] = id
        return id
    }

    mutating func add(_ name: String, _ kind: JourneyStepKind, next: String? = nil) {
        let target = next.map { id($0) }
        steps.append(JourneyStep(id: id(name), name: name, kind: kind, next: target))
    }

    mutating func push(_ text: String, next: String? = nil) {
        let variant = CampaignVariant(
            apiID: UUID(),
            name: "A",
            message: CampaignMessage(PlatformMessage(PushMessage(body: text)))
        )
        add(text, .push(JourneyPush(variants: [variant])), next: next)
    }

    static let hour: TimeInterval = 3_600
    static let day: TimeInterval = 86_400
}
