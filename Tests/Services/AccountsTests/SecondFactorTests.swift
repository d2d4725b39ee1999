import Accounts
import Foundation
import Model
import Ports
import Testing

@Suite("Second factors")
struct SecondFactorTests {
    private static let password = AccountsBench.password
    private static let place = "192.0.2.1"

    /// A member's authenticator app.
    private struct App {
        let totp: TOTP
        let codes: [String]

        func code(_ bench: AccountsBench) -> String {
            totp.code(step: TOTP.step(at: bench.clock.now))
        }
    }

    private func setUp(_ bench: AccountsBench) async throws -> App {
        let secret = try await bench.factors.begin(
            by: bench.viewer,
            password: Self.password,
            issuer: "Noroshi Tea House",
            from: Self.place
        )
        let totp = TOTP(secret: secret.bytes)
        let codes = try await bench.factors.confirm(
            totp.code(step: TOTP.step(at: bench.clock.now)),
            by: bench.viewer,
            from: Self.place
        )
        bench.clock.advance(TOTP.period)
        return App(totp: totp, codes: try #require(codes))
    }

    private func enterPassword(_ bench: AccountsBench) async throws -> SignIn {
        try #require(
            try await bench.service.signIn(
                email: bench.viewer.email,
                password: Self.password,
                from: Self.place
            )
        )
    }

    private func complete(
        _ code: String,
        _ step: String,
        _ bench: AccountsBench
    ) async throws -> SecondFactorService.Outcome {
        try await bench.factors.complete(
            step: step,
            code: code,
            from: Self.place,
            userAgent: ""
        )
    }

    private func isSignedIn(_ outcome: SecondFactorService.Outcome) -> Bool {
        if case .signedIn = outcome { true } else { false }
    }

    @Test("the password alone opens nothing any more; with the app's code it does")
    func signIn() async throws {
        try await AccountsBench.open { bench in
            let app = try await setUp(bench)
            let step = try await enterPassword(bench)
            #expect(step.awaitsCode)
            #expect(try await bench.service.member(sessionToken: step.token) == nil)
            #expect(try await bench.factors.isAwaited(step: step.token))
            guard case .signedIn(let done) = try await complete(app.code(bench), step.token, bench)
            else {
                Issue.record("the right code was refused")
                return
            }
            #expect(try await bench.service.member(sessionToken: done.token)?.id == bench.viewer.id)
            // The step is used up, whatever code comes with it.
            bench.clock.advance(TOTP.period)
            #expect(try await complete(app.code(bench), step.token, bench) == .expired)
            #expect(try await bench.service.member(sessionToken: step.token) == nil)
        }
    }

    @Test("a code is accepted once, also of two requests at the same moment")
    func replay() async throws {
        try await AccountsBench.open { bench in
            let app = try await setUp(bench)
            let code = app.code(bench)
            let first = try await enterPassword(bench).token
            let second = try await enterPassword(bench).token
            let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for step in [first, second, first, second] {
                    group.addTask { isSignedIn(try await complete(code, step, bench)) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(accepted == 1)
            // Neither is an earlier one, once a later one was accepted.
            bench.clock.advance(TOTP.period)
            let third = try await enterPassword(bench).token
            #expect(try await complete(code, third, bench) == .wrong)
        }
    }

    @Test(
        "codes of the period before and after are accepted, for clocks that differ; others are not",
        arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)] as [(Int64, Bool)]
    )
    func drift(periods: Int64, isAccepted: Bool) async throws {
        try await AccountsBench.open { bench in
            let app = try await setUp(bench)
            bench.clock.advance(4 * TOTP.period)
            let step = try await enterPassword(bench).token
            let code = app.totp.code(step: TOTP.step(at: bench.clock.now) + periods)
            #expect(isSignedIn(try await complete(code, step, bench)) == isAccepted)
        }
    }

    @Test("each recovery code signs in once, however it is typed, and is stored as a hash")
    func recovery() async throws {
        try await AccountsBench.open { bench in
            let app = try await setUp(bench)
            #expect(app.codes.count == 10)
            #expect(Set(app.codes).count == 10)
            let typed = app.codes[3].lowercased().replacing(" ", with: "-")
            for (code, isAccepted) in [(typed, true), (app.codes[3], false), (app.codes[4], true)] {
                let step = try await enterPassword(bench).token
                #expect(isSignedIn(try await complete(code, step, bench)) == isAccepted)
            }
            #expect(try await bench.factors.factor(of: bench.viewer.id)?.recoveryCodes == 8)
            #expect(try await bench.log("recovery_code_used").map(\.detail) == ["8", "9"])
            let new = try await bench.factors.makeRecoveryCodes(
                by: bench.viewer,
                password: Self.password,
                from: Self.place
            )
            #expect(new?.count == 10)
            let step = try await enterPassword(bench).token
            #expect(try await complete(app.codes[0], step, bench) == .wrong)
            #expect(isSignedIn(try await complete(new?[0] ?? "", step, bench)))
        }
    }

    @Test("after ten wrong codes none is looked at any more, and passwords that are right help not")
    func limits() async throws {
        try await AccountsBench.open { bench in
            let app = try await setUp(bench)
            var step = try await enterPassword(bench).token
            var wrong = 0
            await #expect(throws: RefusalError.self) {
                for attempt in 0..<40 {
                    if attempt == 5 { step = try await enterPassword(bench).token }
                    guard try await complete("x", step, bench) == .wrong else { return }
                    wrong += 1
                }
            }
            // One attempt was the code with which the app was set up.
            #expect(wrong == SignInLimits().perAccountAndAddress - 1)
            await #expect(throws: RefusalError.self) {
                try await complete(app.code(bench), step, bench)
            }
            #expect(try await bench.log("sign_in_failed").count == wrong)
            bench.clock.advance(SignInLimits().window)
            let later = try await enterPassword(bench).token
            #expect(isSignedIn(try await complete(app.code(bench), later, bench)))
        }
    }

    @Test("a step expires after ten minutes, and with a new password")
    func expiry() async throws {
        try await AccountsBench.open { bench in
            let app = try await setUp(bench)
            let step = try await enterPassword(bench).token
            let other = try await enterPassword(bench).token
            _ = try await bench.factors.complete(
                step: other,
                code: app.code(bench),
                from: Self.place,
                userAgent: ""
            )
            bench.clock.advance(SecondFactorService.stepLength)
            #expect(try await complete(app.code(bench), step, bench) == .expired)
            let another = try await enterPassword(bench).token
            let link = try await bench.service.makePasswordLink(
                for: bench.viewer.id,
                by: .member(bench.administrator)
            )
            try await bench.service.choosePassword(
                "the second password",
                passwordLink: link?.token ?? ""
            )
            #expect(try await complete(app.code(bench), another, bench) == .expired)
        }
    }

    @Test("setting up, new codes and removing need the password; removing also a code")
    func password() async throws {
        try await AccountsBench.open { bench in
            let wrong = ValidationError(.password(.present), .passwordWrong)
            await #expect(throws: wrong) {
                try await bench.factors.begin(
                    by: bench.viewer,
                    password: "x",
                    issuer: "",
                    from: Self.place
                )
            }
            let app = try await setUp(bench)
            await #expect(throws: NotAllowedError()) {
                try await bench.factors.begin(
                    by: bench.viewer,
                    password: Self.password,
                    issuer: "",
                    from: Self.place
                )
            }
            await #expect(throws: wrong) {
                try await bench.factors.makeRecoveryCodes(
                    by: bench.viewer,
                    password: "x",
                    from: Self.place
                )
            }
            func remove(_ password: String, _ code: String) async throws -> Bool {
                try await bench.factors.remove(
                    by: bench.viewer,
                    password: password,
                    code: code,
                    from: Self.place
                )
            }
            await #expect(throws: wrong) { try await remove("x", app.code(bench)) }
            #expect(try await !remove(Self.password, "000"))
            #expect(try await remove(Self.password, app.code(bench)))
            #expect(try await !enterPassword(bench).awaitsCode)
        }
    }

    @Test("a secret without a right code changes nothing")
    func unconfirmed() async throws {
        try await AccountsBench.open { bench in
            _ = try await bench.factors.begin(
                by: bench.viewer,
                password: Self.password,
                issuer: "Noroshi",
                from: Self.place
            )
            #expect(
                try await bench.factors.confirm("x", by: bench.viewer, from: Self.place) == nil
            )
            #expect(try await bench.factors.factor(of: bench.viewer.id) == nil)
            #expect(try await !enterPassword(bench).awaitsCode)
        }
    }

    @Test("an administrator removes the second factor of others, in the own workspace, audited")
    func administrator() async throws {
        try await AccountsBench.open { bench in
            _ = try await setUp(bench)
            let id = bench.viewer.id
            await #expect(throws: NotAllowedError()) {
                try await bench.factors.remove(of: id, by: .member(bench.viewer))
            }
            let foreigner = Actor.commandLine(account: "test", try await bench.otherWorkspace())
            #expect(try await !bench.factors.remove(of: id, by: foreigner))
            #expect(try await enterPassword(bench).awaitsCode)
            #expect(try await bench.factors.remove(of: id, by: .member(bench.administrator)))
            #expect(try await !enterPassword(bench).awaitsCode)
            let log = try await bench.log("second_factor")
            #expect(log.map(\.action) == ["second_factor_removed", "second_factor_set_up"])
            #expect(log.map(\.author) == [bench.administrator.name, bench.viewer.name])
        }
    }

    @Test("the secret is stored encrypted, and its link and key say the same to an app")
    func secret() async throws {
        try await AccountsBench.open { bench in
            let secret = try await bench.factors.begin(
                by: bench.viewer,
                password: Self.password,
                issuer: "Noroshi 茶 & Co",
                from: Self.place
            )
            let box = try await bench.store.secondFactor(of: bench.viewer.id)?.box
            #expect(box?.range(of: secret.bytes) == nil)
            let link = try #require(URLComponents(string: secret.link))
            #expect(link.scheme == "otpauth")
            #expect(link.host == "totp")
            #expect(link.path == "/Noroshi 茶 & Co:ren@example.com")
            let items = link.queryItems ?? []
            #expect(items.first { $0.name == "issuer" }?.value == "Noroshi 茶 & Co")
            let key = items.first { $0.name == "secret" }?.value
            #expect(key == secret.groups.replacing(" ", with: ""))
            #expect(key?.count == 32)
        }
    }
}
