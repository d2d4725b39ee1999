import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// Histories of shared phones, late reports, merges and deletions, counted by the store as they
/// come, by the store anew from its rows, and here from what was told to it.
@Suite("Figures of a random history")
struct RandomHistoryTests {
    @Test("are those of its facts, and stay so when they are counted again", arguments: 1...12)
    func figures(seed: UInt64) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let conformance = StoreConformance(try SQLStore.testing(at: path))
        let history = RandomHistory(
            conformance,
            try await conformance.fixture(),
            random: SeededGenerator(seed)
        )
        try await history.run(steps: 160)
        let expected = history.opens()
        let total = expected.values.reduce(0) { $0 + $1.direct + $1.influenced }
        #expect(total > 0)
        try await history.check(expected, total, "as facts came")

        // What is right is not written: whoever reads or writes meanwhile notices nothing.
        let other = try SQLStore.testing(at: path)
        func version() async throws -> Int64? {
            // PostgreSQL's is of identities alone.
            try await other.write { $0.kind == .sqlite ? try $0.identityVersion() : nil }
        }
        let before = try await version()
        try await conformance.store.recountOpens(in: history.fixture.workspace)
        #expect(try await version() == before)
        try await history.check(expected, total, "counted again")

        for damage in Self.damages {
            try await other.write { try $0.execute(sql: damage) }
            try await conformance.store.recountOpens(in: history.fixture.workspace)
            try await history.check(expected, total, "counted again after \(damage)")
        }
    }

    @Test(
        "are counted from nothing that is removed when it is old",
        arguments: [1, 2, 3] as [UInt64],
        [30.0, 0]
    )
    func retention(seed: UInt64, days: Double) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let conformance = StoreConformance(try SQLStore.testing(at: path))
        let history = RandomHistory(
            conformance,
            try await conformance.fixture(),
            random: SeededGenerator(seed)
        )
        try await history.run(steps: 160)
        let expected = history.opens()
        let total = expected.values.reduce(0) { $0 + $1.direct + $1.influenced }
        let other = try SQLStore.testing(at: path)
        /// All rows of all tables but those that are removed.
        func rows() async throws -> [String: [String]] {
            try await other.read { database in
                let removed = ["seen_records", "audit_log", "retention_progress"]
                let tables = try String.fetchAll(
                    database,
                    sql: database.kind == .sqlite
                        ? "SELECT name FROM sqlite_master WHERE type = 'table'"
                        : """
                        SELECT table_name FROM information_schema.tables
                        WHERE table_schema = current_schema()
                        """
                )
                return try tables.filter { !removed.contains($0) }.reduce(into: [:]) {
                    $0[$1] = try Row.fetchAll(database, sql: "SELECT * FROM \($1)")
                        .map { "\($0.databaseValues)" }
                }
            }
        }
        let before = try await rows()
        // The middle of what was told, or all of it, is old enough to go.
        let middle = try await other.read { database in
            try Int64.fetchOne(
                database,
                sql: days == 0
                    ? "SELECT max(seen_at) + 1 FROM seen_records"
                    : "SELECT (min(seen_at) + max(seen_at)) / 2 FROM seen_records"
            )
        }
        let limit = try #require(middle)
        var removed = 0
        for kind in [RetainedKind.recordIDs, .audit, .customEvents, .inAppReports] {
            while true {
                let step = try await conformance.store.removeRows(
                    kind,
                    in: history.fixture.workspace,
                    olderThan: Date(timeIntervalSince1970: Double(limit) / 1000),
                    lookingAt: 7,
                    now: conformance.now + days * 86_400
                )
                removed += step.removed
                if step.isLast { break }
            }
        }
        #expect(removed > 0)
        #expect(try await rows() == before)
        try await conformance.store.recountOpens(in: history.fixture.workspace)
        try await history.check(expected, total, "after removals")
        #expect(try await rows() == before)
    }

    @Test(
        "stay what they are when old sessions are removed, and go on like that",
        arguments: 21...24 as ClosedRange<UInt64>
    )
    func removedSessions(seed: UInt64) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let conformance = StoreConformance(try SQLStore.testing(at: path, on: .sqlite))
        let history = RandomHistory(
            conformance,
            try await conformance.fixture(),
            random: SeededGenerator(seed)
        )
        try await history.run(steps: 120)
        let removed = try await history.remove(.sessions)
        #expect(removed > 10)
        for name in ["after the removal", "going on"] {
            var (expected, total) = history.openTotals()
            try await history.check(expected, total, "\(name)")
            try await conformance.store.recountOpens(in: history.fixture.workspace)
            try await history.check(expected, total, "\(name), counted again")
            // What comes now is not older than what was removed, and windows are those of all.
            history.pass(seconds: 30_000)
            history.keepsPeople = true
            try await history.run(steps: 60)
            (expected, total) = history.openTotals()
            try await history.check(expected, total, "later than \(name)")
            #expect(try await history.remove(.sessions) > 0)
        }
    }

    @Test(
        "stay what they are when old reports of pushes are removed, and sessions are told late",
        arguments: 31...36 as ClosedRange<UInt64>
    )
    func removedReports(seed: UInt64) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let conformance = StoreConformance(try SQLStore.testing(at: path))
        let history = RandomHistory(
            conformance,
            try await conformance.fixture(),
            random: SeededGenerator(seed)
        )
        for name in ["first", "second", "third"] {
            try await history.run(steps: 80)
            #expect(try await history.remove(.pushReports) > 0)
            let (expected, total) = history.openTotals()
            try await history.check(expected, total, "after the \(name) removal")
            try await conformance.store.recountOpens(in: history.fixture.workspace)
            try await history.check(expected, total, "counted again after the \(name) removal")
        }
    }

    @Test("influenced opens stay when their sessions are removed, and users are merged")
    func marks() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let conformance = StoreConformance(try SQLStore.testing(at: path, on: .sqlite))
        let (store, fixture) = (conformance.store, try await conformance.fixture())
        let phone = try await conformance.register("ada", token: "abc", in: fixture)
        let send = try await conformance.plannedSend(to: .everyone, in: fixture)
        let claimed = try await conformance.claim(100, at: conformance.now)
        var accepted = DispatchUpdate(
            send: send.id,
            device: try #require(claimed.first).device.id,
            change: .accepted(providerID: nil)
        )
        accepted.isUnreported = true
        try await store.record([accepted], now: conformance.now)
        for (user, installation, seconds) in [
            ("ada", phone, 60.0), ("bo", UUID(), 30), ("ada", phone, 90_000),
        ] {
            _ = try await conformance.batch(
                [(.external(user), .sessionStarted)],
                from: installation,
                after: seconds,
                in: fixture
            )
        }
        func influenced() async throws -> Int? {
            try await store.counts(of: [send.id])[send.id]?.influenced
        }
        #expect(try await influenced() == 1)
        var removed = 0
        for _ in 0..<2 {
            removed += try await store.removeRows(
                .sessions,
                in: fixture.workspace,
                olderThan: conformance.now + 80_000,
                lookingAt: 100,
                now: conformance.now + 90_000
            ).removed
        }
        #expect(removed == 2)
        _ = try await store.apply(
            [.merge(.external("bo"), into: .external("ada"))],
            in: fixture.workspace,
            now: conformance.now
        )
        #expect(try await influenced() == 1)
        try await store.recountOpens(in: fixture.workspace)
        #expect(try await influenced() == 1)
    }

    /// Ways in which the caches may be wrong.
    private static let damages = [
        "DELETE FROM user_sessions WHERE (profile_id + number) % 3 = 0",
        "DELETE FROM user_sessions",
        "UPDATE user_sessions SET time = time - 5000000 WHERE number % 2 = 1",
        "INSERT INTO user_sessions SELECT id, 1000, 4102444800000 FROM profiles",
        "UPDATE dispatches SET influenced_at = NULL WHERE device_id % 2 = 0",
        "UPDATE dispatches SET influenced_at = 1 WHERE profile_id <> 0",
        "UPDATE send_receipts SET opened = opened + 3, influenced = 0",
        "DELETE FROM send_receipts",
        """
        DELETE FROM user_sessions;
        UPDATE dispatches SET influenced_at = accepted_at WHERE profile_id <> 0;
        UPDATE send_receipts SET received = 0, dismissed = 1, influenced = 9
        """,
    ]
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

private final class RandomHistory {
    struct Opens: Equatable {
        var direct = 0
        var influenced = 0
    }

    /// A push to a phone, for who had it then.
    private struct Row {
        var send: SendID
        var phone: UUID
        var person: String
        var acceptedAt: Int64
        var isUnreported: Bool
        var receipts: [Int64] = []
        var isOpened = false
    }

    let conformance: StoreConformance
    let fixture: StoreConformance.Fixture
    private var random: SeededGenerator
    private let phones = (0..<5).map { _ in UUID() }
    private var names = (0..<6).map { "person-\($0)" }
    private var owners: [UUID: String] = [:]
    private var sessions: [String: [Int64]] = [:]
    private var rows: [Row] = []
    /// Seconds since the beginning.
    private var clock: TimeInterval = 0
    /// Whether nobody is merged or deleted.
    var keepsPeople = false

    init(
        _ conformance: StoreConformance,
        _ fixture: StoreConformance.Fixture,
        random: SeededGenerator
    ) {
        self.conformance = conformance
        self.fixture = fixture
        self.random = random
    }

    func run(steps: Int) async throws {
        for _ in 0..<steps {
            clock += TimeInterval(Int.random(in: 1...2400, using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<4: try await logIn()
            case 4..<10: try await beginSession()
            case 10..<13: try await send()
            case 13..<17: try await report(.received)
            case 17..<18: try await report(.opened)
            case 18: if !keepsPeople { try await merge() }
            default: if !keepsPeople { try await delete() }
            }
        }
    }

    func pass(seconds: TimeInterval) { clock += seconds }

    /// Removes all rows of a kind that are older than the last five hours.
    func remove(_ kind: RetainedKind) async throws -> Int {
        var removed = 0
        // What a pass removes was there when the one before began.
        for _ in 0..<2 {
            while true {
                let step = try await conformance.store.removeRows(
                    kind,
                    in: fixture.workspace,
                    olderThan: conformance.now + clock - 18_000,
                    lookingAt: 7,
                    now: conformance.now + clock
                )
                removed += step.removed
                if step.isLast { break }
            }
        }
        return removed
    }

    // MARK: What happens

    private func logIn() async throws {
        guard let phone = phones.randomElement(using: &random),
            let name = names.randomElement(using: &random)
        else { return }
        let previous = owners[phone]
        owners[phone] = name
        var items: [(UserReference, IngestItem.Content)] = []
        if let previous, previous != name {
            items.append((.external(name), .userChanged(previous: .external(previous))))
        }
        let registration = PushRegistration(
            provider: .apns,
            token: phone.uuidString,
            environment: .sandbox,
            authorization: .authorized,
            registeredAt: conformance.now
        )
        items.append((.external(name), .pushRegistered(registration)))
        try await tell(items, phone)
    }

    private func beginSession() async throws {
        guard let phone = phones.randomElement(using: &random), let owner = owners[phone] else {
            return
        }
        // Some are told hours late.
        let late = Bool.random(using: &random) ? 0 : Int.random(in: 0...20_000, using: &random)
        let time = clock - TimeInterval(late)
        sessions[owner, default: []].append(milliseconds(time))
        try await tell([(.external(owner), .sessionStarted)], phone, at: time)
    }

    private func send() async throws {
        let send = try await conformance.plannedSend(to: .everyone, in: fixture)
        let now = conformance.now.addingTimeInterval(clock)
        let claimed = try await conformance.claim(100, at: now).filter { $0.send == send.id }
        var results: [DispatchUpdate] = []
        for row in claimed {
            var result = DispatchUpdate(
                send: send.id,
                device: row.device.id,
                change: .accepted(providerID: nil)
            )
            result.isUnreported = Bool.random(using: &random)
            results.append(result)
            rows.append(
                Row(
                    send: send.id,
                    phone: row.device.installation,
                    person: row.profile.externalID ?? "",
                    acceptedAt: milliseconds(clock),
                    isUnreported: result.isUnreported
                )
            )
        }
        try await conformance.store.record(results, now: now)
    }

    private func report(_ kind: SDKRecord.PushInteraction.Kind) async throws {
        guard let index = rows.indices.randomElement(using: &random),
            let owner = owners[rows[index].phone], !rows[index].person.isEmpty
        else { return }
        let time = clock - TimeInterval(Int.random(in: 0...4000, using: &random))
        if kind == .opened {
            rows[index].isOpened = true
        } else {
            rows[index].receipts.append(milliseconds(time))
        }
        let interaction = SDKRecord.PushInteraction(
            kind: kind,
            dispatch: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            pushNumber: rows[index].send.rawValue
        )
        let outcomes = try await tell(
            [(.external(owner), .pushInteraction(interaction))],
            rows[index].phone,
            at: time
        )
        #expect(outcomes == [.stored(except: [])])
    }

    private func merge() async throws {
        guard names.count > 3, let source = names.randomElement(using: &random),
            let target = names.randomElement(using: &random), source != target
        else { return }
        let done = try await conformance.store.apply(
            [.merge(.external(source), into: .external(target))],
            in: fixture.workspace,
            now: conformance.now
        )
        guard done == [.done] else { return }
        names.removeAll { $0 == source }
        for (phone, owner) in owners where owner == source { owners[phone] = target }
        sessions[target, default: []] += sessions.removeValue(forKey: source) ?? []
        for index in rows.indices where rows[index].person == source {
            rows[index].person = target
        }
    }

    /// Somebody who got nothing: the rows of who did are kept as they are, without a person.
    private func delete() async throws {
        guard let name = names.randomElement(using: &random),
            !rows.contains(where: { $0.person == name }),
            let profile = try await conformance.store.profile(
                .external(name),
                in: fixture.workspace
            )
        else { return }
        // Reports that come later from a phone of theirs would be of another installation.
        let hasRows = owners.contains { phone, owner in
            owner == name && rows.contains { $0.phone == phone }
        }
        guard !hasRows else { return }
        _ = try await conformance.store.deleteUsers(
            [profile.id],
            in: fixture.workspace,
            noting: nil,
            now: conformance.now
        )
        for (phone, owner) in owners where owner == name { owners[phone] = nil }
        sessions[name] = nil
    }

    @discardableResult
    private func tell(
        _ items: [(UserReference, IngestItem.Content)],
        _ phone: UUID,
        at time: TimeInterval? = nil
    ) async throws -> [IngestOutcome] {
        try await conformance.batch(items, from: phone, after: time ?? clock, in: fixture)
    }

    private func milliseconds(_ seconds: TimeInterval) -> Int64 {
        Int64((conformance.now.timeIntervalSince1970 + seconds) * 1000)
    }

    // MARK: What follows

    func openTotals() -> (opens: [SendID: Opens], total: Int) {
        let opens = opens()
        return (opens, opens.values.reduce(0) { $0 + $1.direct + $1.influenced })
    }

    func opens() -> [SendID: Opens] {
        var opens: [SendID: Opens] = [:]
        for (send, rows) in Dictionary(grouping: rows, by: \.send) {
            opens[send, default: Opens()].direct = rows.count(where: \.isOpened)
            for (person, rows) in Dictionary(grouping: rows, by: \.person)
            where isInfluenced(rows, sessions[person] ?? []) {
                opens[send, default: Opens()].influenced += 1
            }
        }
        return opens
    }

    private func isInfluenced(_ rows: [Row], _ sessions: [Int64]) -> Bool {
        guard !rows.contains(where: \.isOpened) else { return false }
        let arrivals = rows.flatMap { $0.receipts + ($0.isUnreported ? [$0.acceptedAt] : []) }
        let sessions = sessions.sorted()
        return sessions.indices.contains { index in
            var window: Int64 = 1_800_000
            if index > 1 {
                let average = (sessions[index - 1] - sessions[0]) / Int64(index - 1)
                window = max(window, average / 2)
            }
            return arrivals.contains { $0 <= sessions[index] && sessions[index] - window <= $0 }
        }
    }

    func check(_ expected: [SendID: Opens], _ total: Int, _ comment: Comment) async throws {
        let counts = try await conformance.store.counts(of: Array(expected.keys))
        for (send, opens) in expected.sorted(by: { $0.key < $1.key }) {
            let found = Opens(
                direct: counts[send]?.opened ?? 0,
                influenced: counts[send]?.influenced ?? 0
            )
            #expect(found == opens, "send \(send), \(comment)")
        }
        let figures = try await conformance.store.figures(
            in: fixture.workspace,
            between: [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 4e9)]
        )
        #expect(figures.first?.opened == total, comment)
        #expect(figures.first?.sessions == sessions.values.map(\.count).reduce(0, +), comment)
        #expect(figures.first?.delivered == rows.count, comment)
        for name in names { try await checkFigures(of: name, comment) }
    }

    /// What one person got and did, of the pushes that were told about the person's own phones.
    private func checkFigures(of name: String, _ comment: Comment) async throws {
        guard
            let profile = try await conformance.store.profile(
                .external(name),
                in: fixture.workspace
            )
        else { return }
        let told = try await conformance.store.figures(of: profile.id)
        let mine = rows.filter { $0.person == name }
        let begun = sessions[name] ?? []
        var expected = UserFigures()
        expected.pushes = UserFigures.Pushes(
            delivered: mine.count,
            received: mine.count { !$0.receipts.isEmpty || $0.isOpened },
            directOpens: mine.count(where: \.isOpened),
            influencedOpens: Dictionary(grouping: mine, by: \.send).values
                .count { isInfluenced($0, begun) }
        )
        expected.sessions = begun.count
        expected.firstSessionAt = begun.min().map(date)
        expected.lastSessionAt = begun.max().map(date)
        #expect(told == expected, "\(name), \(comment)")
    }

    private func date(_ milliseconds: Int64) -> Date {
        Date(milliseconds: milliseconds)
    }
}
