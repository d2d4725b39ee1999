import Accounts
import Foundation
import Model
import Ports
import StoreSQLite
import Synchronization
import Testing

@Suite("Passwords")
struct PasswordTests {
    /// A store, a steered clock, and members of two workspaces.
    private struct Bench {
        let store: SQLiteStore
        let service: AccountService
        let clock: Clock
        let administrator: Member
        let viewer: Member

        final class Clock: Sendable {
            private let time = Mutex(Date(timeIntervalSince1970: 1_780_000_000))
            var now: Date { time.withLock { $0 } }
            func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
        }

        /// Everything is gone after `work`.
        static func open(_ work: (Bench) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "noroshi-passwords-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await work(Bench(path: folder.appending(path: "test.sqlite").path))
        }

        private init(path: String) async throws {
            let store = try SQLiteStore(path: path, synchronous: .normal)
            let clock = Clock()
            let service = AccountService(
                store: store,
                now: { clock.now },
                random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } },
                hasher: PasswordHasher(rounds: 16)
            )
            let workspace = try await store.createWorkspace(
                name: "Tea House",
                timeZone: "Asia/Tokyo",
                now: clock.now
            )
            self.store = store
            self.service = service
            self.clock = clock
            let members = MemberDirectory(store: store, accounts: service, now: { clock.now })
            func add(_ name: String, _ role: Member.Role) async throws -> Member {
                try await members.add(
                    MemberDirectory.Draft(
                        email: "\(name.lowercased())@example.com",
                        name: name,
                        role: role,
                        password: "the first password"
                    ),
                    by: .commandLine(account: "test", workspace)
                ).member
            }
            administrator = try await add("Mai", .administrator)
            viewer = try await add("Ren", .viewer)
        }
    }

    @Test("another password ends all sessions but the one it was changed in, and uses up links")
    func sessions() async throws {
        try await Bench.open { bench in
            let service = bench.service
            let here = try #require(
                try await service.signIn(email: "ren@example.com", password: "the first password")
            ).token
            let elsewhere = try #require(
                try await service.signIn(email: "ren@example.com", password: "the first password")
            ).token
            let link = try #require(
                try await service.makePasswordLink(
                    for: bench.viewer.id,
                    by: .member(bench.administrator)
                )
            ).token
            try await service.changePassword(
                of: bench.viewer,
                from: "the first password",
                to: "the second password",
                session: here
            )
            #expect(try await service.member(sessionToken: here) != nil)
            #expect(try await service.member(sessionToken: elsewhere) == nil)
            #expect(try await service.member(passwordLink: link) == nil)
        }
    }

    @Test("a link is good for a day, and a new one takes its place")
    func links() async throws {
        try await Bench.open { bench in
            func link() async throws -> String {
                try #require(
                    try await bench.service.makePasswordLink(
                        for: bench.viewer.id,
                        by: .member(bench.administrator)
                    )
                ).token
            }
            let first = try await link()
            let second = try await link()
            #expect(try await bench.service.member(passwordLink: first) == nil)
            bench.clock.advance(AccountService.passwordLinkLength - 1)
            #expect(try await bench.service.member(passwordLink: second) == bench.viewer)
            bench.clock.advance(1)
            await #expect(throws: Refusal(.linkUnusable)) {
                try await bench.service.choosePassword("the second password", passwordLink: second)
            }
        }
    }

    @Test("of those who use a link at once one has chosen the password, once")
    func linkUsedAtOnce() async throws {
        try await Bench.open { bench in
            let service = bench.service
            let link = try #require(
                try await service.makePasswordLink(
                    for: bench.viewer.id,
                    by: .member(bench.administrator)
                )
            ).token
            let chosen = await withTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let password = "the password of \(number)"
                        do {
                            try await service.choosePassword(password, passwordLink: link)
                            return password
                        } catch {
                            return nil
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }.compactMap(\.self)
            let password = try #require(chosen.first)
            #expect(chosen.count == 1)
            #expect(try await service.signIn(email: "ren@example.com", password: password) != nil)
            let audit = try await bench.store.audit(
                in: bench.viewer.workspace,
                matching: AuditQuery(text: "password_reset")
            )
            #expect(audit.total == 1)
        }
    }

    @Test("only administrators make links, and only for members of their workspace")
    func rights() async throws {
        try await Bench.open { bench in
            await #expect(throws: NotAllowed.self) {
                try await bench.service.makePasswordLink(
                    for: bench.administrator.id,
                    by: .member(bench.viewer)
                )
            }
            // Who has somebody's session has not their account.
            await #expect(throws: NotAllowed.self) {
                try await bench.service.makePasswordLink(
                    for: bench.administrator.id,
                    by: .member(bench.administrator)
                )
            }
            let other = try await bench.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: bench.clock.now
            )
            let stranger = Actor.commandLine(account: "root", other)
            #expect(
                try await bench.service.makePasswordLink(for: bench.viewer.id, by: stranger) == nil
            )
        }
    }

    @Test("wrong present passwords count like attempts to sign in")
    func limits() async throws {
        try await Bench.open { bench in
            var isLimited = false
            for _ in 0...SignInLimits().perAccountAndAddress where !isLimited {
                do {
                    try await bench.service.changePassword(
                        of: bench.viewer,
                        from: "a wrong password",
                        to: "the second password",
                        session: "",
                        from: "192.0.2.7"
                    )
                    Issue.record("a wrong password was taken")
                } catch let refusal as Refusal where refusal.code == .signInLimited {
                    isLimited = true
                } catch {
                    #expect(
                        error as? ValidationError
                            == ValidationError(.password(.present), .passwordWrong)
                    )
                }
            }
            #expect(isLimited)
        }
    }

    @Test("signing in is remembered with its time")
    func lastSignIn() async throws {
        try await Bench.open { bench in
            let time = bench.clock.now
            _ = try await bench.service.signIn(
                email: "ren@example.com",
                password: "the first password"
            )
            let members = try await bench.store.memberEntries(
                in: bench.viewer.workspace,
                matching: nil,
                limit: 9,
                offset: 0
            ).entries.map(\.member)
            #expect(members.map(\.lastSignedInAt) == [nil, time])
        }
    }
}
