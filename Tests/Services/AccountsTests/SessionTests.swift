import Accounts
import Foundation
import Model
import Ports
import Testing

@Suite("Sessions of members")
struct SessionTests {
    private static let password = AccountsBench.password

    private func signIn(
        _ member: Member,
        _ bench: AccountsBench,
        from address: String? = nil,
        userAgent: String = ""
    ) async throws -> String {
        try #require(
            try await bench.service.signIn(
                email: member.email,
                password: Self.password,
                from: address,
                userAgent: userAgent
            )
        ).token
    }

    @Test("a member sees each sign-in with its address, browser, beginning and last use")
    func listed() async throws {
        try await AccountsBench.open { bench in
            let began = bench.clock.now
            let first = try await signIn(
                bench.viewer,
                bench,
                from: "192.0.2.1",
                userAgent: "Firefox\u{7}" + String(repeating: "x", count: 900)
            )
            bench.clock.advance(300)
            let second = try await signIn(bench.viewer, bench, from: "192.0.2.2")
            bench.clock.advance(300)
            _ = try await bench.service.member(sessionToken: first, from: "192.0.2.3")
            let found = try await bench.service.sessions(
                of: bench.viewer.id,
                by: .member(bench.viewer)
            )
            #expect(found.map(\.address) == ["192.0.2.3", "192.0.2.2"])
            #expect(found.map(\.startedAt) == [began, began + 300])
            #expect(found.map(\.lastSeenAt) == [began + 600, began + 300])
            #expect(found[0].userAgent.hasPrefix("Firefoxx"))
            #expect(found[0].userAgent.count == ConsoleSession.userAgentLimit)
            #expect(
                found.map(\.id)
                    == [first, second].map { bench.service.sessionID(ofToken: $0) }
            )
            #expect(!found.contains { first.contains($0.id) })
        }
    }

    @Test("a member ends one sign-in, or all but the one that asks")
    func ended() async throws {
        try await AccountsBench.open { bench in
            let service = bench.service
            var tokens: [String] = []
            for _ in 0..<4 { tokens.append(try await signIn(bench.viewer, bench)) }
            let other = try await signIn(bench.administrator, bench)
            func open() async throws -> [Bool] {
                var open: [Bool] = []
                for token in tokens {
                    open.append(try await service.member(sessionToken: token) != nil)
                }
                return open
            }
            let actor = Actor.member(bench.viewer)
            #expect(
                try await service.endSession(
                    service.sessionID(ofToken: tokens[1]),
                    of: bench.viewer.id,
                    by: actor
                )
            )
            #expect(try await open() == [true, false, true, true])
            // Of somebody else, and twice.
            for token in [other, tokens[1]] {
                #expect(
                    try await !service.endSession(
                        service.sessionID(ofToken: token),
                        of: bench.viewer.id,
                        by: actor
                    )
                )
            }
            let count = try await service.endSessions(
                of: bench.viewer.id,
                exceptToken: tokens[0],
                by: actor
            )
            #expect(count == 2)
            #expect(try await open() == [true, false, false, false])
            #expect(try await service.member(sessionToken: other) != nil)
            let log = try await bench.log("sessions_ended")
            #expect(log.map(\.detail) == ["2", "1"])
            #expect(Set(log.map(\.subject)) == [bench.viewer.email])
        }
    }

    @Test("of others only an administrator sees and ends sign-ins, and only in the own workspace")
    func others() async throws {
        try await AccountsBench.open { bench in
            let token = try await signIn(bench.viewer, bench)
            let admin = try await signIn(bench.administrator, bench)
            await #expect(throws: NotAllowedError()) {
                try await bench.service.sessions(
                    of: bench.administrator.id,
                    by: .member(bench.viewer)
                )
            }
            await #expect(throws: NotAllowedError()) {
                try await bench.service.endSessions(
                    of: bench.administrator.id,
                    by: .member(bench.viewer)
                )
            }
            let foreigner = Actor.commandLine(account: "test", try await bench.otherWorkspace())
            #expect(
                try await bench.service.sessions(of: bench.viewer.id, by: foreigner).isEmpty
            )
            #expect(
                try await bench.service.endSessions(of: bench.viewer.id, by: foreigner) == 0
            )
            #expect(try await bench.service.member(sessionToken: token) != nil)
            let ended = try await bench.service.endSessions(
                of: bench.viewer.id,
                exceptToken: admin,
                by: .member(bench.administrator)
            )
            #expect(ended == 1)
            #expect(try await bench.service.member(sessionToken: token) == nil)
            #expect(try await bench.service.member(sessionToken: admin) != nil)
        }
    }

    @Test("sessions that have expired are gone from the list, and from the store with a sign-in")
    func expired() async throws {
        try await AccountsBench.open { bench in
            _ = try await signIn(bench.viewer, bench)
            bench.clock.advance(AccountService.sessionLength)
            let actor = Actor.member(bench.viewer)
            #expect(try await bench.service.sessions(of: bench.viewer.id, by: actor).isEmpty)
            _ = try await signIn(bench.administrator, bench)
            let left = try await bench.store.consoleSessions(
                of: bench.viewer.id,
                in: bench.viewer.workspace,
                now: .distantPast
            )
            #expect(left.isEmpty)
        }
    }

    @Test("sign-ins, wrong passwords and a limit that is reached are in the log, with the address")
    func log() async throws {
        try await AccountsBench.open { bench in
            _ = try await signIn(bench.viewer, bench, from: "192.0.2.1")
            var isLimited = false
            for _ in 0..<30 {
                do {
                    _ = try await bench.service.signIn(
                        email: bench.viewer.email.uppercased(),
                        password: "x",
                        from: "192.0.2.9"
                    )
                } catch is RefusalError {
                    isLimited = true
                }
            }
            #expect(isLimited)
            let limit = SignInLimits().perAccountAndAddress
            #expect(try await bench.log("sign_in_succeeded").map(\.detail) == ["192.0.2.1"])
            #expect(try await bench.log("sign_in_failed").count == limit)
            // Once in a window, however many come.
            #expect(try await bench.log("sign_in_limited").map(\.detail) == ["192.0.2.9"])
            let authors = try await bench.log("sign_in_").map(\.author)
            #expect(Set(authors) == [bench.viewer.name, "-"])
        }
    }

    @Test("a flood of rejected attempts at many accounts is not written without an end")
    func flood() async throws {
        var limits = SignInLimits()
        limits.perAddress = 2
        try await AccountsBench.open(limits: limits) { bench in
            for number in 0..<20 {
                _ = try? await bench.service.signIn(
                    email: "n\(number)@example.com",
                    password: "x",
                    from: "192.0.2.9"
                )
            }
            let before = bench.store.writesDone
            for number in 20..<60 {
                await #expect(throws: RefusalError.self) {
                    _ = try await bench.service.signIn(
                        email: "n\(number)@example.com",
                        password: "x",
                        from: "192.0.2.9"
                    )
                }
            }
            #expect(bench.store.writesDone == before)
        }
    }
}
