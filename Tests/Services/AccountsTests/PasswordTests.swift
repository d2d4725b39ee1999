import Accounts
import Foundation
import Model
import Ports
import Testing

@Suite("Passwords")
struct PasswordTests {
    @Test("another password ends all sessions but the one it was changed in, and uses up links")
    func sessions() async throws {
        try await AccountsBench.open { bench in
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
        try await AccountsBench.open { bench in
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
            await #expect(throws: RefusalError(.linkUnusable)) {
                try await bench.service.choosePassword("the second password", passwordLink: second)
            }
        }
    }

    @Test("of those who use a link at once one has chosen the password, once")
    func linkUsedAtOnce() async throws {
        try await AccountsBench.open { bench in
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
        try await AccountsBench.open { bench in
            await #expect(throws: NotAllowedError.self) {
                try await bench.service.makePasswordLink(
                    for: bench.administrator.id,
                    by: .member(bench.viewer)
                )
            }
            // Who has somebody's session has not their account.
            await #expect(throws: NotAllowedError.self) {
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
        try await AccountsBench.open { bench in
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
                } catch let refusal as RefusalError where refusal.code == .signInLimited {
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
        try await AccountsBench.open { bench in
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
