import Accounts
import Crypto
import Foundation
import Liquid
import Model
import NoroshiWire
import Ports
import Synchronization
import Testing
import _CryptoExtras

/// The authorization code flow between a browser, this server and a provider.
@Suite("Sign-in by OpenID Connect")
struct OpenIDSignInTests {
    @Test("a member signs in with a verified address, and is that person from then on")
    func member() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let begun = try await bench.begin()
            #expect(begun["response_type"] == "code")
            #expect(begun["client_id"] == TestProvider.client)
            #expect(begun["redirect_uri"] == OpenIDBench.redirect)
            #expect(begun["scope"] == "openid email profile")
            #expect(begun["code_challenge_method"] == "S256")
            #expect(begun["realm"] == "tea")

            let code = try bench.letIn(begun)
            let done = try await bench.complete(begun, code: code)
            #expect(done.signIn.member.id == bench.accounts.viewer.id)
            #expect(!done.signIn.awaitsCode)
            #expect(done.back == "/console/push")

            // The code was exchanged with the verifier of the challenge and the client's secret.
            let request = try #require(bench.provider.requests(to: "/token").first)
            let fields = TestProvider.fields(request.body ?? "")
            let verifier = try #require(fields["code_verifier"])
            let challenge = Data(SHA256.hash(data: Data(verifier.utf8)))
            #expect(Base64URL.text(challenge) == begun["code_challenge"])
            #expect(fields["grant_type"] == "authorization_code")
            #expect(fields["redirect_uri"] == OpenIDBench.redirect)
            let pair = Data("noroshi:a%20client%27s%20secret%20%2F%20100%25".utf8)
            #expect(request.headers["Authorization"] == "Basic \(pair.base64EncodedString())")

            let session = try #require(
                try await bench.accounts.service.session(token: done.signIn.token)
            )
            #expect(session.session.hasSecondFactor)
            #expect(session.session.address == OpenIDBench.place)
            let record = try #require(try await bench.accounts.log("sign_in_succeeded").first)
            #expect(record.detail == "192.0.2.1; OpenID Connect: Tea ID")
            #expect(try await bench.accounts.log("openid_identity_bound").count == 1)

            // With another address, or none, it is the same person.
            for email in ["another@example.com", nil] {
                let again = try await bench.signIn(email: email, isVerified: false)
                #expect(again.member.id == bench.accounts.viewer.id)
            }
            #expect(try await bench.accounts.log("openid_identity_bound").count == 1)
        }
    }

    @Test("a session from a provider lasts half a day")
    func length() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let token = try await bench.signIn().token
            bench.accounts.clock.advance(12 * 3_600 - 1)
            #expect(try await bench.accounts.service.session(token: token) != nil)
            bench.accounts.clock.advance(1)
            #expect(try await bench.accounts.service.session(token: token) == nil)
        }
    }

    @Test("whoever is no member, or whose address is not verified, stays outside")
    func strangers() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            func refusal(_ subject: String, _ email: String?, _ isVerified: Bool) async throws
                -> RefusalReason?
            {
                try await bench.refusal {
                    try await bench.signIn(
                        subject: subject,
                        email: email,
                        isVerified: isVerified
                    )
                }
            }
            #expect(try await refusal("s-7", "nobody@example.com", true) == .openIDUnknown)
            #expect(try await refusal("s-7", "ren@example.com", false) == .openIDUnverified)
            #expect(try await refusal("s-7", nil, true) == .openIDUnverified)
            // No other spelling of the address is the member's.
            #expect(try await refusal("s-7", "ren@example.com.evil.org", true) == .openIDUnknown)
            let records = try await bench.accounts.log("sign_in_failed")
            #expect(records.count == 4)
            #expect(records.last?.subject == "nobody@example.com")
            #expect(records.last?.detail.hasPrefix("192.0.2.1; OpenID Connect: ") == true)
            #expect(records.last?.detail.hasSuffix("; subject s-7") == true)
        }
    }

    @Test("an address goes to one person only, until an administrator releases the member")
    func otherPerson() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let token = try await bench.signIn(subject: "s-1").token
            let second = try await bench.refusal { try await bench.signIn(subject: "s-2") }
            #expect(second == .openIDOtherPerson)

            let administrator = Actor.member(bench.accounts.administrator)
            let member = bench.accounts.viewer.id
            await #expect(throws: NotAllowedError.self) {
                _ = try await bench.providers.release(
                    member,
                    by: .member(bench.accounts.viewer)
                )
            }
            #expect(try await bench.providers.release(member, by: administrator))
            #expect(try await !bench.providers.release(member, by: administrator))
            #expect(try await bench.accounts.service.session(token: token) == nil)
            #expect(try await bench.signIn(subject: "s-2").member.id == member)
            let found = try await bench.providers.identities(of: member, by: administrator)
            #expect(found.map(\.subject.subject) == ["s-2"])
        }
    }

    @Test("who is deactivated or was removed does not come in, by address or as a person")
    func removed() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp { $0.domains = ["example.com"] }
            try await bench.signIn()
            let administrator = Actor.member(bench.accounts.administrator)
            let member = bench.accounts.viewer
            func set(isActive: Bool) async throws {
                _ = try await bench.accounts.members.change(
                    member.id,
                    to: {
                        MemberDirectory.Draft(
                            email: $0.member.email,
                            name: $0.member.name,
                            role: $0.member.role,
                            details: MemberDetails(isActive: isActive)
                        )
                    },
                    by: administrator
                )
            }
            try await set(isActive: false)
            #expect(try await bench.refusal { try await bench.signIn() } == .openIDInactive)
            #expect(
                try await bench.refusal { try await bench.signIn(subject: "s-2") }
                    == .openIDInactive
            )
            try await set(isActive: true)
            try await bench.signIn()

            try await bench.accounts.members.remove(member.id, by: administrator)
            #expect(try await bench.refusal { try await bench.signIn() } == .openIDRemoved)
            // Nor with another address there, nor as another person with this one.
            let moved = try await bench.refusal {
                try await bench.signIn(email: "moved@example.com")
            }
            #expect(moved == .openIDRemoved)
            let other = try await bench.refusal { try await bench.signIn(subject: "s-3") }
            #expect(other == .openIDRemoved)

            // Until somebody adds the member again.
            let added = try await bench.accounts.members.add(
                MemberDirectory.Draft(email: "REN@example.com", name: "Ren", role: .viewer),
                by: administrator
            )
            #expect(try await bench.signIn().member.id == added.member.id)
        }
    }

    @Test("people of a domain become members with a role, if the workspace wants it")
    func newcomers() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp {
                $0.domains = ["Tea.example.com"]
                $0.newcomerRole = .marketer
            }
            let known = try await bench.accounts.log("member_added").count
            let found = try await bench.signIn(subject: "s-9", email: "Yui@tea.example.com")
            #expect(found.member.role == .marketer)
            #expect(found.member.name == "Ren Abe")
            #expect(found.member.email == "Yui@tea.example.com")
            #expect(
                try await bench.signIn(subject: "s-9", email: nil).member.id == found.member.id
            )
            #expect(try await bench.accounts.log("member_added").count == known + 1)
            // A password that nobody knows.
            #expect(
                try await bench.accounts.service.signIn(
                    email: "Yui@tea.example.com",
                    password: ""
                ) == nil
            )
            for email in ["yui@example.com", "a@b@evil.org", "yui@xtea.example.com", "@"] {
                let code = try await bench.refusal {
                    try await bench.signIn(subject: email, email: email)
                }
                #expect(code == .openIDUnknown, "\(email)")
            }
            let unverified = try await bench.refusal {
                try await bench.signIn(
                    subject: "s-10",
                    email: "kai@tea.example.com",
                    isVerified: false
                )
            }
            #expect(unverified == .openIDUnverified)
        }
    }

    @Test("members of another workspace are nobody here, until they join as newcomers")
    func otherWorkspace() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let other = try await bench.accounts.otherWorkspace()
            _ = try await bench.accounts.members.add(
                MemberDirectory.Draft(email: "kai@example.com", name: "Kai", role: .administrator),
                by: .commandLine(account: "test", other)
            )
            func signIn() async throws -> SignIn {
                try await bench.signIn(subject: "s-5", email: "kai@example.com")
            }
            #expect(try await bench.refusal { _ = try await signIn() } == .openIDUnknown)
            try await bench.setUp { $0.domains = ["example.com"] }
            let joined = try await signIn()
            let session = try await bench.accounts.service.member(sessionToken: joined.token)
            #expect(session?.workspace == bench.workspace && session?.role == .viewer)
            #expect(session?.isConfined == true)
            #expect(try await bench.signIns.begin(in: other, at: bench.place(), back: "") == nil)
            // An answer counts for the workspace that was asked.
            let begun = try await bench.begin()
            let answer = OpenIDSignInService.Answer(
                state: begun["state"] ?? "",
                code: try bench.letIn(begun)
            )
            let refused = try await bench.refusal {
                _ = try await bench.signIns.complete(answer, in: other, at: bench.place())
            }
            #expect(refused == .openIDExpired)
        }
    }

    @Test("an answer counts once, soon, and in the browser that began")
    func state() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let begun = try await bench.begin()
            let code = try bench.letIn(begun)
            // An attacker's answer in a victim's browser, and a victim's answer elsewhere.
            for browser in ["another", ""] {
                let refused = try await bench.refusal {
                    _ = try await bench.complete(begun, code: code, browser: browser)
                }
                #expect(refused == .openIDExpired)
            }
            for state in ["", "guess"] {
                let refused = try await bench.refusal {
                    _ = try await bench.complete(["state": state], code: code)
                }
                #expect(refused == .openIDExpired)
            }
            #expect(bench.provider.requests(to: "/token").isEmpty)
            _ = try await bench.complete(begun, code: code)
            let again = try await bench.refusal {
                _ = try await bench.complete(begun, code: code)
            }
            #expect(again == .openIDExpired)

            let late = try await bench.begin()
            let lateCode = try bench.letIn(late)
            bench.accounts.clock.advance(OpenIDSignInService.attemptLength)
            let refused = try await bench.refusal {
                _ = try await bench.complete(late, code: lateCode)
            }
            #expect(refused == .openIDExpired)
        }
    }

    @Test("two windows of a browser do not get into each other's way")
    func windows() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let first = try await bench.begin()
            let second = try await bench.begin()
            #expect(first["nonce"] != second["nonce"])
            #expect(first["code_challenge"] != second["code_challenge"])
            // The token of one window is none for the other.
            let code = try bench.letIn(second)
            let mixed = try await bench.refusal {
                _ = try await bench.complete(first, code: code)
            }
            #expect(mixed == .openIDFailed)
            #expect(try await bench.accounts.log("nonce").count == 1)
            _ = try await bench.complete(second, code: code)
        }
    }

    @Test(
        "what the provider says wrongly is refused, and named in the audit log",
        arguments: [
            (["nonce": "another"], "nonce"), (["aud": "another"], "for another, not"),
            (["iss": "https://evil.example.org"], "calls itself"),
            (["exp": .integer(1)], "expired"),
        ] as [([String: JSONValue], String)]
    )
    func wrongToken(changes: [String: JSONValue], reason: String) async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let code = try await bench.refusal { try await bench.signIn(changes) }
            #expect(code == .openIDFailed)
            let record = try #require(try await bench.accounts.log("sign_in_failed").first)
            #expect(record.subject == "Tea ID")
            #expect(record.detail.contains(reason), "\(record.detail)")
            #expect(try await bench.accounts.log("sign_in_succeeded").isEmpty)
        }
    }

    @Test("refusals and failures of the provider are told apart")
    func providerRefuses() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let denied = try await bench.begin()
            #expect(
                try await bench.refusal {
                    _ = try await bench.complete(denied, code: "", error: "access_denied")
                } == .openIDDenied
            )
            let broken = try await bench.begin()
            #expect(
                try await bench.refusal {
                    _ = try await bench.complete(broken, code: "", error: "server_error\u{7}")
                } == .openIDFailed
            )
            #expect(try await bench.accounts.log("answered: server_error").count == 1)

            bench.provider.change { $0.refusal = (401, "invalid_client") }
            #expect(try await bench.refusal { try await bench.signIn() } == .openIDFailed)
            #expect(try await bench.accounts.log("answered: invalid_client").count == 1)
            bench.provider.change { $0.isDown = true }
            let begun = try await bench.begin()
            #expect(
                try await bench.refusal { _ = try await bench.complete(begun, code: "x") }
                    == .openIDFailed
            )
            // Nothing of codes, tokens and secrets is said.
            for record in try await bench.accounts.log("") {
                #expect(!record.detail.contains(TestProvider.secret))
                #expect(!record.detail.contains(begun["state"] ?? "-"))
            }
        }
    }

    @Test("an answer of another issuer does not bring its code here")
    func mixUp() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let first = try await bench.begin()
            let refused = try await bench.refusal {
                _ = try await bench.complete(
                    first,
                    code: "x",
                    issuer: "https://evil.example.org"
                )
            }
            #expect(refused == .openIDFailed)
            #expect(bench.provider.requests(to: "/token").isEmpty)
            let second = try await bench.begin()
            _ = try await bench.complete(
                second,
                code: try bench.letIn(second),
                issuer: TestProvider.issuer
            )
        }
    }

    @Test("a provider that names itself in answers does so in every one")
    func issuerNamed() async throws {
        try await OpenIDBench.open { bench in
            bench.provider.change {
                $0.document["authorization_response_iss_parameter_supported"] = true
            }
            try await bench.setUp()
            #expect(try await bench.refusal { try await bench.signIn() } == .openIDFailed)
        }
    }

    @Test("keys are read again for one that is unknown, but no more than once a minute")
    func rotation() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            try await bench.signIn()
            #expect(bench.provider.requests(to: "/keys").count == 1)
            bench.provider.change {
                $0.keys = [("two", .p256(P256.Signing.PrivateKey()))]
            }
            func signIn() async throws -> RefusalReason? {
                let begun = try await bench.begin()
                let code = try bench.letIn(begun, header: ["kid": "two"])
                return try await bench.refusal {
                    _ = try await bench.complete(begun, code: code)
                }
            }
            #expect(try await signIn() == .openIDFailed)
            #expect(bench.provider.requests(to: "/keys").count == 1)
            bench.accounts.clock.advance(60)
            #expect(try await signIn() == nil)
            #expect(bench.provider.requests(to: "/keys").count == 2)
            #expect(try await signIn() == nil)
            #expect(bench.provider.requests(to: "/keys").count == 2)
        }
    }

    @Test("an address that is not in the ID token is asked for, of the same person")
    func userInfo() async throws {
        try await OpenIDBench.open { bench in
            bench.provider.change {
                $0.document["userinfo_endpoint"] = .string(TestProvider.issuer + "/userinfo")
                $0.userInfo = [
                    "sub": "s-1", "email": "ren@example.com", "email_verified": true,
                ]
            }
            try await bench.setUp()
            #expect(try await bench.signIn(email: nil).member.id == bench.accounts.viewer.id)
            let request = try #require(bench.provider.requests(to: "/userinfo").first)
            #expect(request.headers["Authorization"]?.hasPrefix("Bearer access-code-") == true)
            let other = try await bench.refusal {
                try await bench.signIn(subject: "s-2", email: nil)
            }
            #expect(other == .openIDFailed)
            // A member who is known needs none.
            bench.provider.change { $0.userInfo = nil }
            try await bench.signIn(email: nil)
        }
    }

    @Test("where the provider does not stand for it, the member's own second factor is asked")
    func secondFactor() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp { $0.isSecondFactor = false }
            let accounts = bench.accounts
            let without = try await bench.signIn()
            let session = try await accounts.service.session(token: without.token)
            #expect(session?.session.hasSecondFactor == false)
            let secret = try await accounts.factors.begin(
                by: accounts.viewer,
                password: AccountsBench.password,
                issuer: "Noroshi",
                from: nil
            )
            let totp = TOTP(secret: secret.bytes)
            _ = try await accounts.factors.confirm(
                totp.code(step: TOTP.step(at: accounts.clock.now)),
                by: accounts.viewer,
                from: nil
            )
            accounts.clock.advance(TOTP.period)
            let step = try await bench.signIn()
            #expect(step.awaitsCode)
            #expect(try await accounts.service.session(token: step.token) == nil)
            // Also where nothing but the provider opens the workspace.
            try await bench.setUp {
                $0.isSecondFactor = false
                $0.isOnlyWay = true
            }
            let outcome = try await accounts.factors.complete(
                step: step.token,
                code: totp.code(step: TOTP.step(at: accounts.clock.now)),
                from: OpenIDBench.place,
                userAgent: ""
            )
            guard case .signedIn(let done) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            accounts.clock.advance(12 * 3_600)
            #expect(try await accounts.service.session(token: done.token) == nil)

            try await bench.setUp()
            #expect(try await !bench.signIn().awaitsCode)
        }
    }

    @Test("where the provider is the only way, passwords and codes after them open nothing")
    func onlyWay() async throws {
        try await OpenIDBench.open { bench in
            let accounts = bench.accounts
            func password(_ password: String = AccountsBench.password) async throws -> SignIn? {
                try await accounts.service.signIn(
                    email: "ren@example.com",
                    password: password,
                    from: OpenIDBench.place
                )
            }
            try await bench.setUp { $0.isOnlyWay = true }
            #expect(try await bench.refusal { _ = try await password() } == .openIDOnlyWay)
            // Whoever does not know the password learns nothing.
            #expect(try await password("another password") == nil)
            #expect(try await !bench.signIns.choices().hasOwnWay)
            try await bench.signIn()

            // The members of another workspace go on as before.
            let other = try await accounts.otherWorkspace()
            _ = try await accounts.members.add(
                MemberDirectory.Draft(
                    email: "kai@example.com",
                    name: "Kai",
                    role: .viewer,
                    password: AccountsBench.password
                ),
                by: .commandLine(account: "test", other)
            )
            #expect(try await bench.signIns.choices().hasOwnWay)
            #expect(
                try await accounts.service.signIn(
                    email: "kai@example.com",
                    password: AccountsBench.password
                ) != nil
            )
            // The way back.
            _ = try await bench.providers.remove(
                by: .commandLine(account: "test", bench.workspace)
            )
            #expect(try await password() != nil)
        }
    }

    @Test("too many attempts from an address are turned away for a while")
    func limit() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            for _ in 0..<50 {
                let code = try await bench.refusal {
                    _ = try await bench.complete(["state": "guess"], code: "x")
                }
                #expect(code == .openIDExpired)
            }
            #expect(try await bench.refusal { try await bench.signIn() } == .signInLimited)
            bench.accounts.clock.advance(900)
            try await bench.signIn()
            // Signing in rightly uses up nothing.
            for _ in 0..<60 { try await bench.signIn() }

            bench.accounts.clock.advance(900)
            for _ in 0..<300 { _ = try await bench.begin() }
            #expect(try await bench.refusal { _ = try await bench.begin() } == .signInLimited)
        }
    }
}
