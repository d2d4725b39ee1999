import Accounts
import Crypto
import Foundation
import Model
import Ports
import Testing

@Suite("Passkeys")
struct PasskeyTests {
    private static let ceremony = PasskeyCeremony(
        origin: "https://push.example.com",
        server: "push.example.com"
    )
    private static let place = "192.0.2.1"

    private func challenge(_ bench: AccountsBench, of member: Member? = nil) async throws -> Data {
        try await bench.passkeys.begin(
            by: member ?? bench.viewer,
            password: AccountsBench.password,
            from: nil
        )
    }

    private func add(_ authenticator: TestAuthenticator, _ bench: AccountsBench) async throws {
        try await bench.passkeys.add(
            authenticator.register(try await challenge(bench)),
            name: " Phone ",
            by: bench.viewer,
            ceremony: Self.ceremony
        )
    }

    private func signIn(
        _ assertion: PasskeyService.Assertion,
        _ bench: AccountsBench,
        browser: String = "browser"
    ) async throws -> SignIn? {
        try await bench.passkeys.signIn(
            assertion,
            browser: browser,
            ceremony: Self.ceremony,
            from: Self.place,
            userAgent: "Firefox"
        )
    }

    @Test("a passkey signs in without a password, and its use is noted")
    func signIn() async throws {
        try await AccountsBench.open { bench in
            let authenticator = TestAuthenticator()
            try await add(authenticator, bench)
            bench.clock.advance(60)
            let handle = bench.passkeys.userHandle(bench.viewer.id)
            let found = try await signIn(
                authenticator.use(
                    bench.passkeys.beginSignIn(browser: "browser"),
                    userHandle: handle
                ),
                bench
            )
            let token = try #require(found?.token)
            #expect(try await bench.service.member(sessionToken: token)?.id == bench.viewer.id)
            let keys = try await bench.passkeys.passkeys(
                of: bench.viewer.id,
                by: .member(bench.viewer)
            )
            #expect(keys.map(\.name) == ["Phone"])
            #expect(keys[0].lastUsedAt == bench.clock.now)
            #expect(try await bench.log("sign_in_succeeded").map(\.detail) == [Self.place])
        }
    }

    @Test(
        "a challenge is accepted once, for five minutes, of the browser that asked, for its purpose"
    )
    func challenges() async throws {
        try await AccountsBench.open { bench in
            let authenticator = TestAuthenticator()
            try await add(authenticator, bench)
            let service = bench.passkeys
            let first = service.beginSignIn(browser: "browser")
            #expect(try await signIn(authenticator.use(first), bench) != nil)
            #expect(try await signIn(authenticator.use(first), bench) == nil)
            let second = service.beginSignIn(browser: "browser")
            #expect(try await signIn(authenticator.use(second), bench, browser: "other") == nil)
            bench.clock.advance(300)
            #expect(try await signIn(authenticator.use(second), bench) == nil)
            let registration = try await challenge(bench)
            #expect(try await signIn(authenticator.use(registration), bench) == nil)
            #expect(try await signIn(authenticator.use(Data("made up".utf8)), bench) == nil)
            // Of another member, and twice.
            let others = try await challenge(bench, of: bench.administrator)
            let once = try await challenge(bench)
            for (challenge, isAccepted) in [(others, false), (once, true), (once, false)] {
                var flaw: PasskeyError?
                do {
                    try await service.add(
                        TestAuthenticator().register(challenge),
                        name: "",
                        by: bench.viewer,
                        ceremony: Self.ceremony
                    )
                } catch let error as PasskeyError {
                    flaw = error
                }
                #expect(flaw == (isAccepted ? nil : .wrongChallenge))
            }
        }
    }

    @Test("a ceremony that one server begins ends at another, once")
    func severalServers() async throws {
        try await AccountsBench.open { bench in
            let key = SymmetricKey(size: .bits256)
            func server(behind seconds: TimeInterval = 0) -> PasskeyService {
                PasskeyService(
                    store: bench.store,
                    accounts: bench.service,
                    key: key,
                    now: { bench.clock.now - seconds }
                )
            }
            let servers = [server(), server(behind: 1.5)]
            let authenticator = TestAuthenticator()
            let challenge = try await servers[0].begin(
                by: bench.viewer,
                password: AccountsBench.password,
                from: nil
            )
            try await servers[1].add(
                authenticator.register(challenge),
                name: "Phone",
                by: bench.viewer,
                ceremony: Self.ceremony
            )
            func signIn(_ assertion: PasskeyService.Assertion, at server: PasskeyService)
                async throws -> Bool
            {
                try await server.signIn(
                    assertion,
                    browser: "browser",
                    ceremony: Self.ceremony,
                    from: Self.place,
                    userAgent: "Firefox"
                ) != nil
            }
            for (first, second) in [(0, 1), (1, 0)] {
                let begun = servers[first].beginSignIn(browser: "browser")
                let assertion = try authenticator.use(begun)
                #expect(try await signIn(assertion, at: servers[second]))
                // Whoever has overheard it gets in nowhere, as long as it would hold.
                for seconds in [0, 290, 10.5] {
                    bench.clock.advance(seconds)
                    for server in servers {
                        #expect(try await !signIn(assertion, at: server))
                    }
                }
            }
            // A server with another key has other challenges.
            let stranger = bench.passkeys.beginSignIn(browser: "browser")
            #expect(try await !signIn(authenticator.use(stranger), at: servers[0]))
        }
    }

    @Test(
        "another origin, host, frame, or a person who is not verified is refused, when used and made"
    )
    func refused() async throws {
        try await AccountsBench.open { bench in
            let right = TestAuthenticator()
            try await add(right, bench)
            let changes: [(PasskeyError, (inout TestAuthenticator) -> Void)] = [
                (.wrongOrigin, { $0.origin = "https://push.example.com.evil.example" }),
                (.wrongOrigin, { $0.origin = "http://push.example.com" }),
                (.wrongOrigin, { $0.isCrossOrigin = true }),
                (.wrongServer, { $0.server = "evil.example" }),
                (.userUnverified, { $0.flags = 0x01 }),
                (.userAbsent, { $0.flags = 0x04 }),
            ]
            for (flaw, change) in changes {
                var authenticator = right
                change(&authenticator)
                let assertion = try authenticator.use(
                    bench.passkeys.beginSignIn(browser: "browser")
                )
                #expect(throws: flaw) {
                    try Self.ceremony.used(
                        clientData: assertion.clientData,
                        authenticatorData: assertion.authenticatorData,
                        signature: assertion.signature,
                        publicKey: right.key.publicKey.x963Representation
                    )
                }
                #expect(try await signIn(assertion, bench) == nil)
                let registration = authenticator.register(try await challenge(bench))
                await #expect(throws: flaw) {
                    try await bench.passkeys.add(
                        registration,
                        name: "",
                        by: bench.viewer,
                        ceremony: Self.ceremony
                    )
                }
            }
            var other = TestAuthenticator()
            other.algorithm = 0x27
            let registration = other.register(Data("challenge".utf8))
            #expect(throws: PasskeyError.unknownAlgorithm) {
                try Self.ceremony.registered(
                    clientData: registration.clientData,
                    attestation: registration.attestation
                )
            }
        }
    }

    @Test("a signature of another key, and the key of another member, are refused")
    func foreign() async throws {
        try await AccountsBench.open { bench in
            let authenticator = TestAuthenticator()
            try await add(authenticator, bench)
            let service = bench.passkeys
            var forged = try TestAuthenticator().use(service.beginSignIn(browser: "browser"))
            forged.credentialID = authenticator.credentialID
            #expect(try await signIn(forged, bench) == nil)
            let handle = service.userHandle(bench.administrator.id)
            let swapped = try authenticator.use(
                service.beginSignIn(browser: "browser"),
                userHandle: handle
            )
            #expect(try await signIn(swapped, bench) == nil)
            let unknown = try TestAuthenticator().use(service.beginSignIn(browser: "browser"))
            #expect(try await signIn(unknown, bench) == nil)
            // What is not known is in nobody's log.
            #expect(try await bench.log("sign_in_failed").count == 2)
        }
    }

    @Test("a counter that does not grow is that of a copy; one that stays 0 is none")
    func counter() async throws {
        try await AccountsBench.open { bench in
            var authenticator = TestAuthenticator()
            try await add(authenticator, bench)
            for (count, isAccepted) in [
                (0, true), (0, true), (5, true), (5, false), (4, false),
                (0, false), (6, true),
            ] as [(UInt32, Bool)] {
                authenticator.signCount = count
                let assertion = try authenticator.use(
                    bench.passkeys.beginSignIn(browser: "browser")
                )
                #expect((try await signIn(assertion, bench) != nil) == isAccepted, "\(count)")
            }
        }
    }

    @Test("making one needs the password; removing one ends its use; others' are not touched")
    func removed() async throws {
        try await AccountsBench.open { bench in
            await #expect(throws: ValidationError(.password(.present), .passwordWrong)) {
                try await bench.passkeys.begin(by: bench.viewer, password: "x", from: nil)
            }
            let authenticator = TestAuthenticator()
            try await add(authenticator, bench)
            await #expect(throws: PasskeyError.self) { try await add(authenticator, bench) }
            let actor = Actor.member(bench.viewer)
            let keys = try await bench.passkeys.passkeys(of: bench.viewer.id, by: actor)
            let id = try #require(keys.first?.id)
            await #expect(throws: NotAllowedError()) {
                try await bench.passkeys.remove(id, of: bench.administrator.id, by: actor)
            }
            let administrator = Actor.member(bench.administrator)
            #expect(
                try await !bench.passkeys.remove(
                    id,
                    of: bench.administrator.id,
                    by: administrator
                )
            )
            #expect(try await bench.passkeys.remove(id, of: bench.viewer.id, by: administrator))
            let assertion = try authenticator.use(bench.passkeys.beginSignIn(browser: "browser"))
            #expect(try await signIn(assertion, bench) == nil)
            let log = try await bench.log("passkey_")
            #expect(log.map(\.action) == ["passkey_removed", "passkey_added"])
        }
    }

    @Test(
        "who may not sign in any more does not with a passkey, and attempts from a place are limited"
    )
    func limits() async throws {
        try await AccountsBench.open { bench in
            let authenticator = TestAuthenticator()
            try await add(authenticator, bench)
            _ = try await bench.store.changeMember(
                bench.viewer.id,
                in: bench.viewer.workspace,
                to: { _ in
                    MemberChange(role: .viewer, details: MemberDetails(isActive: false))
                },
                noting: { _ in nil },
                now: bench.clock.now
            )
            var refused = 0
            await #expect(throws: RefusalError.self) {
                for _ in 0...SignInLimits().perAddress {
                    let assertion = try authenticator.use(
                        bench.passkeys.beginSignIn(browser: "browser")
                    )
                    if try await signIn(assertion, bench) == nil { refused += 1 }
                }
            }
            #expect(refused == SignInLimits().perAddress)
        }
    }

    @Test("whatever is changed in what an authenticator says, it is refused or read, never a crash")
    func mutations() throws {
        let authenticator = TestAuthenticator()
        let challenge = Data("challenge".utf8)
        let registration = authenticator.register(challenge)
        let assertion = try authenticator.use(challenge)
        let key = authenticator.key.publicKey.x963Representation
        var random = Seeded(state: 7)
        func mutated(_ data: Data) -> Data {
            var bytes = Array(data)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                guard !bytes.isEmpty else { break }
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                default: bytes.removeLast(bytes.count - index)
                }
            }
            return Data(bytes)
        }
        var accepted = 0
        for _ in 0..<20_000 {
            let changed = mutated(registration.attestation)
            do {
                _ = try Self.ceremony.registered(
                    clientData: registration.clientData,
                    attestation: changed
                )
            } catch {}
            do {
                let data = mutated(assertion.authenticatorData)
                let signature = mutated(assertion.signature)
                _ = try Self.ceremony.used(
                    clientData: mutated(assertion.clientData),
                    authenticatorData: data,
                    signature: signature,
                    publicKey: key
                )
                if data != assertion.authenticatorData { accepted += 1 }
            } catch {}
        }
        #expect(accepted == 0)
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}
