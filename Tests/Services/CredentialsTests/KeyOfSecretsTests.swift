import Credentials
import Crypto
import Foundation
import Model
import Ports
import StoreSQL
import StoreTesting
import Testing

@Suite("All servers of a database have one key")
struct KeyOfSecretsTests {
    private static let first = SymmetricKey(data: Data(repeating: 1, count: 32))
    private static let second = SymmetricKey(data: Data(repeating: 2, count: 32))

    /// Two servers have a store each on one database.
    private func withStores(
        on kind: StoreKind,
        _ body: (SQLStore, SQLStore) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "key.sqlite").path
        try await Slots.postgres.run {
            let stores = try (
                SQLStore.testing(at: path, on: kind), SQLStore.testing(at: path, on: kind)
            )
            try await body(stores.0, stores.1)
            try await stores.0.close()
            try await stores.1.close()
        }
    }

    private func accepts(_ key: SymmetricKey, _ store: SQLStore) async throws -> Bool {
        try await KeyOfSecrets(store: store, key: key).isOfDatabase()
    }

    /// As a server of an earlier version did, which kept no fingerprint.
    private func saveSecret(_ name: String, with key: SymmetricKey, _ store: SQLStore) async throws
    {
        var workspace = try await store.workspaces().first?.id
        if workspace == nil {
            workspace = try await store.createWorkspace(
                name: "Kissa",
                timeZone: "Asia/Tokyo",
                now: Date()
            )
        }
        try await BasicCredentialVault(store: store, key: key, now: { Date() }).save(
            BasicCredentials(user: "ada", password: "tea"),
            named: name,
            by: .commandLine(account: "test", try #require(workspace))
        )
    }

    @Test(
        "that of the first one that starts, also where there are no secrets yet",
        arguments: StoreKind.available
    )
    func begins(kind: StoreKind) async throws {
        try await withStores(on: kind) { one, other in
            let isTaken = try await accepts(Self.first, one)
            #expect(isTaken)
            #expect(try await accepts(Self.first, other))
            #expect(try await !accepts(Self.second, other))
            #expect(try await accepts(Self.first, one))
        }
    }

    @Test("that of the secrets in a database of an earlier version", arguments: StoreKind.available)
    func earlier(kind: StoreKind) async throws {
        try await withStores(on: kind) { one, other in
            try await saveSecret("shop", with: Self.first, one)
            #expect(try await !accepts(Self.second, other))
            #expect(try await accepts(Self.first, one))
            #expect(try await !accepts(Self.second, other))
        }
    }

    @Test("who lost a key before, and entered some secrets anew, goes on with the new one")
    func both() async throws {
        try await withStores(on: .chosen) { one, other in
            try await saveSecret("shop", with: Self.first, one)
            try await saveSecret("weather", with: Self.second, one)
            #expect(try await accepts(Self.second, one))
            #expect(try await !accepts(Self.first, other))
        }
    }

    @Test("who loses it says so, and goes on with another one", arguments: StoreKind.available)
    func lost(kind: StoreKind) async throws {
        try await withStores(on: kind) { one, other in
            try await saveSecret("shop", with: Self.first, one)
            #expect(try await accepts(Self.first, one))
            let key = KeyOfSecrets(store: other, key: Self.second)
            #expect(try await key.adopt())
            #expect(try await !key.adopt())
            #expect(try await accepts(Self.second, other))
            #expect(try await !accepts(Self.first, one))
        }
    }
}
