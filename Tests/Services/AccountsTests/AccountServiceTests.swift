import Accounts
import Foundation
import Model
import Ports
import Reasons
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Keys and sign-in")
struct AccountServiceTests {
    private final class Clock: Sendable {
        let now = Mutex(Date(timeIntervalSince1970: 1_790_000_000))
    }

    private func withService(
        hasher: PasswordHasher = PasswordHasher(rounds: 16),
        limits: SignInLimits = SignInLimits(),
        _ body: (AccountService, any Store, WorkspaceID, Clock) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-accounts-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        let clock = Clock()
        let service = AccountService(
            store: store,
            now: { clock.now.withLock { $0 } },
            random: { count in (0..<count).map { _ in .random(in: .min ... .max) } },
            hasher: hasher,
            limits: limits
        )
        try await body(service, store, fixture.workspace, clock)
    }

    private func addAda(
        _ email: String,
        _ service: AccountService,
        _ store: any Store,
        _ workspace: WorkspaceID
    ) async throws -> Member {
        try await MemberDirectory(store: store, accounts: service, now: { .distantPast }).add(
            MemberDirectory.Draft(
                email: email,
                name: "Ada",
                role: .administrator,
                password: "correct horse"
            ),
            by: .commandLine(account: "test", workspace)
        ).member
    }

    @Test("a key is known by its secret, which is not stored")
    func keys() async throws {
        try await withService { service, store, workspace, clock in
            let secret = try await service.createAPIKey(
                name: "crm",
                permissions: ["users.track"],
                by: .commandLine(account: "test", workspace)
            )
            let key = try #require(try await service.apiKey(secret: secret))
            #expect(key.allows("users.track"))
            #expect(!key.allows("messages.send"))
            #expect(try await service.apiKey(secret: secret + "x") == nil)
            let isRevoked = try await service.revokeAPIKey(
                named: "crm",
                by: .commandLine(account: "test", workspace)
            )
            #expect(isRevoked)
            #expect(try await service.apiKey(secret: secret) == nil)
        }
    }

    @Test("a key is refused from its end on, and one that has ended cannot be made")
    func keyThatEnds() async throws {
        try await withService { service, store, workspace, clock in
            let actor = Actor.commandLine(account: "test", workspace)
            let end = clock.now.withLock { $0 }.addingTimeInterval(3600)
            let secret = try await service.createAPIKey(
                name: "agency",
                permissions: ["users.track"],
                expiresAt: end,
                by: actor
            )
            #expect(try await service.apiKey(secret: secret)?.expiresAt == end)
            clock.now.withLock { $0 = end.addingTimeInterval(-0.001) }
            #expect(try await service.apiKey(secret: secret) != nil)
            clock.now.withLock { $0 = end }
            #expect(try await service.apiKey(secret: secret) == nil)
            let listed = try await service.apiKeys(in: workspace)
            #expect(listed.map { $0.isExpired(at: end) } == [true])
            for time in [end, Date(timeIntervalSince1970: 253_402_300_800)] {
                let problem = await #expect(throws: ValidationError.self) {
                    try await service.createAPIKey(
                        name: "other",
                        permissions: ["users.track"],
                        expiresAt: time,
                        by: actor
                    )
                }
                #expect(problem?.problems.map(\.path) == [.apiKey(.until)])
            }
        }
    }

    @Test("the right password signs in until the session ends or is ended")
    func sessions() async throws {
        try await withService(hasher: PasswordHasher()) { service, store, workspace, clock in
            let ada = try await addAda("ada@example.org", service, store, workspace)
            #expect(
                try await service.signIn(email: "ada@example.org", password: "wrong") == nil
            )
            #expect(try await service.signIn(email: "ben@example.org", password: "x") == nil)
            let first = try #require(
                try await service.signIn(email: "ADA@example.org", password: "correct horse")
            )
            #expect(try await service.member(sessionToken: first.token)?.id == ada.id)
            try await service.signOut(sessionToken: first.token)
            #expect(try await service.member(sessionToken: first.token) == nil)
            let second = try #require(
                try await service.signIn(email: "ada@example.org", password: "correct horse")
            )
            clock.now.withLock { $0 += AccountService.sessionLength + 1 }
            #expect(try await service.member(sessionToken: second.token) == nil)
        }
    }

    private func refusal(
        _ work: () async throws -> Void
    ) async throws -> RefusalError? {
        do {
            try await work()
            return nil
        } catch let refusal as RefusalError {
            return refusal
        }
    }

    @Test("ten wrong passwords from one place are looked at, then none, also after a restart")
    func limits() async throws {
        try await withService { service, store, workspace, clock in
            for email in ["ada@example.org", "nobody@example.org"] {
                if email.hasPrefix("ada") {
                    _ = try await addAda(email, service, store, workspace)
                }
                for _ in 0..<10 {
                    #expect(
                        try await service.signIn(email: email, password: "x", from: "192.0.2.1")
                            == nil
                    )
                }
                // Another process over the same store, and the right password in other letters.
                let next = AccountService(
                    store: store,
                    now: { clock.now.withLock { $0 } },
                    random: { Array(repeating: 7, count: $0) }
                )
                let refused = try await refusal {
                    _ = try await next.signIn(
                        email: email.uppercased(),
                        password: "correct horse",
                        from: "192.0.2.1"
                    )
                }
                // Of an account that there is not, the same is said.
                #expect(
                    refused
                        == RefusalError(
                            .signInLimited,
                            ["minutes": "15"],
                            retryAfterSeconds: 900
                        )
                )
                #expect(next.signInCounts.limited == 1)
            }
            let elsewhere = try await service.signIn(
                email: "ada@example.org",
                password: "correct horse",
                from: "192.0.2.2"
            )
            #expect(elsewhere != nil)
            clock.now.withLock { $0 += 900 }
            let later = try await service.signIn(
                email: "ada@example.org",
                password: "correct horse",
                from: "192.0.2.1"
            )
            #expect(later != nil)
            let log = try await store.audit(in: workspace, matching: AuditQuery())
            let failures = log.records.filter { $0.action == "sign_in_failed" }
            #expect(failures.count == 10)
            #expect(Set(failures.map(\.subject)) == ["ada@example.org"])
            #expect(Set(failures.map(\.detail)) == ["192.0.2.1"])
            let figures = try await store.signInFigures()
            #expect(figures.failed == 20)
            #expect(figures.succeeded == 2)
        }
    }

    @Test("whoever guesses from everywhere cannot lock the owner out of a place that is known")
    func lockout() async throws {
        var limits = SignInLimits()
        limits.perAccount = 3
        try await withService(limits: limits) { service, store, workspace, _ in
            _ = try await addAda("ada@example.org", service, store, workspace)
            func signIn(_ password: String, _ address: String) async throws -> Bool {
                try await service.signIn(
                    email: "ada@example.org",
                    password: password,
                    from: address
                ) != nil
            }
            #expect(try await signIn("correct horse", "192.0.2.1"))
            for host in 1...3 { #expect(try await !signIn("x", "198.51.100.\(host)")) }
            let refused = try await refusal { _ = try await signIn("x", "198.51.100.9") }
            #expect(refused != nil)
            #expect(try await signIn("correct horse", "192.0.2.1"))
        }
    }

    @Test("one host of IPv6 is one place, however many addresses it has")
    func hosts() async throws {
        var limits = SignInLimits()
        limits.perAddress = 2
        try await withService(limits: limits) { service, _, _, _ in
            for host in ["2001:db8:1:2::1", "2001:db8:1:2:ffff::7"] {
                let email = "\(host.count)@example.org"
                #expect(try await service.signIn(email: email, password: "x", from: host) == nil)
            }
            let refused = try await refusal {
                _ = try await service.signIn(
                    email: "c@example.org",
                    password: "x",
                    from: "2001:db8:1:2::3"
                )
            }
            #expect(refused != nil)
            let other = try await service.signIn(
                email: "c@example.org",
                password: "x",
                from: "2001:db8:1:3::3"
            )
            #expect(other == nil)
        }
    }

    @Test("a line of passwords that is full takes no more, and says when to come back")
    func busy() async throws {
        let hasher = PasswordHasher(limit: 1)
        try await withService(hasher: hasher) { service, _, _, _ in
            async let first = service.signIn(email: "a@example.org", password: "x", from: "a")
            async let second = service.signIn(email: "b@example.org", password: "x", from: "b")
            async let third = service.signIn(email: "c@example.org", password: "x", from: "c")
            var refused = 0
            do { _ = try await first } catch is RefusalError { refused += 1 }
            do { _ = try await second } catch is RefusalError { refused += 1 }
            do { _ = try await third } catch is RefusalError { refused += 1 }
            #expect(refused == service.signInCounts.busy)
            #expect(refused + service.signInCounts.failed == 3)
            #expect(service.signInCounts.failed >= 1)
        }
    }
}
