import Accounts
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Synchronization
import Testing

/// Setting up a workspace's provider.
@Suite("Providers of OpenID Connect")
struct OpenIDProviderTests {
    @Test("only administrators set a provider up, look at one and remove it")
    func roles() async throws {
        try await OpenIDBench.open { bench in
            let viewer = Actor.member(bench.accounts.viewer)
            let draft = OpenIDProviderService.Draft()
            await #expect(throws: NotAllowedError.self) {
                _ = try await bench.providers.save(draft, by: viewer)
            }
            await #expect(throws: NotAllowedError.self) {
                _ = try await bench.providers.look(at: TestProvider.issuer, by: viewer)
            }
            await #expect(throws: NotAllowedError.self) {
                _ = try await bench.providers.remove(by: viewer)
            }
            await #expect(throws: NotAllowedError.self) {
                try await bench.providers.bind("s", to: bench.accounts.viewer.id, by: viewer)
            }
            #expect(bench.provider.state.withLock { $0.requests.isEmpty })
        }
    }

    @Test("what is wrong is said of each field at once")
    func fields() async throws {
        try await OpenIDBench.open { bench in
            do {
                try await bench.setUp {
                    $0.name = " "
                    $0.issuer = "http://login.example.com"
                    $0.clientID = String(repeating: "c", count: 256)
                    $0.secret = ""
                    $0.domains = ["example.com", "no domain"]
                }
                Issue.record("saved")
            } catch let error as ValidationError {
                #expect(
                    error.problems.map(\.field)
                        == ["name", "client_id", "issuer", "secret", "domains"]
                )
            }
        }
    }

    @Test("the secret is stored encrypted, and stays only with its issuer and client")
    func secret() async throws {
        try await OpenIDBench.open { bench in
            try await bench.setUp()
            let box = try #require(
                try await bench.accounts.store.openIDSecret(of: bench.workspace)
            )
            #expect(!String(decoding: box, as: UTF8.self).contains("secret"))
            try await bench.setUp {
                $0.secret = ""
                $0.name = "Tea"
                $0.isOnlyWay = true
                $0.domains = ["example.com"]
                $0.newcomerRole = .marketer
            }
            #expect(try await bench.accounts.store.openIDSecret(of: bench.workspace) == box)
            let stored = try #require(try await bench.providers.provider(of: bench.workspace))
            #expect(stored.name == "Tea")
            #expect(stored.isOnlyWay && stored.isSecondFactor)
            #expect(stored.domains == ["example.com"])
            #expect(stored.newcomerRole == .marketer)
            for change in [
                { $0.issuer = "https://evil.example.org" }, { $0.clientID = "other" },
            ] as [(inout OpenIDProviderService.Draft) -> Void] {
                await #expect(throws: ValidationError(.openID(.secret), .needsSecret)) {
                    try await bench.setUp {
                        $0.secret = ""
                        change(&$0)
                    }
                }
            }
            let records = try await bench.accounts.log("openid_provider_saved")
            #expect(records.count == 2)
            #expect(
                records.first?.detail
                    == "https://login.example.com; the only way to sign in; "
                    + "example.com become marketer"
            )
            let administrator = Actor.member(bench.accounts.administrator)
            #expect(try await bench.providers.remove(by: administrator))
            #expect(try await !bench.providers.remove(by: administrator))
            #expect(try await bench.accounts.store.openIDSecret(of: bench.workspace) == nil)
            #expect(try await bench.accounts.log("openid_provider_removed").count == 1)
        }
    }

    @Test("a look at a provider says what it found, or what is wrong")
    func look() async throws {
        try await OpenIDBench.open { bench in
            let administrator = Actor.member(bench.accounts.administrator)
            func look(_ issuer: String = TestProvider.issuer) async throws
                -> OpenIDProviderService.Findings
            {
                try await bench.providers.look(at: issuer, by: administrator)
            }
            let found = try await look()
            #expect(found.keys == 1)
            #expect(found.metadata.clientAuthentication == .basic)
            await #expect(throws: ValidationError.self) { _ = try await look("login") }
            // The issuer that the provider has is named, so that it can be copied.
            bench.provider.change { $0.document["issuer"] = "https://login.example.com/" }
            await #expect(
                throws: OpenIDError(
                    .issuer,
                    [
                        "issuer": "https://login.example.com/",
                        "expected": .text(TestProvider.issuer),
                    ]
                )
            ) { _ = try await look() }
            bench.provider.change { $0.isDown = true }
            do {
                _ = try await look()
            } catch let flaw as OpenIDError {
                #expect("\(flaw)".hasSuffix("cannot be called: login.example.com has no address"))
            }
        }
    }

    @Test("an administrator says which person a member is, where addresses are not verified")
    func bind() async throws {
        try await OpenIDBench.open { bench in
            let administrator = Actor.member(bench.accounts.administrator)
            let member = bench.accounts.viewer.id
            func bind(_ subject: String, _ member: MemberID) async throws -> RefusalReason? {
                try await bench.refusal {
                    try await bench.providers.bind(subject, to: member, by: administrator)
                }
            }
            #expect(try await bind("s-1", member) == .openIDNoProvider)
            try await bench.setUp()
            #expect(try await bind("s-1", MemberID(99)) == .noMember)
            #expect(try await bind("s-1", member) == nil)
            #expect(try await bind("s-2", member) == .openIDBound)
            #expect(try await bind("s-1", bench.accounts.administrator.id) == .openIDBound)
            await #expect(throws: ValidationError.self) { _ = try await bind("", member) }
            let found = try await bench.signIn(email: nil, isVerified: false)
            #expect(found.member.id == member)
        }
    }
}
