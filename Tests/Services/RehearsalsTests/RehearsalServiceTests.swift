import Campaigns
import Foundation
import Model
import Ports
import RehearsalTesting
import Rehearsals
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Rehearsals beside a running server")
struct RehearsalServiceTests {
    private static let people = [
        "external_id,first_name,language,time_zone",
        "ada,Ada,en,America/New_York", "ben,Ben,de,Europe/Berlin", "dai,Dai,ja,Asia/Tokyo",
    ]

    /// A service with a steered clock and copies that are counted.
    private struct World {
        let fixture: RehearsalFixture
        let service: RehearsalService
        let campaign: Campaign
        /// Copies that are there.
        let copies: Folder
        /// Copies are made once it is open.
        let gate: Gate
        let uptime: Mutexed<Duration>

        var actor: Actor { .commandLine(account: "mio", fixture.workspace) }

        func order(days: Int = 14, seed: UInt64 = 1) -> RehearsalOrder {
            RehearsalOrder(
                .campaign,
                campaign.apiID,
                name: campaign.content.name,
                in: fixture.workspace,
                from: fixture.from,
                days: days,
                seed: seed
            )
        }

        var state: OrderedRehearsal.State? {
            get async throws { try await state(by: service) }
        }

        func state(by service: RehearsalService) async throws -> OrderedRehearsal.State? {
            try await service.rehearsal(of: campaign.apiID, in: fixture.workspace)?.state
        }

        /// Another server of the database, which plays nothing.
        var beside: RehearsalService {
            let from = fixture.from
            return RehearsalService(
                store: fixture.store,
                server: UUID(),
                source: RehearsalService.Source(
                    size: { (1, 100) },
                    copy: { throw NotAllowedError() }
                ),
                payload: PayloadMeter(limit: 200) { $0.body.utf8.count },
                now: { from },
                uptime: { .zero },
                logger: RehearsalFixture.logger
            )
        }

        /// Waits until it is played no more.
        func ended() async throws -> OrderedRehearsal.State {
            while true {
                if await service.busyWith == nil, let state = try await state { return state }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-copies-\(UUID().uuidString)")

        var files: [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        }
    }

    private final class Mutexed<Value: Sendable>: Sendable {
        private let mutex: Mutex<Value>

        init(_ value: Value) { mutex = Mutex(value) }

        var value: Value {
            get { mutex.withLock { $0 } }
            set { mutex.withLock { $0 = newValue } }
        }
    }

    private actor Gate {
        private(set) var isOpen: Bool

        init(isOpen: Bool) { self.isOpen = isOpen }

        func open() { isOpen = true }
    }

    private func withWorld(
        isOpen: Bool = true,
        size: (database: Int, free: Int) = (1, 100),
        _ change: (inout RehearsalService.Limits) -> Void = { _ in },
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        var limits = RehearsalService.Limits()
        change(&limits)
        try await RehearsalFixture.run(Self.people) { [limits] fixture in
            try await fixture.campaign("Daily", try RehearsalFixture.daily("09:30"))
            let found = try await fixture.store.campaigns(
                in: fixture.workspace,
                matching: CampaignQuery(limit: 1)
            )
            let copies = Folder()
            let gate = Gate(isOpen: isOpen)
            let uptime = Mutexed(Duration.zero)
            defer { try? FileManager.default.removeItem(at: copies.url) }
            let service = RehearsalService(
                store: fixture.store,
                server: UUID(),
                source: RehearsalService.Source(
                    size: { size },
                    copy: {
                        // As a database does, it ends when it is stopped.
                        while await !gate.isOpen { try await Task.sleep(for: .milliseconds(5)) }
                        try FileManager.default.createDirectory(
                            at: copies.url,
                            withIntermediateDirectories: true
                        )
                        let path = copies.url.appending(path: "copy.sqlite").path
                        do {
                            return RehearsalService.Copy(
                                try await fixture.store.playground(at: path)
                            ) { try? FileManager.default.removeItem(at: copies.url) }
                        } catch {
                            // It may be stopped while it copies.
                            try? FileManager.default.removeItem(at: copies.url)
                            throw error
                        }
                    }
                ),
                payload: PayloadMeter(limit: 200) { $0.body.utf8.count },
                limits: limits,
                pause: .milliseconds(5),
                now: { fixture.from },
                uptime: { uptime.value },
                logger: RehearsalFixture.logger
            )
            let world = World(
                fixture: fixture,
                service: service,
                campaign: try #require(found.campaigns.first),
                copies: copies,
                gate: gate,
                uptime: uptime
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                try await body(world)
                await gate.open()
                group.cancelAll()
            }
        }
    }

    @Test("says what the command says, leaves no copy, and changes nothing but the audit log")
    func result() async throws {
        try await withWorld { world in
            try await world.service.begin(world.order(), by: world.actor)
            guard case .done(let result) = try await world.ended() else {
                Issue.record("no result")
                return
            }
            #expect(result.sent == 3 * 14)
            #expect(world.copies.files == [])
            let store = world.fixture.store
            let after = try await store.campaign(
                apiID: world.campaign.apiID,
                in: world.fixture.workspace
            )
            #expect(after == world.campaign)
            #expect(
                try await store.exportSends(in: world.fixture.workspace, after: 0, limit: 10)
                    .isEmpty
            )
            let (records, _) = try await store.audit(
                in: world.fixture.workspace,
                matching: AuditQuery(limit: 10)
            )
            #expect(
                records.filter { $0.action == "campaign_rehearsed" }.map(\.subject) == ["Daily"]
            )
            // The same rehearsal as that of a copy by hand, which is what the command does.
            let played = try await world.fixture.play {
                $0.starts = .only(world.campaign.apiID.uuidString.lowercased())
            }
            #expect(RehearsalText(result).text == played.text)
        }
    }

    @Test("one is played at a time; another one is refused until it has ended")
    func one() async throws {
        try await withWorld(isOpen: false) { world in
            try await world.service.begin(world.order(), by: world.actor)
            #expect(
                try await world.service.rehearsal(
                    of: world.campaign.apiID,
                    in: world.fixture.workspace
                )?.isPlaying == true
            )
            await #expect(throws: RefusalError(.rehearsalBusy)) {
                try await world.service.begin(world.order(seed: 2), by: world.actor)
            }
            #expect(await world.service.busyWith == world.order())
            await world.gate.open()
            _ = try await world.ended()
            try await world.service.begin(world.order(seed: 2), by: world.actor)
            guard case .done(let second) = try await world.ended() else {
                Issue.record("no result")
                return
            }
            #expect(second.settings.seed == 2)
        }
    }

    @Test("one that is stopped has no result and leaves no copy, and the next one is played")
    func stopped() async throws {
        try await withWorld(isOpen: false) { world in
            try await world.service.begin(world.order(days: 60), by: world.actor)
            // Somebody else's is not stopped.
            try await world.service.stop(UUID(), in: world.fixture.workspace)
            try await world.service.stop(world.campaign.apiID, in: world.fixture.workspace)
            await world.gate.open()
            guard case .failed(.stopped) = try await world.ended() else {
                Issue.record("not stopped")
                return
            }
            #expect(world.copies.files == [])
            try await world.service.begin(world.order(), by: world.actor)
            guard case .done = try await world.ended() else {
                Issue.record("no result")
                return
            }
        }
    }

    @Test("what one has shown, another server tells, and the same one after a restart")
    func elsewhere() async throws {
        try await withWorld { world in
            try await world.service.begin(world.order(), by: world.actor)
            guard case .done(let result) = try await world.ended(),
                case .done(let told)? = try await world.state(by: world.beside)
            else {
                Issue.record("no result")
                return
            }
            #expect(RehearsalText(told).text == RehearsalText(result).text)
            #expect(told.sent == 3 * 14 && told.people == result.people && told.zone == result.zone)
            let workspace = world.fixture.workspace
            let ada = try #require(
                try await world.fixture.store.profile(.external("ada"), in: workspace)
            )
            try await world.service.begin(
                RehearsalOrder(
                    .person,
                    ada.publicID,
                    name: "ada",
                    in: workspace,
                    from: world.fixture.from,
                    days: 2,
                    seed: 1
                ),
                by: world.actor
            )
            while await world.service.busyWith != nil { await Task.yield() }
            let own = try await world.service.rehearsal(of: ada.publicID, in: workspace)
            let week = try await world.beside.rehearsal(of: ada.publicID, in: workspace)
            #expect(own?.order == week?.order && own?.rows == week?.rows && own?.askedBy == "mio")
            // A user who is deleted may be named in any of them.
            let ben = try #require(
                try await world.fixture.store.profile(.external("ben"), in: workspace)
            )
            _ = try await world.fixture.store.deleteUsers(
                [ben.id],
                in: workspace,
                noting: nil,
                now: world.fixture.from
            )
            #expect(try await world.state == nil)
            #expect(try await world.beside.rehearsal(of: ada.publicID, in: workspace) == nil)
        }
    }

    @Test("one is stopped at another server, too")
    func stoppedElsewhere() async throws {
        try await withWorld(isOpen: false) { world in
            try await world.service.begin(world.order(days: 60), by: world.actor)
            try await world.beside.stop(world.campaign.apiID, in: world.fixture.workspace)
            guard case .failed(.stopped) = try await world.ended() else {
                Issue.record("not stopped")
                return
            }
            guard case .failed(.stopped)? = try await world.state(by: world.beside) else {
                Issue.record("not told")
                return
            }
        }
    }

    @Test("one whose server has ended is said to be lost, and is begun again elsewhere")
    func left() async throws {
        try await withWorld(isOpen: false) { world in
            try await world.service.begin(world.order(), by: world.actor)
            // On a file nobody else works.
            guard case .failed(.left)? = try await world.state(by: world.beside) else {
                Issue.record("it is not lost")
                return
            }
            try await world.beside.begin(world.order(seed: 2), by: world.actor)
        }
    }

    @Test("whoever looks at the moment when one ends is never told that it is lost")
    func looks() async throws {
        try await withWorld { world in
            for seed in 1...20 as ClosedRange<UInt64> {
                try await world.service.begin(world.order(days: 1, seed: seed), by: world.actor)
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            while true {
                                switch try await world.state {
                                case .playing?: continue
                                case .done?: return true
                                case .failed?, nil: return false
                                }
                            }
                        }
                    }
                    for try await isDone in group { #expect(isDone, "seed \(seed)") }
                }
                _ = try await world.ended()
            }
        }
    }

    @Test("one that takes too long is ended, and leaves no copy")
    func long() async throws {
        try await withWorld(isOpen: false) { world in
            try await world.service.begin(world.order(), by: world.actor)
            // The time counts from when it was asked for, which is before the copy.
            world.uptime.value = .seconds(1_000_000)
            await world.gate.open()
            guard case .failed(.tooLong(seconds: 300)) = try await world.ended() else {
                Issue.record("not ended")
                return
            }
            #expect(world.copies.files == [])
        }
    }

    @Test("too many days, people or bytes are refused before anything is copied")
    func limits() async throws {
        try await withWorld { world in
            for days in [0, 61, -1] {
                await #expect(throws: ValidationError.self) {
                    try await world.service.begin(world.order(days: days), by: world.actor)
                }
            }
            await #expect(throws: NotAllowedError.self) {
                try await world.service.begin(
                    world.order(),
                    by: .commandLine(account: "eve", WorkspaceID(4711))
                )
            }
            #expect(await world.service.busyWith == nil)
        }
        try await withWorld {
            $0.people = 2
        } _: { world in
            await #expect(throws: RefusalError.self) {
                try await world.service.begin(world.order(), by: world.actor)
            }
            #expect(await world.service.busyWith == nil)
        }
        for size in [(database: 5 << 30, free: 100 << 30), (database: 1_000, free: 2_999)] {
            try await withWorld(size: size) { world in
                await #expect(throws: RefusalError(.rehearsalSize)) {
                    try await world.service.begin(world.order(), by: world.actor)
                }
            }
        }
    }

    @Test("what is gone when it begins is said, and is no fault of the server")
    func gone() async throws {
        try await withWorld { world in
            let order = RehearsalOrder(
                .campaign,
                UUID(),
                name: "Gone",
                in: world.fixture.workspace,
                from: world.fixture.from,
                days: 1,
                seed: 1
            )
            try await world.service.begin(order, by: world.actor)
            while await world.service.busyWith != nil { await Task.yield() }
            let found = try await world.service.rehearsal(of: order.subject, in: order.workspace)
            guard case .failed(.gone)? = found?.state else {
                Issue.record("\(String(describing: found?.state))")
                return
            }
        }
    }

    @Test("what is paused is resumed, as if somebody had resumed it at the beginning")
    func paused() async throws {
        try await RehearsalFixture.run(Self.people) { fixture in
            try await fixture.campaign("Daily", try RehearsalFixture.daily("09:30"))
            let from = fixture.from
            let service = CampaignService(
                store: fixture.store,
                planner: fixture.planner,
                now: { from },
                announce: { _, _ in }
            )
            for step in [CampaignStep.activate, .pause] {
                let campaign = try #require(
                    try await fixture.store.campaigns(
                        in: fixture.workspace,
                        matching: CampaignQuery(limit: 1)
                    ).campaigns.first
                )
                try await service.take(
                    step,
                    with: campaign,
                    by: .commandLine(account: "mio", fixture.workspace)
                )
            }
            let next = try await fixture.play(days: 3) {
                $0.from = from.addingTimeInterval(3 * 86_400)
            }
            #expect(next.result.sent == 3 * 3)
        }
    }
}
