import Foundation
import Model
import Ports
import StoreConformance
import StoreSQLite
import Testing

@Suite("What is kept for a time, or up to a length")
struct KeptForATimeTests {
    private struct World {
        let store: SQLiteStore
        let conformance: StoreConformance
        let fixture: StoreConformance.Fixture

        var now: Date { conformance.now }

        func at(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(seconds) }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-kept-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let store = try SQLiteStore(path: path, synchronous: .normal)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        try await body(World(store: store, conformance: conformance, fixture: fixture))
    }

    @Test("a request's key is known in its workspace until its time is over, for what it said")
    func requestKeys() async throws {
        try await withWorld { world in
            let other = try await world.conformance.fixture().workspace
            func send(
                _ name: String,
                _ fingerprint: String = "f",
                in workspace: WorkspaceID? = nil,
                after seconds: TimeInterval = 0
            ) async throws -> KeyedSend {
                try await world.store.createSend(
                    SendContent(message: PushMessage(body: "Hello"), audience: .everyone),
                    for: RequestKey(
                        name: name,
                        fingerprint: fingerprint,
                        expiredBefore: world.at(seconds - 60)
                    ),
                    in: workspace ?? world.fixture.workspace,
                    scheduledAt: world.now,
                    now: world.at(seconds)
                )
            }
            guard case .made(let first) = try await send("a") else {
                Issue.record("the first request makes no send")
                return
            }
            #expect(try await send("a") == .known(first))
            #expect(try await send("a", "g") == .otherRequest)
            for (name, workspace) in [("b", nil), ("a", other)] as [(String, WorkspaceID?)] {
                guard case .made(let send) = try await send(name, in: workspace) else {
                    Issue.record("another key makes no send of its own")
                    return
                }
                #expect(send.id != first.id)
            }
            // As long as it says, that moment included.
            #expect(try await send("a", after: 60) == .known(first))
            guard case .made(let later) = try await send("a", after: 60.001) else {
                Issue.record("a key that is forgotten makes no send")
                return
            }
            #expect(later.id != first.id)
            #expect(try await send("a", after: 61) == .known(later))
        }
    }

    @Test("a link to an export is good until it expires, and is then taken away by the next one")
    func exportLinks() async throws {
        try await withWorld { world in
            func link(_ prefix: String, until seconds: TimeInterval) -> ExportLink {
                ExportLink(
                    workspace: world.fixture.workspace,
                    query: SegmentQuery(segments: [SegmentID(3)], filter: "{}"),
                    fields: ["email", "phone"],
                    format: .gzip,
                    prefix: prefix,
                    expiresAt: world.at(seconds)
                )
            }
            func found(_ hash: String, after seconds: TimeInterval) async throws -> ExportLink? {
                try await world.store.exportLink(
                    tokenHash: Data(hash.utf8),
                    now: world.at(seconds)
                )
            }
            for (hash, seconds) in [("a", 10.0), ("b", 20)] {
                try await world.store.saveExportLink(
                    link(hash, until: seconds),
                    tokenHash: Data(hash.utf8),
                    now: world.now
                )
            }
            #expect(try await found("a", after: 9.999) == link("a", until: 10))
            #expect(try await found("a", after: 10) == nil)
            #expect(try await found("b", after: 10) == link("b", until: 20))
            #expect(try await found("c", after: 0) == nil)
            // Whoever makes another one, clears away what is over.
            try await world.store.saveExportLink(
                link("c", until: 99),
                tokenHash: Data("c".utf8),
                now: world.at(10)
            )
            #expect(try await found("a", after: 0) == nil)
            #expect(try await found("b", after: 0) != nil)
        }
    }

    @Test("a reason is kept up to its two hundredth character, and counted as it is kept")
    func reasons() async throws {
        try await withWorld { world in
            let reasons = [
                String(repeating: "a", count: 200), String(repeating: "b", count: 201),
                String(repeating: "茶", count: 200), String(repeating: "茶", count: 201) + "x",
            ]
            for index in reasons.indices {
                try await world.conformance.register(
                    "u\(index)",
                    token: "t\(index)",
                    in: world.fixture
                )
            }
            let send = try await world.conformance.plannedSend(
                to: .everyone,
                in: world.fixture
            )
            let rows = try await world.conformance.claim(9)
            try await world.store.record(
                zip(rows, reasons).map {
                    DispatchResult(
                        send: send.id,
                        device: $0.device.id,
                        change: .rejected(reason: $1, retiresToken: false)
                    )
                },
                now: world.now
            )
            let found = try await world.store.failureReasons(of: send.id)
            #expect(
                Dictionary(uniqueKeysWithValues: found.map { ($0.reason, $0.count) }) == [
                    String(repeating: "a", count: 200): 1, String(repeating: "b", count: 200): 1,
                    String(repeating: "茶", count: 200): 2,
                ]
            )
            #expect(try await world.store.countDifferences(of: send.id) == [])
        }
    }

    @Test("of an outcome that comes late only a final one counts, once, with its attempt")
    func late() async throws {
        try await withWorld { world in
            try await world.conformance.register("ada", token: "t", in: world.fixture)
            let send = try await world.conformance.plannedSend(
                to: .everyone,
                in: world.fixture
            )
            let row = try #require(try await world.conformance.claim(1).first)
            func record(_ change: DispatchResult.Change) async throws {
                try await world.store.record(
                    [DispatchResult(send: send.id, device: row.device.id, change: change)],
                    now: world.at(1)
                )
            }
            func ledger() async throws -> (DispatchState?, Int?) {
                let rows = try await world.store.ledger(of: send.id, profile: row.profile.id)
                return (rows.first?.state, rows.first?.attempts)
            }
            try await record(.retry(reason: "503", at: world.at(60)))
            #expect(try await ledger() == (.queued, 1))
            // Nobody has the row: another retry says nothing, an ending does.
            try await record(.retry(reason: "503", at: world.at(90)))
            #expect(try await ledger() == (.queued, 1))
            // Nobody knows: who does know is believed.
            try await record(.unknown(reason: "cut"))
            #expect(try await ledger() == (.unknown, 2))
            try await record(.accepted(providerID: "p"))
            #expect(try await ledger() == (.accepted, 3))
            try await record(.rejected(reason: "late", retiresToken: false))
            #expect(try await ledger() == (.accepted, 3))
            #expect(try await world.store.countDifferences(of: send.id) == [])
        }
    }

    @Test("waiting for a provider is no attempt, a failure and an ending are one")
    func attempts() async throws {
        try await withWorld { world in
            try await world.conformance.register("ada", token: "t", in: world.fixture)
            let send = try await world.conformance.plannedSend(
                to: .everyone,
                in: world.fixture
            )
            var time = world.now
            for (change, attempts) in [
                (.postponed(reason: "503", at: world.at(10)), 0),
                (.retry(reason: "503", at: world.at(20)), 1),
                (.retry(reason: "503", at: world.at(30)), 2), (.skipped(reason: "Expired"), 3),
            ] as [(DispatchResult.Change, Int)] {
                // Not before it is due.
                if time > world.now {
                    let early = try await world.conformance.claim(
                        1,
                        at: time.addingTimeInterval(-0.001)
                    )
                    #expect(early.isEmpty)
                }
                let row = try #require(try await world.conformance.claim(1, at: time).first)
                try await world.store.record(
                    [DispatchResult(send: send.id, device: row.device.id, change: change)],
                    now: time
                )
                let rows = try await world.store.ledger(of: send.id, profile: row.profile.id)
                #expect(rows.map(\.attempts) == [attempts])
                time = time.addingTimeInterval(10)
            }
            #expect(try await world.store.finishSends(now: time) == [send.id])
        }
    }
}
