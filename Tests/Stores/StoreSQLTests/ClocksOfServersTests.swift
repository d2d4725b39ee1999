import Foundation
import Model
import Ports
import PostgresTesting
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite(
    "Servers of one database whose clocks differ",
    .enabled(if: TemporaryPostgres.isInstalled)
)
struct ClocksOfServersTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func withServers(
        _ body: (StoreConformance, [ServerPresence]) async throws -> Void
    ) async throws {
        try await Slots.postgres.run {
            let address = try TemporaryPostgres.shared().makeDatabase()
            let store = try SQLStore(postgres: address)
            var servers: [ServerPresence] = []
            for name in ["one", "two"] {
                servers.append(
                    try await ServerPresence.take(
                        address,
                        as: WorkingServer(
                            id: UUID(),
                            name: name,
                            host: "tea",
                            process: 1,
                            version: "0.2.0",
                            startedAt: Self.now,
                            seenAt: Self.now,
                            clockOffset: 0,
                            report: ServerReport()
                        ),
                        now: { Self.now },
                        pause: {},
                        onWaiting: { _ in }
                    )
                )
            }
            try await body(StoreConformance(store), servers)
            for server in servers { await server.leave() }
            try await store.close()
            try TemporaryPostgres.shared().dropDatabase(address)
        }
    }

    @Test("what one rehearses, the others tell of and do not begin; when it has ended, they do")
    func rehearsals() async throws {
        try await withServers { conformance, servers in
            let store = conformance.store
            let workspace = try await conformance.fixture().workspace
            let subject = UUID()
            func record(_ player: Int, _ content: String) -> RehearsalRecord {
                RehearsalRecord(
                    id: UUID(),
                    workspace: workspace,
                    subject: subject,
                    askedAt: Self.now,
                    content: content,
                    player: servers[player].server.id
                )
            }
            #expect(try await store.addRehearsal(record(0, "one"), keeping: 5))
            #expect(try await !store.addRehearsal(record(1, "two"), keeping: 5))
            var found = try #require(await store.rehearsal(about: subject, in: workspace))
            #expect(found.content == "one" && found.isPlayerWorking)
            await servers[0].leave()
            found = try #require(await store.rehearsal(about: subject, in: workspace))
            #expect(!found.isPlayerWorking)
            #expect(try await store.addRehearsal(record(1, "two"), keeping: 5))
            found = try #require(await store.rehearsal(about: subject, in: workspace))
            #expect(found.content == "two" && found.isPlayerWorking)
        }
    }

    @Test("one that is ahead does not send what another one has in hand")
    func leases() async throws {
        try await withServers { conformance, servers in
            let ids = servers.map(\.server.id.uuidString)
            let fixture = try await conformance.fixture()
            for name in ["ada", "ben"] {
                _ = try await conformance.register(name, token: name, in: fixture)
            }
            _ = try await conformance.plannedSend(to: .everyone, in: fixture)
            let now = conformance.now
            // Until a minute later.
            #expect(try await conformance.claim(2, by: ids[0], at: now).count == 2)
            for seconds in [0, 61, 119] as [TimeInterval] {
                let taken = try await conformance.claim(2, by: ids[1], at: now + seconds)
                #expect(taken.count == 0, "\(seconds)")
            }
            // Its own it takes up again in time, and those of one that hangs somebody else does at last.
            #expect(try await conformance.claim(1, by: ids[0], at: now + 61).count == 1)
            #expect(try await conformance.claim(2, by: ids[1], at: now + 62).count == 1)
            #expect(try await conformance.claim(2, by: ids[1], at: now + 240).count == 2)
        }
    }

    @Test("send together what a limit allows a minute, whoever is ahead")
    func limit() async throws {
        try await withServers { conformance, servers in
            let ids = servers.map(\.server.id.uuidString)
            let fixture = try await conformance.fixture()
            for number in 0..<40 {
                _ = try await conformance.register("\(number)", token: "\(number)", in: fixture)
            }
            try await conformance.store.setPushLimit(
                60,
                of: fixture.workspace,
                noting: AuditRecord(
                    at: conformance.now,
                    origin: .console,
                    author: "ada",
                    action: "settings_saved",
                    subject: "limits"
                )
            )
            _ = try await conformance.plannedSend(to: .everyone, in: fixture)
            var sent = 0
            // Ten seconds, in which the second one is two seconds ahead.
            for tenth in 0..<100 {
                let time = conformance.now + Double(tenth) / 10
                for (owner, ahead) in zip(ids, [0, 2]) {
                    sent += try await conformance.claim(5, by: owner, at: time + Double(ahead))
                        .count
                }
            }
            // What comes, what is there at the start, and what the clock that is ahead brings once.
            #expect((10...14).contains(sent), "\(sent)")
        }
    }
}
