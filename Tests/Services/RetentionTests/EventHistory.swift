import Audience
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Relational
import Retention
import Segments
import StoreConformance
import StoreTesting
import Synchronization
import Testing

@testable import StoreSQL

/// One random history told to two servers, of which one removes old events, sessions or reports and
/// the other keeps all.
final class EventHistory {
    /// What happens besides.
    struct Options {
        var removes = RetainedKind.customEvents
        /// Whether users are deleted after the first rows were removed.
        var deletesLate = true
        /// Whether users are merged.
        var merges = true
        /// Whether they are after the first rows were removed.
        var mergesLate = true
        /// Whether something is told only after the period is over.
        var isToldLate = true

        var sendsPushes: Bool { removes == .pushReports || removes == .dispatches }
    }

    /// A server with its columns.
    final class Server {
        let path: String
        private let rows: SQLStore
        let conformance: StoreConformance
        let fixture: StoreConformance.Fixture
        let audience: SegmentationService
        /// The first one is the fixture's.
        let apps: [AppID]
        /// Who claims its pushes.
        var owner = "worker"

        var store: any Store { conformance.store }
        var workspace: WorkspaceID { fixture.workspace }
        var app: AppID { fixture.app.id }

        init(on kind: StoreKind = .chosen, now: @escaping @Sendable () -> Date) async throws {
            path =
                FileManager.default.temporaryDirectory
                .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
            let store = try SQLStore.testing(at: path, on: kind)
            rows = store
            conformance = StoreConformance(store)
            fixture = try await conformance.fixture()
            let second = try await store.createApp(
                AppDraft(
                    name: "Cups",
                    platform: "ios",
                    bundleID: "example.cups",
                    sdkKey: UUID().uuidString
                ),
                in: fixture.workspace,
                noting: nil,
                now: now()
            )
            apps = [fixture.app.id, second.id]
            audience = SegmentationService(
                store: store,
                now: now,
                logger: Logger(label: "test")
            )
            try await audience.rebuild()
        }

        deinit {
            for end in ["", "-wal", "-shm"] {
                // There is nothing to do about a file that stays, in a folder for such files.
                try? FileManager.default.removeItem(atPath: path + end)
            }
        }

        /// Makes a push one of a campaign, without that campaign's rules: every third one by a request with a
        /// name, and each device with one of two variants.
        func name(_ campaign: Int, of send: SendID) async throws {
            try await rows.write { database in
                try database.execute(
                    sql: """
                        UPDATE sends SET campaign_id = ?,
                            tracking_id = CASE WHEN id % 3 = 0 THEN 'morning' END
                        WHERE id = ?
                        """,
                    arguments: [campaign, send.rawValue]
                )
                try database.execute(
                    sql: "UPDATE dispatches SET variant = device_id % 2 WHERE send_id = ?",
                    arguments: [send.rawValue]
                )
                try database.execute(
                    sql: """
                        INSERT INTO campaign_entries (profile_id, send_id, campaign_id, variant,
                            is_control, counts_for_caps, due_at)
                        SELECT profile_id, send_id, ?, min(variant), 0, 1, min(due_at)
                        FROM dispatches WHERE send_id = ? AND profile_id <> 0
                        GROUP BY profile_id, send_id
                        """,
                    arguments: [campaign, send.rawValue]
                )
            }
        }

        /// Makes a campaign that counts conversions by the goal's event.
        func createCampaign(_ number: Int, now: Date) async throws {
            let variant = CampaignVariant(
                apiID: UUID(),
                name: "A",
                weight: 1,
                message: CampaignMessage(PlatformMessage(PushMessage(body: "Hello")))
            )
            var content = CampaignContent(name: "Campaign \(number)", variants: [variant])
            content.conversions = [
                ConversionEvent(event: EventMatch(.custom(name: EventHistory.goal)))
            ]
            let text = try StoredJSON.text(content)
            try await rows.write { [workspace, name = content.name] database in
                try database.execute(
                    sql: """
                        INSERT INTO campaigns (id, workspace_id, api_id, state, name, content,
                            is_triggered, created_at, updated_at)
                        VALUES (?, ?, ?, 'stopped', ?, ?, 0, ?, ?)
                        """,
                    arguments: [
                        number, workspace.rawValue, UUID(), name, text, now.milliseconds,
                        now.milliseconds,
                    ]
                )
            }
        }

        /// Changes rows behind the store's back.
        func damage(_ sql: String) async throws {
            try await rows.write { try $0.execute(sql: sql) }
        }

        /// The rows of a table, or the sum of a column of it.
        func count(_ table: String, sum column: String = "1") async throws -> Int {
            try await rows.read {
                try Int.fetchOnly($0, sql: "SELECT coalesce(sum(\(column)), 0) FROM \(table)")
            }
        }

        /// Adds what is packed of the sums of removed events to their table, as when there is much of it.
        func fold() async throws {
            try await rows.write { database in
                let activity = RemovedActivity(database)
                while let next = try activity.packed(after: .min) {
                    try activity.fold(range: next.range)
                }
            }
        }

        /// Pages of the file that hold nothing.
        var freePages: Int {
            get async throws {
                try await rows.read { try Int.fetchOnly($0, sql: "PRAGMA freelist_count") }
            }
        }

        var columns: ColumnSnapshot {
            get async throws { try await audience.columns(of: fixture.workspace) }
        }
    }

    static let day: TimeInterval = 86_400
    static let period = 30
    static let names = ["view", "search", "play"]
    /// The goal of an in-app message, whose events stay.
    static let goal = "signed up"
    /// The numbers of campaigns.
    static let campaigns = [71, 72]

    /// In-app messages with a goal and without one.
    let welcome = UUID()
    let news = UUID()

    let removing: Server
    let keeping: Server
    var random: SeededGenerator
    /// Other servers on the database of the one that removes.
    private(set) var beside: [ServerBeside] = []
    private let options: Options
    private let clock: TestClock
    private var sends: [SendID] = []
    /// The devices that were sent something, by their tokens; both servers number them alike.
    private var devices: [String: DeviceID] = [:]
    private var people = (0..<9).map { "person-\($0)" }
    private let phones: [UUID]
    private var hasRemoved = false
    private(set) var removed = 0

    var now: Date { clock.now }

    init(seed: UInt64, _ options: Options, on kind: StoreKind = .chosen) async throws {
        random = SeededGenerator(seed)
        self.options = options
        let clock = TestClock()
        self.clock = clock
        removing = try await Server(on: kind) { clock.now }
        keeping = try await Server(on: kind) { clock.now }
        phones = (0..<9).map { _ in UUID() }
        for server in [removing, keeping] {
            if options.removes == .dispatches {
                for campaign in Self.campaigns {
                    try await server.createCampaign(campaign, now: clock.now)
                }
            }
            let goal = ConversionEvent(event: EventMatch(.custom(name: Self.goal)))
            for (id, name, goal) in [(welcome, "welcome", goal), (news, "news", nil)] {
                try await server.store.createInAppMessage(
                    InAppMessageDefinition(
                        id: id,
                        workspace: server.fixture.workspace,
                        name: name,
                        state: .active,
                        message: InAppMessage(
                            id: name,
                            kind: .modal,
                            message: "Welcome",
                            rules: InAppMessageRules(triggers: [.sessionStart])
                        ),
                        goal: goal,
                        createdAt: clock.now,
                        updatedAt: clock.now
                    )
                )
            }
        }
    }

    /// Lists the server that removes among others, which follow its database from now on.
    func begin(beside count: Int) async throws {
        for _ in 0...count {
            beside.append(try await ServerBeside(path: removing.path) { [clock] in clock.now })
        }
        let leader = beside.removeFirst()
        leader.audience = removing.audience
        removing.owner = leader.id
        self.leader = leader
    }

    /// The place of the one that removes.
    private var leader: ServerBeside?

    /// Lets the servers beside do what they do in the meantime.
    private func passTime() async throws {
        // Only the one that removes has an index of its users' events.
        _ = try await removing.store.indexEvents(24)
        guard let leader else { return }
        if Bool.random(using: &random) { try await leader.giveSign() }
        for server in beside { try await server.passTime(&random) }
    }

    /// Ends them.
    func end() async throws {
        for server in beside + (leader.map { [$0] } ?? []) { try await server.end() }
    }

    /// A history of four months, most of which is removed.
    static func removing(_ seed: UInt64, _ options: Options) async throws -> EventHistory {
        let history = try await EventHistory(seed: seed, options)
        try await history.run(days: 120)
        try await history.remove()
        #expect(history.removed > 20, "seed \(seed)")
        return history
    }

    /// Tells the servers what happens on some days, with a pass of the removal now and then.
    func run(days: Int) async throws {
        for _ in 0..<days {
            clock.now += Self.day * .random(in: 0.5...1.5, using: &random)
            for _ in 0..<Int.random(in: 1...6, using: &random) { try await happen() }
            try await passTime()
            guard Int.random(in: 0..<5, using: &random) == 0 else { continue }
            try await remove(isWhole: Bool.random(using: &random))
            if removed.isMultiple(of: 2) { try await removing.fold() }
        }
    }

    func remove(isWhole: Bool = true) async throws {
        // The columns of a server follow all the time, or are behind for a while.
        if isWhole || Bool.random(using: &random) { try await removing.audience.catchUp() }
        for _ in 0..<(isWhole ? .max : Int.random(in: 1...3, using: &random)) {
            let step = try await removing.store.removeRows(
                options.removes,
                in: removing.fixture.workspace,
                olderThan: now - Double(Self.period) * Self.day,
                lookingAt: 7,
                now: now
            )
            removed += step.removed
            hasRemoved = hasRemoved || step.removed > 0
            if step.isLast { return }
            try await passTime()
        }
    }

    private func happen() async throws {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: if options.merges, options.mergesLate || !hasRemoved { try await merge() }
        case 1: if options.deletesLate || !hasRemoved { try await delete() }
        case 2..<8 where options.sendsPushes: try await send()
        default: try await act()
        }
    }

    private func act() async throws {
        let place = Int.random(in: 0..<people.count, using: &random)
        var items: [IngestItem] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            // Most come at once, some after days, and some after the period is over.
            let longest = options.isToldLate ? 40 : 3
            let days = [0, 0, 0, 0, 3, longest][Int.random(in: 0..<6, using: &random)]
            let late = Self.day * .random(in: 0...1, using: &random) * Double(days)
            items.append(
                IngestItem(
                    recordID: UUID(),
                    user: .external(people[place]),
                    time: Date(milliseconds: (now - late).milliseconds),
                    content: content(ofPhone: place)
                )
            )
        }
        // Whoever has two apps has each on a phone of its own.
        let isSecond = options.removes == .sessions && place % 3 == 0 && Bool.random(using: &random)
        if options.sendsPushes { items.append(registration(ofPhone: place)) }
        for server in [removing, keeping] {
            let device = SDKDevice(
                id: phones[isSecond ? phones.count - 1 - place : place],
                platform: "ios",
                timeZone: place % 2 == 0 ? "America/Sao_Paulo" : nil
            )
            let request = IngestRequest(
                workspace: server.fixture.workspace,
                source: .device(device, app: server.apps[isSecond ? 1 : 0]),
                items: items
            )
            _ = try await server.store.ingest([request], now: now)
        }
    }

    private func content(ofPhone place: Int) -> IngestItem.Content {
        if options.removes == .sessions, Int.random(in: 0..<4, using: &random) > 0 {
            return Int.random(in: 0..<3, using: &random) > 0
                ? .sessionStarted : .sessionEnded(duration: 60)
        }
        if options.removes == .inAppReports, Int.random(in: 0..<4, using: &random) > 0 {
            return Int.random(in: 0..<5, using: &random) > 0
                ? .inAppMessage(report()) : .event(name: Self.goal, properties: [:])
        }
        if options.removes == .pushReports, Int.random(in: 0..<4, using: &random) > 0 {
            return pushReport(ofPhone: place) ?? .sessionStarted
        }
        if options.removes == .dispatches, Int.random(in: 0..<4, using: &random) > 0 {
            let isReport = Int.random(in: 0..<3, using: &random) > 0
            return (isReport ? pushReport(ofPhone: place) : nil) ?? .sessionStarted
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            return .purchase(
                product: Bool.random(using: &random) ? "tea" : "cup",
                currency: "JPY",
                price: 480,
                quantity: 2,
                properties: [:]
            )
        case 1: return .sessionStarted
        case 2: return .event(name: Self.goal, properties: [:])
        default:
            let color = Bool.random(using: &random) ? "red" : "blue"
            return .event(
                name: Self.names[Int.random(in: 0..<Self.names.count, using: &random)],
                properties: ["color": .string(color)]
            )
        }
    }

    private func report() -> SDKRecord.InAppMessageInteraction {
        let message = (Bool.random(using: &random) ? welcome : news).uuidString.lowercased()
        let variants = [
            nil, "0", "1", "2", InAppExperiment.controlName, InAppExperiment.withheldName,
        ]
        let variant = variants[Int.random(in: 0..<variants.count, using: &random)]
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .init(kind: .click, message: message, variant: variant)
        case 1:
            let button = Bool.random(using: &random) ? "yes" : "no"
            return .init(kind: .button, message: message, button: button, variant: variant)
        case 2: return .init(kind: .dismissed, message: message, variant: variant)
        default: return .init(kind: .impression, message: message, variant: variant)
        }
    }

    // MARK: Pushes

    private func registration(ofPhone place: Int) -> IngestItem {
        IngestItem(
            recordID: UUID(),
            user: .external(people[place]),
            time: now,
            content: .pushRegistered(
                PushRegistration(
                    provider: .apns,
                    token: phones[place].uuidString,
                    environment: .sandbox,
                    authorization: .authorized,
                    registeredAt: now
                )
            )
        )
    }

    /// Of one of the latest pushes, or of any that may still be told of.
    private func pushReport(ofPhone place: Int) -> IngestItem.Content? {
        let latest = sends.suffix(
            Bool.random(using: &random) ? 3 : options.isToldLate ? sends.count : 6
        )
        guard let send = latest.randomElement(using: &random) else { return nil }
        let kinds: [SDKRecord.PushInteraction.Kind] = [
            .received, .received, .received, .opened, .action, .dismissed,
        ]
        let kind = kinds[.random(in: 0..<kinds.count, using: &random)]
        return .pushInteraction(
            SDKRecord.PushInteraction(
                kind: kind,
                dispatch: dispatch(of: send, toPhone: place),
                pushNumber: send.rawValue,
                action: kind == .action ? "yes" : nil,
                page: options.removes == .dispatches && kind == .opened
                    ? Int.random(in: 1...3, using: &random) : nil
            )
        )
    }

    /// Apps that have only the number of a push say zeros.
    private func dispatch(of send: SendID, toPhone place: Int) -> UUID {
        guard options.removes == .dispatches, let device = devices[phones[place].uuidString] else {
            return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        }
        return DispatchID(workspace: keeping.workspace, send: send, device: device).uuid
    }

    /// A push to everybody, by itself or of one of two campaigns, or one to somebody by name.
    private func send() async throws {
        let campaign = ([nil, nil] + Self.campaigns)[Int.random(in: 0..<4, using: &random)]
        let isNamed = campaign == nil && Bool.random(using: &random)
        let places = isNamed ? [Int.random(in: 0..<people.count, using: &random)] : []
        let unreported = Int.random(in: 0..<2, using: &random)
        let fails = options.removes == .dispatches && Int.random(in: 0..<3, using: &random) == 0
        let isTest = options.removes == .dispatches && Int.random(in: 0..<6, using: &random) == 0
        for server in [removing, keeping] {
            var audience = Audience.everyone
            for place in places {
                let profile = try await server.store.profile(
                    .external(people[place]),
                    in: server.workspace
                )
                guard let profile else { return }
                audience = .profiles([profile.id])
            }
            var content = SendContent(message: PushMessage(body: "Hello"), audience: audience)
            content.isTest = isTest ? true : nil
            let send = try await server.store.createSend(
                content,
                in: server.workspace,
                scheduledAt: now,
                now: now
            )
            _ = try await server.store.startPlanningDueSends(now: now)
            var isPlanned = false
            while !isPlanned {
                isPlanned = try await server.store
                    .planNextBatch(of: send.id, limit: 50, now: now).isComplete
            }
            let claimed = try await server.conformance.claim(100, by: server.owner, at: now)
            let results = claimed.map { row in
                var result = DispatchUpdate(
                    send: row.send,
                    device: row.device.id,
                    change: .accepted(providerID: nil)
                )
                result.isUnreported = row.device.id.rawValue % 2 == unreported
                if fails, row.device.id.rawValue % 3 == 0 {
                    result.change = .rejected(reason: "BadDeviceToken", retiresToken: false)
                }
                return result
            }
            try await server.store.record(results, now: now)
            for device in claimed.map(\.device) {
                if let push = device.push { devices[push.token] = device.id }
            }
            _ = try await server.store.markFinishedSends(now: now)
            if let campaign { try await server.name(campaign, of: send.id) }
            if server === keeping { sends.append(send.id) }
        }
    }

    // MARK: Users

    private func merge() async throws {
        guard people.count > 5, let source = people.randomElement(using: &random),
            let target = people.randomElement(using: &random), source != target
        else { return }
        for server in [removing, keeping] {
            _ = try await server.store.apply(
                [.merge(.external(source), into: .external(target))],
                in: server.fixture.workspace,
                now: now
            )
        }
    }

    private func delete() async throws {
        let name = people[Int.random(in: 0..<people.count, using: &random)]
        for server in [removing, keeping] {
            let profile = try await server.store.profile(
                .external(name),
                in: server.fixture.workspace
            )
            guard let profile else { return }
            _ = try await server.store.deleteUsers(
                [profile.id],
                in: server.fixture.workspace,
                noting: nil,
                now: now
            )
        }
    }
}

/// The time that a test has come to.
final class TestClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_790_000_000))

    var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
