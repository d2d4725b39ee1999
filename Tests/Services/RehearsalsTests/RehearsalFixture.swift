import Audience
import Campaigns
import Foundation
import Journeys
import Logging
import Model
import NoroshiWire
import Ports
import RehearsalTesting
import Rehearsals
import StoreSQL
import StoreTesting
import Synchronization
import Testing

/// A workspace of its own with the people of a table.
struct RehearsalFixture {
    let store: SQLStore
    let workspace: WorkspaceID
    let from: Date
    /// Where the store is.
    var folder: URL?
    /// May end what is played by throwing.
    var progress: @Sendable (Date) throws -> Void = { _ in }

    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameters:
    ///   - people: Lines of a CSV table with a header.
    ///   - zone: The workspace's.
    static func run<Value>(
        _ people: [String],
        from: String = "2026-03-02T00:00:00Z",
        zone: String = "UTC",
        _ body: (RehearsalFixture) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-rehearsal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let start = try #require(Timestamp.parse(from))
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let workspace = try await store.createWorkspace(name: "Tea", timeZone: zone, now: start)
        let fixture = RehearsalFixture(
            store: store,
            workspace: workspace,
            from: start,
            folder: folder
        )
        try await fixture.people(people)
        return try await body(fixture)
    }

    /// Stores the people of a table.
    func people(_ lines: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-people-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = folder.appending(path: "people.csv")
        try lines.joined(separator: "\n").write(to: table, atomically: true, encoding: .utf8)
        try await RehearsalGuests(store, of: workspace, now: from).add(table.path)
    }

    private var actor: Actor { .commandLine(account: "mio", workspace) }

    // MARK: What is rehearsed

    static func message(_ body: String, title: String = "") -> CampaignMessage {
        CampaignMessage(PlatformMessage(PushMessage(title: title, body: body)))
    }

    /// A number instead of chance, so that two fixtures are alike.
    static func variant(_ name: String, _ body: String) -> CampaignVariant {
        CampaignVariant(
            apiID: UUID(named: name.utf8),
            name: name,
            weight: 1,
            message: message(body)
        )
    }

    static func daily(_ time: String, from day: String = "2026-01-01") throws -> CampaignDelivery {
        .scheduled(
            CampaignSchedule(
                start: try #require(CalendarDay(day)),
                time: try #require(TimeOfDay(time)),
                clock: .eachUser,
                recurrence: Recurrence(.daily(every: 1))
            )
        )
    }

    var planner: SendPlanner {
        let from = from
        let audience = SegmentationService(store: store, now: { from }, logger: Self.logger)
        return SendPlanner(store: store, audience: audience, now: { from })
    }

    /// Creates a draft.
    func campaign(
        _ name: String,
        _ delivery: CampaignDelivery,
        _ variants: [CampaignVariant] = [variant("A", "Tea is ready")],
        _ change: (inout CampaignContent) -> Void = { _ in }
    ) async throws {
        var content = CampaignContent(name: name, delivery: delivery, variants: variants)
        content.reeligibility = .after(0)
        change(&content)
        let from = from
        let service = CampaignService(
            store: store,
            planner: planner,
            now: { from },
            makeID: { UUID(named: name.utf8) },
            announce: { _, _ in }
        )
        _ = try await service.create(content, by: actor)
    }

    func journey(_ definition: JourneyDefinition) async throws {
        let from = from
        let audience = SegmentationService(store: store, now: { from }, logger: Self.logger)
        _ = try await JourneyService(
            store: store,
            audience: audience,
            now: { from },
            makeID: { UUID(named: definition.name.utf8) },
            announce: { _, _ in }
        ).create(definition, by: actor)
    }

    /// Stores events that people did before.
    func events(_ events: [(user: String, name: String, at: Date)]) async throws {
        let items = events.map { event in
            IngestItem(
                recordID: nil,
                user: .external(event.user),
                time: event.at,
                content: .event(name: event.name, properties: ["cup": 2])
            )
        }
        let request = IngestRequest(workspace: workspace, source: .api, items: items)
        _ = try await store.ingest([request], now: from)
    }

    // MARK: Playing

    struct Played {
        var result: RehearsalResult
        var rows: [RehearsalRow]

        var text: String { RehearsalText(result).text }

        func sent(_ source: String? = nil) -> [RehearsalRow] {
            rows.filter { $0.outcome == .sent && (source == nil || $0.source.name == source) }
        }
    }

    /// As many as play side by side, even if there are few people.
    private func hands(_ count: Int) -> RehearsalHands {
        RehearsalHands(count, leastPeople: 1) { [store, folder] in
            guard let folder else { throw CocoaError(.fileNoSuchFile) }
            let path = folder.appending(path: "\(UUID().uuidString).sqlite").path
            return try await store.playground(at: path)
        }
    }

    func play(
        days: Int = 14,
        hands count: Int = 1,
        _ change: (inout RehearsalSettings) -> Void = { _ in }
    ) async throws -> Played {
        var settings = RehearsalSettings(from: from, days: days)
        let campaigns = try await store.campaigns(
            in: workspace,
            matching: CampaignQuery(limit: 100)
        ).campaigns.map(\.content.name)
        let journeys = try await store.journeys(
            in: workspace,
            matching: JourneyQuery(limit: 100)
        ).journeys.map(\.draft.name)
        settings.starts = .named(campaigns: Set(campaigns), journeys: Set(journeys))
        change(&settings)
        let rows = Mutex<[RehearsalRow]>([])
        let result = try await Rehearsal(
            store,
            of: workspace,
            settings,
            payload: PayloadMeter(limit: 200) { $0.body.utf8.count },
            logger: Self.logger,
            hands: hands(count)
        ) { row in rows.withLock { $0.append(row) } }
        .run(progress)
        return Played(result: result, rows: rows.withLock { $0 })
    }
}
