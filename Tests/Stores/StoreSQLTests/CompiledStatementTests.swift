import Foundation
import GRDB
import GRDBSQLite
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreTesting
import Synchronization
import Testing

@testable import StoreSQL

/// To compile a statement takes longer than to run it, with the triggers of its table many times as
/// long.
@Suite("Statements of ingestion")
struct CompiledStatementTests {
    @Test("what every batch runs is compiled once, for devices and for servers", .aboutFiles)
    func batches() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        try await tell(1, conformance, fixture)
        let ran = Mutex<Set<String>>([])
        let file = try store.sqliteFile()
        try await file.writeWithoutTransaction { database in
            database.trace { event in
                guard case .statement(let statement) = event else { return }
                ran.withLock { _ = $0.insert(statement.sql) }
            }
        }
        try await tell(2, conformance, fixture)
        let kept = try await file.writeWithoutTransaction { database in
            database.trace(options: [])
            var kept: Set<String> = []
            var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
            while let one = statement {
                kept.insert(String(cString: sqlite3_sql(one)))
                statement = sqlite3_next_stmt(database.sqliteConnection, one)
            }
            return kept
        }
        let heard = ran.withLock { $0 }
        #expect(heard.contains { $0.contains("INSERT INTO devices") })
        #expect(heard.contains { $0.contains("INSERT INTO profiles") })
        let compiled = heard.subtracting(kept).filter { sql in
            // Triggers are part of their statement.
            !sql.hasPrefix("--")
                && !["BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"].contains { sql.hasPrefix($0) }
        }
        #expect(compiled.isEmpty)
    }

    /// A user who is new with a device, signs up, and does everything once; one whom a server names.
    private func tell(
        _ number: Int,
        _ conformance: StoreConformance,
        _ fixture: StoreConformance.Fixture
    ) async throws {
        let installation = UUID()
        let nameless = UserReference.anonymous(UUID())
        let user = UserReference.external("user-\(number)")
        let token = PushRegistration(
            provider: .apns,
            token: String(repeating: "\(number)", count: 64),
            environment: .sandbox,
            authorization: .authorized,
            registeredAt: conformance.now
        )
        let message = UUID().uuidString.lowercased()
        let first = try await conformance.batch(
            [
                (nameless, .sessionStarted), (user, .userChanged(previous: nameless)),
                (user, .pushRegistered(token)),
                (user, .attributes(AttributeChanges(["first_name": "Ada"]))),
                (user, .event(name: "poured", properties: ["tea": "sencha"])),
                (
                    user,
                    .purchase(
                        product: "tea",
                        currency: "JPY",
                        price: 640,
                        quantity: 1,
                        properties: [:]
                    )
                ),
                (user, .inAppMessage(.init(kind: .impression, message: message))),
                (user, .sessionEnded(duration: 20)),
            ],
            from: installation,
            in: fixture
        )
        #expect(first == Array(repeating: .stored(except: []), count: 8))
        // Somebody else takes the device.
        let other = UserReference.external("other-\(number)")
        try await conformance.batch(
            [(other, .userChanged(previous: user)), (other, .sessionStarted)],
            from: installation,
            after: 60,
            in: fixture
        )
        let named = UserReference.alias(name: "a\(number)", label: "shop")
        let outcomes = try await conformance.ingest(
            [
                IngestItem(
                    recordID: nil,
                    user: named,
                    time: conformance.now,
                    content: .event(name: "poured", properties: [:])
                )
            ],
            in: fixture.workspace
        )
        #expect(outcomes == [.stored(except: [])])
    }
}
