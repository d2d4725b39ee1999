import Accounts
import Credentials
import Crypto
import Foundation
import Model
import Ports
import StoreSQL
import StoreTesting
import Synchronization

/// A store, a steered clock, and two members of a workspace.
struct AccountsBench {
    static let password = "the first password"

    let store: any Store
    let service: AccountService
    let factors: SecondFactorService
    let passkeys: PasskeyService
    let members: MemberDirectory
    let clock: Clock
    let administrator: Member
    let viewer: Member

    final class Clock: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_780_000_000))
        var now: Date { time.withLock { $0 } }
        func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    /// Everything is gone after `work`.
    static func open(
        limits: SignInLimits = SignInLimits(),
        _ work: (AccountsBench) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-accounts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await work(AccountsBench(path: folder.appending(path: "test.sqlite").path, limits))
    }

    private init(path: String, _ limits: SignInLimits) async throws {
        let store = try SQLStore.testing(at: path)
        let clock = Clock()
        let service = AccountService(
            store: store,
            now: { clock.now },
            random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } },
            hasher: PasswordHasher(rounds: 16),
            limits: limits
        )
        let workspace = try await store.createWorkspace(
            name: "Tea House",
            timeZone: "Asia/Tokyo",
            now: clock.now
        )
        self.store = store
        self.service = service
        factors = SecondFactorService(
            store: store,
            accounts: service,
            vault: SecondFactorVault(key: SymmetricKey(size: .bits256)),
            now: { clock.now }
        )
        passkeys = PasskeyService(store: store, accounts: service, now: { clock.now })
        self.clock = clock
        members = MemberDirectory(store: store, accounts: service, now: { clock.now })
        let members = members
        func add(_ name: String, _ role: Member.Role) async throws -> Member {
            try await members.add(
                MemberDirectory.Draft(
                    email: "\(name.lowercased())@example.com",
                    name: name,
                    role: role,
                    password: Self.password
                ),
                by: .commandLine(account: "test", workspace)
            ).member
        }
        administrator = try await add("Mai", .administrator)
        viewer = try await add("Ren", .viewer)
    }

    func otherWorkspace() async throws -> WorkspaceID {
        try await store.createWorkspace(name: "Harbor", timeZone: "UTC", now: clock.now)
    }

    /// The audit records with a text in them, newest first.
    func log(_ text: String) async throws -> [AuditRecord] {
        try await store.audit(in: viewer.workspace, matching: AuditQuery(text: text)).records
    }
}
