import Foundation
import GRDB
import Model
import Ports
import Relational
import StoreConformance
import StoreTesting
import Synchronization
import Testing

@testable import StoreSQL

/// What delivery asks of the database again and again must cost the same however much is done
/// already; SQLite chooses how it answers, so its choice is checked.
@Suite("Queries of delivery")
struct QueryPlanTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "noroshi-\(UUID().uuidString).sqlite").path

    @Test("neither sends that are over nor rows that are done are read to find what is left")
    func boundedWork() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        for number in 0..<4 {
            try await conformance.register("user-\(number)", token: "0\(number)", in: fixture)
        }
        let send = try await conformance.plannedSend(to: .everyone, in: fixture)

        let heard = try await statements(store) {
            let now = conformance.now
            for _ in 0..<2 {
                let rows = try await conformance.claim(2)
                #expect(rows.count == 2)
                try await store.record(
                    rows.map {
                        DispatchUpdate(
                            send: $0.send,
                            device: $0.device.id,
                            change: .accepted(providerID: nil)
                        )
                    },
                    now: now
                )
                _ = try await store.nextDispatchDue()
                _ = try await store.startPlanningDueSends(now: now)
                _ = try await store.markFinishedSends(now: now)
            }
            #expect(try await store.send(send.id)?.state == .finished)
            _ = try await conformance.plannedSend(to: .everyone, in: fixture)
        }
        .filter { sql in ["SELECT", "UPDATE", "WITH"].contains { sql.hasPrefix($0) } }
        // Those of the claim, of the record and of the end are among them.
        for words in ["lease_id =", "provider_id =", "state = 'finished'", "min(due)"] {
            #expect(heard.contains { $0.contains(words) }, "nothing says \(words)")
        }
        for sql in heard {
            for step in try await steps(of: sql, store) {
                let reads =
                    step.hasPrefix("SCAN sends") || step.hasPrefix("SCAN dispatches")
                    || step == "SEARCH dispatches USING PRIMARY KEY (send_id=?)"
                #expect(!reads, "\(step): \(sql)")
            }
        }
    }

    @Test("when the next message is due is one look for each lane, however many wait")
    func nextDue() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let now = StoreConformance(store).now
        let heard = try await statements(store) {
            _ = try await store.nextDispatchDue()
            _ = try await store.nextWorkDue(after: now)
        }.filter { $0.contains("min(due_at)") }
        #expect(heard.count == 2)
        for sql in heard {
            let looks = try await steps(of: sql, store).filter { $0.contains("dispatches_due") }
            // The first lane and the next lane; what looks for rows does so in one lane.
            let rows = looks.filter { !$0.hasSuffix("(send_id=?)") && !$0.contains("lane>?") }
            #expect(looks.count == rows.count + 2, "\(looks)")
            #expect(!rows.isEmpty && rows.allSatisfy { $0.contains("lane=?") }, "\(looks)")
        }
    }

    @Test("a page of an export is read in the order of the table, and nothing is sorted for it")
    func exports() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        let viewed = IngestItem(
            recordID: nil,
            user: .external("ada"),
            time: conformance.now,
            content: .event(name: "viewed", properties: [:])
        )
        _ = try await store.ingest(
            [IngestRequest(workspace: fixture.workspace, source: .api, items: [viewed])],
            now: conformance.now
        )
        let heard = try await statements(store) {
            let (users, events) = (
                try await store.exportUsers(in: fixture.workspace, after: 0, limit: 2),
                try await store.exportEvents(in: fixture.workspace, after: 0, limit: 2)
            )
            #expect(users.count == 1 && events.count == 1)
        }
        for table in ["profiles", "events"] {
            let pages = heard.filter { $0.contains("ORDER BY \(table).id LIMIT") }
            #expect(pages.count == 1, "\(heard)")
            for sql in pages {
                let steps = try await steps(of: sql, store)
                let isInOrder = steps.contains { $0.contains("\(table) USING INTEGER PRIMARY KEY") }
                #expect(isInOrder && !steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
            }
        }
    }

    @Test("what a user got of a send is found by the user, not among all that was sent")
    func rowsOfAUser() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let conformance = StoreConformance(store)
        let heard = try await statements(store) {
            try await conformance.plansAChunkOnce()
            try await conformance.countsInfluencedOpensInAnyOrder()
            try await conformance.countsInteractionsOfTheDeviceThatGotThePush()
            try await conformance.tellsTheContactsOfAUser()
            try await conformance.mergesUsers()
            try await conformance.deletesEverythingOfAUser()
            for workspace in try await store.workspaces() {
                let users = try await store.profiles(in: workspace.id, after: nil, limit: 9)
                for user in users { _ = try await store.rows(of: user) }
                _ = try await store.campaignsReceived(by: users)
                let found = try await store.campaigns(in: workspace.id, matching: CampaignQuery())
                for campaign in found.campaigns {
                    for send in try await store.sends(of: campaign.id, limit: 9, offset: 0) {
                        for user in users {
                            _ = try await store.ledger(of: send.id, profile: user)
                            _ = try await store.entries(of: user, in: campaign.id)
                        }
                    }
                    let poured = IngestItem(
                        recordID: UUID(),
                        user: .external("ada"),
                        time: conformance.now,
                        content: .event(name: "poured", properties: [:])
                    )
                    let request = IngestRequest(
                        workspace: workspace.id,
                        source: .api,
                        items: [poured]
                    )
                    _ = try await store.ingest([request], now: conformance.now)
                    _ = try await store.conversions(
                        of: campaign.id,
                        trackingID: nil,
                        event: EventMatch(.custom(name: "poured")),
                        window: 86_400
                    )
                }
            }
        }
        let ofUsers = heard.filter { sql in
            sql.contains("dispatches") && sql.contains("profile_id =")
                && ["SELECT", "UPDATE"].contains { sql.hasPrefix($0) }
        }
        for words in [
            "entries.send_id IN (SELECT", "OR entries.campaign_id =", "min(accepted_at) FROM",
            "SET influenced_at = NULL", "influenced_at\nFROM", "min(dispatches.received_at)",
            "devices.push_token",
        ] {
            #expect(ofUsers.contains { $0.contains(words) }, "nothing says \(words)")
        }
        for sql in ofUsers {
            for step in try await steps(of: sql, store) {
                let reads =
                    step.hasPrefix("SCAN dispatches")
                    || step.hasPrefix("SEARCH dispatches USING PRIMARY KEY (send_id=?)")
                #expect(!reads, "\(step): \(sql)")
            }
        }
    }

    @Test("what a user did with messages is found by the user, not among all reports")
    func reportsOfAUser() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let conformance = StoreConformance(store)
        let heard = try await statements(store) {
            try await conformance.tellsTheContactsOfAUser()
            try await conformance.mergesUsers()
            try await conformance.deletesEverythingOfAUser()
            for workspace in try await store.workspaces() {
                for user in try await store.profiles(in: workspace.id, after: nil, limit: 9) {
                    _ = try await store.rows(of: user)
                    _ = try await store.figures(of: user)
                }
            }
        }
        for table in ["push_interactions", "in_app_message_interactions"] {
            let ofUsers = heard.filter { sql in
                sql.contains("FROM \(table)")
                    && ["profile_id =", "profile_id IN"].contains { sql.contains($0) }
            }
            #expect(ofUsers.count >= 4, "\(ofUsers)")
            for sql in ofUsers {
                for step in try await steps(of: sql, store) where step.contains(table) {
                    let isByUser = ["profile_id=?", "(rowid"].contains { step.contains($0) }
                    #expect(isByUser, "\(step): \(sql)")
                }
            }
        }
    }

    @Test("ids of records are kept in one place, and each query goes there")
    func recordIDs() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .sqlite)
        let conformance = StoreConformance(store)
        let heard = try await statements(store) {
            let fixture = try await conformance.fixture()
            // An unknown user's event is rejected, and its id forgotten.
            for isKnownOnly in [false, true] {
                let item = IngestItem(
                    recordID: UUID(),
                    user: .external(isKnownOnly ? "nobody" : "ada"),
                    updatesExistingOnly: isKnownOnly,
                    time: conformance.now,
                    content: .event(name: "poured", properties: [:])
                )
                let request = IngestRequest(
                    workspace: fixture.workspace,
                    source: .api,
                    items: [item, item]
                )
                _ = try await store.ingest([request], now: conformance.now)
            }
        }
        .filter { $0.contains("seen_records") }
        for words in ["INSERT", "DELETE"] { #expect(heard.contains { $0.hasPrefix(words) }) }
        for sql in heard {
            for step in try await steps(of: sql, store) {
                #expect(!step.hasPrefix("SCAN"), "\(step): \(sql)")
            }
        }
        let indexes = try await store.pool.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT origin FROM pragma_index_list('seen_records')"
            )
        }
        #expect(indexes == ["pk"])
    }

    /// What `work` has asked of the database.
    func statements(
        _ store: SQLStore,
        of work: () async throws -> Void
    ) async throws -> Set<String> {
        let statements = Mutex<Set<String>>([])
        @Sendable func listen(_ database: GRDB.Database) {
            database.trace { event in
                statements.withLock { _ = $0.insert(event.expandedDescription) }
            }
        }
        let file = try store.sqliteFile()
        try await file.writeWithoutTransaction(listen)
        // One reader answers what is asked one after the other.
        try await file.read(listen)
        try await work()
        return statements.withLock { $0 }
    }

    func steps(of sql: String, _ store: SQLStore) async throws -> [String] {
        try await store.pool.read { database in
            try Relational.Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map {
                $0["detail"]
            }
        }
    }
}
