import Accounts
import Audience
import Campaigns
import Foundation
import Gateways
import Journeys
import Logging
import Model
import NoroshiWire
import Ports
import Rehearsals
import Server
import ServerTesting
import StoreSQL
import Synchronization
import Testing

/// The whole server, with its loops, over HTTP/2 to a push service, on a clock that the test sets; what
/// phones get is taken from the push service.
@Suite("A rehearsal of two weeks")
struct RehearsedServerTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "",
    ]

    private struct Shown: Hashable, Comparable, CustomStringConvertible {
        var time: Date
        var user: String
        var text: String

        static func < (one: Self, other: Self) -> Bool {
            (one.time, one.user, one.text) < (other.time, other.user, other.text)
        }

        var description: String { "\(Timestamp.format(time)) \(user) \(text)" }
    }

    private final class Collection: Sendable {
        private let items = Mutex<[Shown]>([])

        func add(_ item: Shown) { items.withLock { $0.append(item) } }

        var all: [Shown] { items.withLock { $0 } }
    }

    @Test(
        "says row by row what a server then does, around the days on which clocks change",
        arguments: ["2026-03-01T06:00:00Z", "2026-03-25T06:00:00Z", "2026-10-23T06:00:00Z"]
    )
    func equal(from: String) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-rehearsed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let start = try #require(Timestamp.parse(from))
        let clock = HandClock(start)
        var dependencies = clock.dependencies
        dependencies.idlePause = .milliseconds(5)
        let gateways = try await DemoGateways.start(logger: Self.logger, now: { clock.now })
        let database = try TestDatabase(at: folder.appending(path: "server.sqlite").path)
        let server = try await NoroshiServer.open(
            settings: database.settings,
            dependencies: dependencies,
            servers: gateways.servers,
            logger: Self.logger
        )
        let workspace = try await server.store.createWorkspace(
            name: "Tea",
            timeZone: "Europe/Berlin",
            now: start
        )
        let actor = Actor.commandLine(account: "mio", workspace)
        let tokens = try await settle(server, gateways, workspace, actor)
        try await write(server, actor)

        let copy = try await DatabaseCopy(
            of: database.location,
            in: folder.appending(path: "copy")
        )
        let rehearsed = try await rehearse(copy.store, workspace, from: start)

        let shown = try await play(
            server,
            actor,
            gateways,
            tokens,
            clock,
            Ledger(database),
            until: start.addingTimeInterval(14 * 86_400)
        )
        let expected = rehearsed.rows.filter { $0.outcome == .sent }
            .map { Shown(time: $0.time, user: $0.user, text: "\($0.title)/\($0.body)") }.sorted()
        #expect(expected.count > 300)
        let isEqual = expected == shown.sorted()
        #expect(isEqual, "\(Self.difference(expected, shown))")
        try await compareReasons(server, workspace, rehearsed.result)
    }

    // MARK: Before

    private func settle(
        _ server: NoroshiServer,
        _ gateways: DemoGateways,
        _ workspace: WorkspaceID,
        _ actor: Actor
    ) async throws -> [String: String] {
        let app = try await server.apps.create(
            name: "Tea",
            platform: "ios",
            identifier: "dev.noroshi.rehearsed",
            by: actor
        )
        try await gateways.admit(app, to: server)
        var tokens: [String: String] = [:]
        var requests: [IngestRequest] = []
        let now = server.dependencies.now()
        for number in 0..<20 {
            let name = "user-\(number)"
            let zone = Self.zones[number % Self.zones.count]
            let token = gateways.apns.registerDevice(bundleID: app.bundleID, environment: .sandbox)
            tokens[name] = token
            let registration = PushRegistration(
                provider: .apns,
                token: token,
                environment: .sandbox,
                authorization: number == 19 ? .denied : .authorized,
                registeredAt: now
            )
            var attributes: [String: JSONValue] = [
                "first_name": .string("N\(number)"), "language": number % 2 == 0 ? "en" : "de",
                "number": .integer(Int64(number)),
            ]
            if !zone.isEmpty { attributes["time_zone"] = .string(zone) }
            requests.append(
                IngestRequest(
                    workspace: workspace,
                    source: .device(SDKDevice(id: UUID(), platform: "ios"), app: app.id),
                    items: [
                        .pushRegistered(registration), .attributes(AttributeChanges(attributes)),
                    ].map {
                        IngestItem(recordID: nil, user: .external(name), time: now, content: $0)
                    }
                )
            )
        }
        _ = try await server.store.ingest(requests, now: now)
        return tokens
    }

    private func write(_ server: NoroshiServer, _ actor: Actor) async throws {
        try await server.store.saveLimits(
            MessagingLimits(
                caps: [FrequencyCap(messages: 2, days: 1), FrequencyCap(messages: 9, days: 7)],
                quietHours: QuietHours(
                    start: try #require(TimeOfDay("23:00")),
                    end: try #require(TimeOfDay("06:30"))
                )
            ),
            of: actor.workspace
        )
        for (name, time, clock, pattern) in [
            ("Night", "02:30", ScheduleTimeZone.eachUser, Recurrence.Pattern.daily(every: 1)),
            ("Late", "23:30", .zone("America/New_York"), .daily(every: 2)),
            ("Weekly", "09:00", .eachUser, .weekly(every: 1, weekdays: [1, 4, 7])),
            ("Noon", "12:00", .zone("Australia/Lord_Howe"), .daily(every: 1)),
        ] {
            var content = CampaignContent(
                name: name,
                delivery: .scheduled(
                    CampaignSchedule(
                        start: try #require(CalendarDay("2026-01-01")),
                        time: try #require(TimeOfDay(time)),
                        clock: clock,
                        recurrence: Recurrence(pattern)
                    )
                ),
                variants: ["A", "B"].map {
                    variant("\(name) \($0) {{${first_name}}} {{${language}}}")
                }
            )
            content.controlShare = name == "Weekly" ? 20 : 0
            content.reeligibility = .after(name == "Noon" ? 2 * 86_400 : 0)
            content.quietHours = name == "Late" ? .delay : .sendAnyway
            content.isExemptFromCaps = name == "Night"
            _ = try await server.campaigns.create(content, by: actor)
        }
        _ = try await server.journeys.create(try journey(), by: actor)
    }

    private func variant(_ body: String) -> CampaignVariant {
        CampaignVariant(
            apiID: UUID(),
            name: String(body.prefix(8)),
            weight: 1,
            message: CampaignMessage(PlatformMessage(PushMessage(title: "Tea", body: body)))
        )
    }

    private func journey() throws -> JourneyDefinition {
        let ids = (0..<6).map { _ in JourneyStepID(UUID()) }
        func push(_ body: String) -> JourneyStepKind {
            .push(JourneyPush(variants: [variant("\(body) {{${first_name}}}")]))
        }
        let nine = JourneyClockTime(time: try #require(TimeOfDay("02:45")), weekdays: [7])
        var journey = JourneyDefinition(
            name: "Welcome",
            entry: .members(SegmentQuery(), at: nil),
            steps: [
                JourneyStep(id: ids[0], name: "One", kind: push("First"), next: ids[1]),
                JourneyStep(id: ids[1], name: "", kind: .wait(.duration(90_000)), next: ids[2]),
                JourneyStep(
                    id: ids[2],
                    name: "",
                    kind: .split([
                        JourneyShare(name: "x", weight: 1, next: ids[3]),
                        JourneyShare(name: "y", weight: 1, next: ids[4]),
                    ])
                ),
                JourneyStep(id: ids[3], name: "", kind: .wait(.clock(nine)), next: ids[4]),
                JourneyStep(id: ids[4], name: "", kind: .wait(.quietHours), next: ids[5]),
                JourneyStep(id: ids[5], name: "Two", kind: push("Second")),
            ]
        )
        journey.isExemptFromCaps = true
        return journey
    }

    private func rehearse(
        _ copy: SQLStore,
        _ workspace: WorkspaceID,
        from start: Date
    ) async throws -> (result: RehearsalResult, rows: [RehearsalRow]) {
        let rows = Mutex<[RehearsalRow]>([])
        let result = try await Rehearsal(
            copy,
            of: workspace,
            RehearsalSettings(
                from: start,
                days: 14,
                // To the server nobody comes.
                signUpsPerDay: 0,
                starts: .named(
                    campaigns: ["Night", "Late", "Weekly", "Noon"],
                    journeys: ["Welcome"]
                )
            ),
            payload: PayloadSize.meter,
            logger: Self.logger
        ) { row in rows.withLock { $0.append(row) } }
        .run()
        #expect(result.problems.isEmpty, "\(result.problems)")
        return (result, rows.withLock { $0 })
    }

    // MARK: The server

    /// As a member would, with the rows that were created first first.
    private func begin(_ server: NoroshiServer, _ actor: Actor) async throws {
        let campaigns = try await server.campaigns.campaigns(
            in: actor.workspace,
            matching: CampaignQuery(order: .oldestFirst)
        ).campaigns
        for campaign in campaigns {
            try await server.campaigns.take(.activate, with: campaign, by: actor)
        }
        let journeys = try await server.journeys.journeys(
            in: actor.workspace,
            matching: JourneyQuery()
        ).journeys
        for journey in journeys { _ = try await server.journeys.publish(journey, by: actor) }
    }

    private func play(
        _ server: NoroshiServer,
        _ actor: Actor,
        _ gateways: DemoGateways,
        _ tokens: [String: String],
        _ clock: HandClock,
        _ ledger: Ledger,
        until end: Date
    ) async throws -> [Shown] {
        let shown = Collection()
        let (stop, stopping) = AsyncStream.makeStream(of: Never.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (user, token) in tokens {
                let pushes = gateways.apns.pushes(for: token)
                group.addTask {
                    for await push in pushes {
                        let text = try Self.text(push)
                        shown.add(Shown(time: push.receivedAt, user: user, text: text))
                    }
                }
            }
            group.addTask {
                try await server.run(
                    handlesSignals: false,
                    until: { for await _ in stop {} }
                )
                // The streams of the phones end with the push service.
                await gateways.stop()
            }
            group.addTask {
                defer { stopping.finish() }
                try await eventually("the audience is in memory") {
                    server.audience.status.isReady
                }
                try await begin(server, actor)
                while true {
                    try await eventually("everything that is due is done") {
                        try await Self.isQuiet(server, clock, ledger)
                    }
                    guard let next = try await server.store.nextWorkDue(after: clock.now),
                        next < end
                    else { return }
                    clock.set(next)
                }
            }
            try await group.waitForAll()
        }
        return shown.all
    }

    private static func isQuiet(
        _ server: NoroshiServer,
        _ clock: HandClock,
        _ ledger: Ledger
    ) async throws -> Bool {
        // What begins sends comes first: after it nothing new begins while the clock stands still.
        let due = try await server.store.nextWorkDue(after: .distantPast)
        guard due.map({ $0 > clock.now }) ?? true else { return false }
        let now = clock.now.milliseconds
        return try await ledger.number(
            """
            SELECT (SELECT count(*) FROM dispatches
                    WHERE state = 1 OR state = 0 AND due_at <= \(now))
                + (SELECT count(*) FROM sends WHERE state = 'planning'
                    OR state = 'scheduled' AND scheduled_at <= \(now)
                    OR state = 'sending' AND NOT EXISTS (SELECT 1 FROM dispatches
                        WHERE send_id = sends.id AND state IN (0, 1)))
            """
        ) == 0
    }

    private static func text(_ push: SimulatedPush) throws -> String {
        struct Payload: Decodable {
            struct Service: Decodable { var alert: Alert }
            struct Alert: Decodable { var title, body: String }
            var aps: Service
        }
        let alert = try JSONDecoder().decode(Payload.self, from: Data(push.payload)).aps.alert
        return "\(alert.title)/\(alert.body)"
    }

    private func compareReasons(
        _ server: NoroshiServer,
        _ workspace: WorkspaceID,
        _ result: RehearsalResult
    ) async throws {
        var reasons: [String: [String: Int]] = [:]
        let sends = try await server.store.sends(in: workspace, limit: 1_000, offset: 0)
        for send in sends {
            let name = send.content.launch?.content.name ?? ""
            let found = try await server.store.exclusions(of: send.id)
            reasons[name, default: [:]].merge(found, uniquingKeysWith: +)
        }
        for source in result.sources {
            var rehearsed: [String: Int] = [:]
            for day in result.days.values {
                if let found = day[source] { rehearsed.merge(found.leftOut, uniquingKeysWith: +) }
            }
            let control = result.total(source, \.control)
            if control > 0 { rehearsed["ControlGroup"] = control }
            #expect(rehearsed == reasons[source.name] ?? [:], "\(source.name)")
        }
    }

    private static func difference(_ expected: [Shown], _ shown: [Shown]) -> String {
        let only = Set(expected).subtracting(shown).sorted().prefix(5)
        let more = Set(shown).subtracting(expected).sorted().prefix(5)
        return "only rehearsed: \(only)\nonly shown: \(more)"
    }
}
