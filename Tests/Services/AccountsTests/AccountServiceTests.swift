import Accounts
import Foundation
import Model
import Ports
import StoreConformance
import StoreSQLite
import Synchronization
import Testing

@Suite("Keys and sign-in")
struct AccountServiceTests {
    private final class Clock: Sendable {
        let now = Mutex(Date(timeIntervalSince1970: 1_790_000_000))
    }

    private func withService(
        _ body: (AccountService, any Store, WorkspaceID, Clock) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-accounts-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLiteStore(path: path, synchronous: .normal)
        let fixture = try await StoreConformance(store).fixture()
        let clock = Clock()
        let service = AccountService(
            store: store,
            now: { clock.now.withLock { $0 } },
            random: { count in (0..<count).map { _ in .random(in: .min ... .max) } }
        )
        try await body(service, store, fixture.workspace, clock)
    }

    @Test("a key is known by its secret, which is not stored")
    func keys() async throws {
        try await withService { service, store, workspace, clock in
            let secret = try await service.createAPIKey(
                name: "crm",
                permissions: ["users.track"],
                in: workspace
            )
            let key = try #require(try await service.apiKey(secret: secret))
            #expect(key.allows("users.track"))
            #expect(!key.allows("messages.send"))
            #expect(try await service.apiKey(secret: secret + "x") == nil)
            await #expect(throws: StoreError.self) {
                try await service.createAPIKey(name: "crm", permissions: ["*"], in: workspace)
            }
            let isRevoked = try await store.revokeAPIKey(
                named: "crm",
                in: workspace,
                now: clock.now.withLock { $0 }
            )
            #expect(isRevoked)
            #expect(try await service.apiKey(secret: secret) == nil)
        }
    }

    @Test("the right password signs in until the session ends or is ended")
    func sessions() async throws {
        try await withService { service, _, workspace, clock in
            let ada = try await service.createMember(
                name: "Ada",
                email: "ada@example.org",
                password: "correct horse",
                role: .administrator,
                in: workspace
            )
            #expect(
                try await service.signIn(email: "ada@example.org", password: "wrong") == nil
            )
            #expect(try await service.signIn(email: "ben@example.org", password: "x") == nil)
            let first = try #require(
                try await service.signIn(email: "ADA@example.org", password: "correct horse")
            )
            #expect(try await service.member(sessionToken: first.token) == ada)
            try await service.signOut(sessionToken: first.token)
            #expect(try await service.member(sessionToken: first.token) == nil)
            let second = try #require(
                try await service.signIn(email: "ada@example.org", password: "correct horse")
            )
            clock.now.withLock { $0 += AccountService.sessionLength + 1 }
            #expect(try await service.member(sessionToken: second.token) == nil)
        }
    }
}
