import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreConformance
import Testing

@testable import StoreSQL

@Suite("A store that is thrown away")
struct LoneConnectionTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private static func withStore(
        _ body: (_ store: SQLStore, _ folder: URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-lone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "test.sqlite").path
        try await body(try SQLStore(path: path, isThrownAway: true), folder)
    }

    private static func names(_ store: SQLStore) async throws -> [String] {
        try await store.workspaces().map(\.name).sorted()
    }

    private static func add(_ name: String, to store: SQLStore) async throws -> WorkspaceID {
        try await store.createWorkspace(name: name, timeZone: "UTC", now: now)
    }

    @Test("reads what it has written, undoes what fails, and keeps what was written before that")
    func undone() async throws {
        struct Failure: Error {}
        try await Self.withStore { store, _ in
            _ = try await Self.add("Tea", to: store)
            await #expect(throws: Failure.self) {
                try await store.write { database in
                    try database.execute(sql: "UPDATE workspaces SET name = 'Coffee'")
                    throw Failure()
                }
            }
            #expect(try await Self.names(store) == ["Tea"])
            _ = try await Self.add("Cake", to: store)
            #expect(try await Self.names(store) == ["Cake", "Tea"])
        }
    }

    @Test("answers nothing any more once a failure has cost what was written before")
    func lost() async throws {
        struct Failure: Error {}
        try await Self.withStore { store, _ in
            _ = try await Self.add("Tea", to: store)
            await #expect(throws: Failure.self) {
                try await store.write(mayRefuse: false) { database in
                    try database.execute(sql: "UPDATE workspaces SET name = 'Coffee'")
                    throw Failure()
                }
            }
            await #expect(throws: Failure.self) { try await Self.names(store) }
            await #expect(throws: Failure.self) { try await Self.add("Cake", to: store) }
        }
    }

    @Test("a copy and the columns have all that was written, a file that is closed too")
    func settled() async throws {
        try await Self.withStore { store, folder in
            let workspace = try await Self.add("Tea", to: store)
            let item = IngestItem(
                recordID: nil,
                user: .external("ada"),
                time: Self.now,
                content: .attributes(AttributeChanges([:]))
            )
            let request = IngestRequest(workspace: workspace, source: .api, items: [item])
            _ = try await store.ingest([request], now: Self.now)
            // No longer than for the question: whoever closes a file waits for its readers.
            let count = try await store.audienceView().rows(of: workspace).profileCount()
            #expect(count == 1)
            let copy = folder.appending(path: "copy.sqlite").path
            try await store.copy(to: copy)
            #expect(try await Self.names(SQLStore(path: copy)) == ["Tea"])
            _ = try await Self.add("Cake", to: store)
            try await store.close()
            let path = folder.appending(path: "test.sqlite").path
            #expect(try await Self.names(SQLStore(path: path)) == ["Cake", "Tea"])
        }
    }

    @Test("a user whose creation was undone is nobody's cached name")
    func forgotten() async throws {
        struct Failure: Error {}
        try await Self.withStore { store, _ in
            let workspace = try await Self.add("Tea", to: store)
            await #expect(throws: Failure.self) {
                try await store.write { [identities = store.identities] database in
                    let made = IngestItem(
                        recordID: nil,
                        user: .external("ada"),
                        time: Self.now,
                        content: .attributes(AttributeChanges([:]))
                    )
                    let transaction = try IngestTransaction(
                        database,
                        cache: identities,
                        now: Self.now
                    )
                    _ = try transaction.apply(made, in: workspace)
                    try transaction.flush()
                    identities.add(transaction.resolved, after: database)
                    throw Failure()
                }
            }
            #expect(store.identities.profile("ada", in: workspace) == nil)
        }
    }
}
