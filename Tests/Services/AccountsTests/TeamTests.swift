import Accounts
import Foundation
import Model
import Ports
import Reasons
import StoreConformance
import StoreSQL
import StoreTesting
import Testing
import _CryptoExtras

/// What an administrator does with apps, keys and the team: who may, and what the log says.
@Suite("Apps, keys and the team")
struct TeamTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private struct Site {
        let store: SQLStore
        let accounts: AccountService
        let members: MemberDirectory
        let apps: AppService
        let sdkKeys: SDKKeyService
        let fixture: StoreConformance.Fixture
        let administrator: Member

        /// Everybody who may not.
        var others: [Actor] {
            [Member.Role.viewer, .marketer].map { role in
                var member = administrator
                member.role = role
                return .member(member)
            }
        }

        func add(_ name: String, _ role: Member.Role) async throws -> MemberEntry {
            try await members.add(
                MemberDirectory.Draft(email: "\(name)@example.com", name: name, role: role),
                by: .member(administrator)
            )
        }

        /// What the log has gained since, without the time.
        func log(_ work: () async throws -> Void) async throws -> [String] {
            func all() async throws -> [AuditRecord] {
                try await store.audit(
                    in: administrator.workspace,
                    matching: AuditQuery(limit: 100)
                ).records
            }
            let before = try await all().count
            try await work()
            return try await all().dropLast(before).reversed().map {
                "\($0.origin.rawValue) \($0.author): \($0.action) \($0.subject) (\($0.detail))"
            }
        }
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-team-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        let accounts = AccountService(
            store: store,
            now: { Self.now },
            random: { count in (0..<count).map { _ in .random(in: .min ... .max) } },
            hasher: PasswordHasher(rounds: 16)
        )
        let members = MemberDirectory(store: store, accounts: accounts, now: { Self.now })
        let administrator = try await members.add(
            MemberDirectory.Draft(
                email: "mai@example.com",
                name: "Mai",
                role: .administrator,
                password: "correct horse"
            ),
            by: .commandLine(account: "root", fixture.workspace)
        ).member
        try await body(
            Site(
                store: store,
                accounts: accounts,
                members: members,
                apps: AppService(store: store, now: { Self.now }, makeToken: accounts.token),
                sdkKeys: SDKKeyService(store: store, now: { Self.now }, makeID: { UUID() }),
                fixture: fixture,
                administrator: administrator
            )
        )
    }

    @Test("every verb refuses who is no administrator, and leaves the log as it was")
    func roles() async throws {
        try await withSite { site in
            let ren = try await site.add("ren", .viewer)
            let secret = try await site.accounts.createAPIKey(
                name: "crm",
                permissions: ["*"],
                by: .member(site.administrator)
            )
            let log = try await site.log {
                for actor in site.others {
                    let verbs: [() async throws -> Void] = [
                        {
                            _ = try await site.apps.create(
                                name: "Tea",
                                platform: "ios",
                                identifier: "com.example.tea",
                                by: actor
                            )
                        },
                        {
                            _ = try await site.accounts.createAPIKey(
                                name: "etl",
                                permissions: ["*"],
                                by: actor
                            )
                        },
                        { _ = try await site.accounts.revokeAPIKey(named: "crm", by: actor) },
                        {
                            _ = try await site.sdkKeys.change(
                                to: .disabled,
                                ofApp: site.fixture.app.sdkKey,
                                by: actor
                            )
                        },
                        {
                            try await site.sdkKeys.set(
                                .disabled,
                                keys: [],
                                ofApp: site.fixture.app.sdkKey,
                                by: actor
                            )
                        },
                        {
                            _ = try await site.members.add(
                                MemberDirectory.Draft(
                                    email: "eve@example.com",
                                    name: "Eve",
                                    role: .administrator
                                ),
                                by: actor
                            )
                        },
                        {
                            try await site.members.setRole(
                                .administrator,
                                of: ren.member.id,
                                by: actor
                            )
                        },
                        { try await site.members.remove(ren.member.id, by: actor) },
                        {
                            _ = try await site.accounts.makePasswordLink(
                                for: ren.member.id,
                                by: actor
                            )
                        },
                    ]
                    for verb in verbs {
                        await #expect(throws: NotAllowedError.self) { try await verb() }
                    }
                }
            }
            #expect(log == [])
            #expect(try await site.accounts.apiKey(secret: secret) != nil)
            #expect(try await site.members.members(in: site.fixture.workspace).count == 2)
        }
    }

    @Test("every change is in the log once, without what is secret")
    func log() async throws {
        try await withSite { site in
            let actor = Actor.member(site.administrator)
            var secret = ""
            let log = try await site.log {
                let app = try await site.apps.create(
                    name: "Tea",
                    platform: "ios",
                    identifier: "com.example.tea",
                    by: actor
                )
                _ = try await site.sdkKeys.add(
                    try Self.publicKey(),
                    description: "March",
                    isPrimary: false,
                    toApp: app.sdkKey,
                    by: actor
                )
                _ = try await site.sdkKeys.change(to: .optional, ofApp: app.sdkKey, by: actor)
                secret = try await site.accounts.createAPIKey(
                    name: "crm",
                    permissions: ["users.track", "messages.send"],
                    by: actor
                )
                #expect(try await site.accounts.revokeAPIKey(named: "crm", by: actor))
                let ren = try await site.members.add(
                    MemberDirectory.Draft(
                        email: "ren@example.com",
                        name: "Ren",
                        role: .viewer,
                        password: "battery staple"
                    ),
                    by: actor
                )
                try await site.members.setRole(.marketer, of: ren.member.id, by: actor)
                try await site.members.remove(ren.member.id, by: actor)
            }
            #expect(
                log == [
                    "console Mai: app_added Tea (com.example.tea)",
                    "console Mai: authentication_changed Tea (disabled, March)",
                    "console Mai: authentication_changed Tea (optional, March)",
                    "console Mai: key_created crm (messages.send, users.track)",
                    "console Mai: key_revoked crm ()",
                    "console Mai: member_added ren@example.com (viewer)",
                    "console Mai: member_changed ren@example.com (marketer)",
                    "console Mai: member_removed ren@example.com (marketer)",
                ]
            )
            #expect(!log.joined().contains(secret) && !log.joined().contains("battery"))
        }
    }

    private static func publicKey() throws -> String {
        try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
    }

    @Test("tokens are not verified without a key, and a key is known however its lines end")
    func tokensNeedAKey() async throws {
        try await withSite { site in
            let app = site.fixture.app.sdkKey
            let actor = Actor.member(site.administrator)
            let key = try Self.publicKey()
            func add(_ key: String, _ description: String) async throws {
                _ = try await site.sdkKeys.add(
                    key,
                    description: description,
                    isPrimary: false,
                    toApp: app,
                    by: actor
                )
            }
            for mode in [SDKAuthenticationPolicy.Mode.optional, .required] {
                await #expect(throws: ValidationError(.sdkKey(.mode), .needsPublicKey)) {
                    try await site.sdkKeys.change(to: mode, ofApp: app, by: actor)
                }
                await #expect(throws: ValidationError(.sdkKey(.mode), .needsPublicKey)) {
                    try await site.sdkKeys.set(mode, keys: [], ofApp: app, by: actor)
                }
            }
            try await add(key, "March")
            await #expect(throws: ValidationError(.sdkKey(.publicKey), .keyKnown)) {
                try await add(key.replacing("\n", with: "\r\n") + "\r\n", "April")
            }
            await #expect(
                throws: ValidationError(.sdkKey(.description), .characters, ["count": "255"])
            ) {
                try await add(try Self.publicKey(), "")
            }
            let changed = try await site.sdkKeys.change(to: .required, ofApp: app, by: actor)
            #expect(changed.mode == .required)
            #expect(changed.keys.map(\.description) == ["March"])
            #expect(try await site.store.app(sdkKey: app)?.authentication == changed)
        }
    }

    @Test("what is refused or changes nothing is not in the log")
    func nothing() async throws {
        try await withSite { site in
            let actor = Actor.member(site.administrator)
            _ = try await site.accounts.createAPIKey(name: "crm", permissions: ["*"], by: actor)
            let log = try await site.log {
                await #expect(throws: ValidationError(.apiKey(.name), .keyTaken, ["name": "crm"])) {
                    try await site.accounts.createAPIKey(
                        name: "crm",
                        permissions: ["*"],
                        by: actor
                    )
                }
                await #expect(throws: ValidationError(.apiKey(.permissions), .keyPermissions)) {
                    try await site.accounts.createAPIKey(name: "etl", permissions: [], by: actor)
                }
                await #expect(throws: ValidationError(.apiKey(.name), .keyName)) {
                    try await site.accounts.createAPIKey(name: "", permissions: ["*"], by: actor)
                }
                let isRevoked = try await site.accounts.revokeAPIKey(named: "etl", by: actor)
                #expect(!isRevoked)
                await #expect(throws: RefusalError(.memberTaken, ["address": "MAI@example.com"])) {
                    try await site.members.add(
                        MemberDirectory.Draft(
                            email: "MAI@example.com",
                            name: "Mai",
                            role: .viewer
                        ),
                        by: actor
                    )
                }
                await #expect(
                    throws: ValidationError(
                        .password(.password),
                        .charactersAtLeast,
                        ["count": "10"]
                    )
                ) {
                    try await site.members.add(
                        MemberDirectory.Draft(
                            email: "ren@example.com",
                            name: "Ren",
                            role: .viewer,
                            password: "short"
                        ),
                        by: actor
                    )
                }
                await #expect(throws: ValidationError(.sdkKey(.publicKey), .noPublicKey)) {
                    try await site.sdkKeys.set(
                        .required,
                        keys: [(publicKey: "nonsense", description: "A")],
                        ofApp: site.fixture.app.sdkKey,
                        by: actor
                    )
                }
            }
            #expect(log == [])
        }
    }

    @Test("nobody changes themselves, and an administrator who may sign in stays")
    func lastAdministrator() async throws {
        try await withSite { site in
            let mai = site.administrator
            await #expect(throws: NotAllowedError.self) {
                try await site.members.setRole(.viewer, of: mai.id, by: .member(mai))
            }
            await #expect(throws: NotAllowedError.self) {
                try await site.members.remove(mai.id, by: .member(mai))
            }
            // Two who each would remove the other at the same moment: one of them comes too late.
            let ren = try await site.add("ren", .administrator).member
            try await site.members.remove(mai.id, by: .member(ren))
            await #expect(throws: RefusalError(.lastAdministrator)) {
                try await site.members.setRole(.viewer, of: ren.id, by: .member(mai))
            }
            await #expect(throws: RefusalError(.lastAdministrator)) {
                try await site.members.remove(
                    ren.id,
                    by: .commandLine(account: "root", ren.workspace)
                )
            }
            #expect(try await site.members.members(in: ren.workspace).map(\.name) == ["ren"])
        }
    }

    @Test("of two administrators who make each other something else at once one stays")
    func eachOther() async throws {
        try await withSite { site in
            let second = try await site.members.add(
                MemberDirectory.Draft(
                    email: "ren@example.com",
                    name: "Ren",
                    role: .administrator,
                    password: "correct horse"
                ),
                by: .member(site.administrator)
            ).member
            let pairs = [(site.administrator, second), (second, site.administrator)]
            let log = try await site.log {
                await withTaskGroup { group in
                    for (actor, other) in pairs {
                        group.addTask {
                            try? await site.members.setRole(
                                .viewer,
                                of: other.id,
                                by: .member(actor)
                            )
                        }
                        group.addTask {
                            try? await site.members.remove(other.id, by: .member(actor))
                        }
                    }
                }
            }
            let left = try await site.store.memberEntries(
                in: second.workspace,
                matching: nil,
                limit: 9,
                offset: 0
            ).entries
            #expect(left.contains { $0.member.role == .administrator })
            #expect(log.count == 1 || log.count == 2, "\(log)")
        }
    }

    @Test("members, apps and keys of another workspace are not there")
    func workspaces() async throws {
        try await withSite { site in
            let ren = try await site.add("ren", .viewer).member
            let other = try await site.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: Self.now
            )
            let stranger = Actor.commandLine(account: "root", other)
            await #expect(throws: RefusalError(.noMember)) {
                try await site.members.setRole(.administrator, of: ren.id, by: stranger)
            }
            await #expect(throws: RefusalError(.noMember)) {
                try await site.members.remove(ren.id, by: stranger)
            }
            await #expect(throws: ValidationError(.sdkKey(.app), .noSDKApp)) {
                try await site.sdkKeys.set(
                    .disabled,
                    keys: [],
                    ofApp: site.fixture.app.sdkKey,
                    by: stranger
                )
            }
            #expect(try await site.apps.app(site.fixture.app.id, in: other) == nil)
        }
    }
}
