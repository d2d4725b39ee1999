import Credentials
import Crypto
import Foundation
import Model
import Ports
import Reasons
import StoreSQL
import StoreTesting
import Testing

@Suite("Push credentials are kept sealed")
struct CredentialVaultTests {
    private struct Secret: Codable, Equatable {
        var text: String
    }

    private struct Site {
        let store: SQLStore
        let app: App
        let other: App
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-vault-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "vault.sqlite").path)
        let workspace = try await store.createWorkspace(
            name: "Kissa",
            timeZone: "Asia/Tokyo",
            now: Date()
        )
        var apps: [App] = []
        for name in ["One", "Two"] {
            apps.append(
                try await store.createApp(
                    AppDraft(
                        name: name,
                        platform: "ios",
                        bundleID: "com.example.\(name)",
                        sdkKey: "sdk_\(name)"
                    ),
                    in: workspace,
                    noting: nil,
                    now: Date()
                )
            )
        }
        try await body(Site(store: store, app: apps[0], other: apps[1]))
    }

    private func vault(_ site: Site, _ key: SymmetricKey) -> CredentialVault {
        CredentialVault(store: site.store, key: key, now: { Date() })
    }

    @Test("they open with their key, and the store holds no plain text")
    func roundTrip() async throws {
        try await withSite { site in
            let vault = vault(site, SymmetricKey(size: .bits256))
            let secret = Secret(text: "BEGIN PRIVATE KEY")
            try await vault.save(secret, app: site.app.id, provider: .fcm, noting: nil)
            let found = try await vault.credentials(Secret.self, app: site.app.id, provider: .fcm)
            #expect(found == secret)
            let other = try await vault.credentials(Secret.self, app: site.app.id, provider: .apns)
            #expect(other == nil)
            let stored = try await site.store.credentials(app: site.app.id, provider: .fcm)
            let box = try #require(stored.first?.box)
            #expect(box.range(of: Data("PRIVATE".utf8)) == nil)
        }
    }

    @Test("another key is told from damaged content")
    func problems() async throws {
        try await withSite { site in
            let vault = vault(site, SymmetricKey(size: .bits256))
            try await vault.save(Secret(text: "a"), app: site.app.id, provider: .fcm, noting: nil)
            let stranger = self.vault(site, SymmetricKey(size: .bits256))
            await #expect(throws: CredentialError(.otherKey)) {
                _ = try await stranger.credentials(
                    Secret.self,
                    app: site.app.id,
                    provider: .fcm
                )
            }
            // The same box in another row.
            let stored = try await site.store.credentials(app: site.app.id, provider: .fcm)
            var moved = try #require(stored.first)
            moved.app = site.other.id
            try await site.store.saveCredentials(moved, noting: nil, now: Date())
            await #expect(throws: CredentialError(.damaged)) {
                _ = try await vault.credentials(
                    Secret.self,
                    app: site.other.id,
                    provider: .fcm
                )
            }
        }
    }
}
