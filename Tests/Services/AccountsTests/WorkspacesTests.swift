import Accounts
import Crypto
import Foundation
import Model
import Ports
import Reasons
import Testing

/// People who belong to several workspaces, and the border between these.
@Suite("Several workspaces")
struct WorkspacesTests {
    private static let place = "192.0.2.1"

    /// Two workspaces: Mai manages the first, Kai the second, and Ren belongs to both.
    private struct Site {
        let bench: AccountsBench
        let here: WorkspaceID
        let there: WorkspaceID
        let mai: Member
        let kai: Member
        let ren: Member

        init(_ bench: AccountsBench) async throws {
            self.bench = bench
            here = bench.viewer.workspace
            there = try await bench.otherWorkspace()
            mai = bench.administrator
            ren = bench.viewer
            kai = try await bench.members.add(
                MemberDirectory.Draft(
                    email: "kai@example.com",
                    name: "Kai",
                    role: .administrator,
                    password: AccountsBench.password
                ),
                by: .commandLine(account: "test", there)
            ).member
            _ = try await add("ren@example.com", .marketer)
        }

        @discardableResult
        func add(_ email: String, _ role: Member.Role) async throws -> MemberEntry {
            try await bench.members.add(
                MemberDirectory.Draft(
                    email: email,
                    name: "Added by Kai",
                    role: role,
                    password: "a password of Kai's choice"
                ),
                by: .member(kai)
            )
        }

        func signIn(_ email: String) async throws -> SignIn {
            try #require(
                try await bench.service.signIn(
                    email: email,
                    password: AccountsBench.password,
                    from: WorkspacesTests.place
                )
            )
        }

        func session(_ signIn: SignIn) async throws -> Member? {
            try await bench.service.member(sessionToken: signIn.token)
        }

        /// Why something is refused; `nil` if it is not.
        func refusal(_ work: () async throws -> Void) async throws -> RefusalReason? {
            do {
                try await work()
                return nil
            } catch let refusal as RefusalError {
                return refusal.code
            }
        }

        func provider(of workspace: WorkspaceID, isOnlyWay: Bool = false) async throws {
            try await bench.store.saveOpenIDProvider(
                OpenIDProvider(
                    workspace: workspace,
                    name: "ID",
                    issuer: "https://id.example.com",
                    clientID: "c",
                    isOnlyWay: isOnlyWay
                ),
                secret: Data([1]),
                noting: AuditRecord(
                    at: bench.clock.now,
                    by: .commandLine(account: "test", workspace),
                    action: "openid_saved",
                    subject: "ID"
                ),
                now: bench.clock.now
            )
        }
    }

    private func withSite(_ work: (Site) async throws -> Void) async throws {
        try await AccountsBench.open { try await work(try await Site($0)) }
    }

    @Test("whoever is known on the server joins with the account, whose password stays")
    func joining() async throws {
        try await withSite { site in
            let members = site.bench.members
            let entry = try await members.member(site.ren.id, in: site.there)
            #expect(entry.belongsElsewhere && entry.member.role == .marketer)
            #expect(try await members.member(site.ren.id, in: site.here).member.name == "Ren")
            #expect(
                try await site.refusal { try await site.add("ren@example.com", .viewer) }
                    == .memberTaken
            )
            let signIn = try await site.signIn("ren@example.com")
            #expect(signIn.member.workspace == site.here)
            #expect(
                try await site.bench.service.signIn(
                    email: "ren@example.com",
                    password: "a password of Kai's choice"
                ) == nil
            )
            // Only the operator adds by the address alone.
            await #expect(throws: NotAllowedError.self) {
                _ = try await members.addKnown(
                    email: "mai@example.com",
                    role: .viewer,
                    by: .member(site.kai)
                )
            }
            let operated = Actor.commandLine(account: "root", site.there)
            let mai = try await members.addKnown(
                email: "mai@example.com",
                role: .viewer,
                by: operated
            )
            #expect(mai.member.id == site.mai.id && mai.member.name == "Mai")
            #expect(
                try await site.refusal {
                    _ = try await members.addKnown(
                        email: "nobody@example.com",
                        role: .viewer,
                        by: operated
                    )
                } == .noMember
            )
        }
    }

    @Test("a session opens the workspaces of its member, one at a time, with the role of each")
    func switching() async throws {
        try await withSite { site in
            let service = site.bench.service
            let signIn = try await site.signIn("ren@example.com")
            func open(_ workspace: WorkspaceID) async throws -> AccountService.Switch {
                try await service.switchWorkspace(to: workspace, sessionToken: signIn.token)
            }
            #expect(try await open(site.there) == .switched)
            let member = try await site.session(signIn)
            #expect(member?.workspace == site.there && member?.role == .marketer)
            // The next sign-in begins there.
            #expect(try await site.signIn("ren@example.com").member.workspace == site.there)
            #expect(try await open(site.here) == .switched)
            #expect(try await site.session(signIn)?.role == .viewer)
            #expect(try await open(WorkspaceID(99)) == .unknown)
            let kai = try await site.signIn("kai@example.com")
            #expect(
                try await service.switchWorkspace(to: site.here, sessionToken: kai.token)
                    == .unknown
            )
            #expect(
                try await service.switchWorkspace(to: site.here, sessionToken: "guess")
                    == .unknown
            )
        }
    }

    @Test("a workspace with a provider as the only way is not opened by a password")
    func onlyWay() async throws {
        try await withSite { site in
            let service = site.bench.service
            let signIn = try await site.signIn("ren@example.com")
            try await site.provider(of: site.there, isOnlyWay: true)
            let outcome = try await service.switchWorkspace(
                to: site.there,
                sessionToken: signIn.token
            )
            guard case .awaitsSignIn(let provider) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(provider?.workspace == site.there)
            #expect(try await site.session(signIn)?.workspace == site.here)
            // The other workspace opens as before, wherever the member was last.
            _ = try await site.bench.store.switchConsoleSession(
                tokenHash: Data(SHA256.hash(data: Data(signIn.token.utf8))),
                to: site.there,
                now: site.bench.clock.now
            )
            #expect(try await site.signIn("ren@example.com").member.workspace == site.here)
            try await site.provider(of: site.here, isOnlyWay: true)
            #expect(
                try await site.refusal { _ = try await site.signIn("ren@example.com") }
                    == .openIDOnlyWay
            )
        }
    }

    @Test("whom a workspace's provider names is that member in this workspace only")
    func confined() async throws {
        try await OpenIDBench.open { openID in
            let site = try await Site(openID.accounts)
            // Ren manages both workspaces, and somebody else of the first one runs its provider.
            for workspace in [site.here, site.there] {
                try await site.bench.members.setRole(
                    .administrator,
                    of: site.ren.id,
                    by: .commandLine(account: "test", workspace)
                )
            }
            let lea = try await site.bench.members.add(
                MemberDirectory.Draft(email: "lea@example.com", name: "Lea", role: .viewer),
                by: .commandLine(account: "test", site.here)
            ).member
            try await site.add("lea@example.com", .viewer)
            _ = try await site.signIn("ren@example.com")
            try await openID.setUp()
            let signIn = try await openID.signIn()
            let member = try #require(try await site.session(signIn))
            #expect(member.id == site.ren.id && member.isConfined)
            let service = site.bench.service
            let outcome = try await service.switchWorkspace(
                to: site.there,
                sessionToken: signIn.token
            )
            #expect(outcome == .awaitsSignIn(nil))
            // Nor does it reach accounts that belong to the other workspace too.
            let actor = Actor.member(member)
            #expect(
                try await site.refusal {
                    _ = try await service.makePasswordLink(for: lea.id, by: actor)
                } == .memberElsewhere
            )
            // Signed in by password, Ren is an administrator of all that Lea belongs to.
            let own = try #require(try await site.session(try await site.signIn("ren@example.com")))
            #expect(try await service.makePasswordLink(for: lea.id, by: .member(own)) != nil)
            // What is open in the other workspace is not shown here.
            let token = try await site.signIn("ren@example.com").token
            _ = try await service.switchWorkspace(to: site.there, sessionToken: token)
            let seen = try await service.sessions(of: member.id, by: actor)
            #expect(!seen.isEmpty && seen.allSatisfy { $0.workspace == site.here })
        }
    }

    @Test("people of one provider are themselves in two workspaces that use it")
    func sameProvider() async throws {
        try await OpenIDBench.open { openID in
            let site = try await Site(openID.accounts)
            try await openID.setUp()
            try await openID.signIn()
            let subject = OpenIDSubject(issuer: TestProvider.issuer, subject: "s-1")
            let bound = try await site.bench.store.bindOpenIDSubject(
                subject,
                to: site.ren.id,
                in: site.there,
                noting: {
                    AuditRecord(at: site.bench.clock.now, by: .member($0), action: "b", subject: "")
                },
                now: site.bench.clock.now
            )
            #expect(bound?.workspace == site.there)
            // Being released from the one leaves the other.
            #expect(
                try await openID.providers.release(
                    site.ren.id,
                    by: .commandLine(account: "test", site.here)
                )
            )
            let left = try await site.bench.store.openIDIdentities(
                of: site.ren.id,
                in: site.there
            )
            #expect(left.map(\.subject) == [subject])
        }
    }

    @Test("an administrator of one workspace reaches no account of another")
    func border() async throws {
        try await withSite { site in
            let bench = site.bench
            let service = bench.service
            let signIn = try await site.signIn("ren@example.com")
            let kai = Actor.member(site.kai)
            let there = try await bench.members.member(site.ren.id, in: site.there).member
            let acts: [(String, (Actor) async throws -> Void)] = [
                ("link", { _ = try await service.makePasswordLink(for: site.ren.id, by: $0) }),
                ("sessions", { _ = try await service.endSessions(of: site.ren.id, by: $0) }),
                ("factor shown", { _ = try await bench.factors.factor(of: there, by: $0) }),
                ("factor", { _ = try await bench.factors.remove(of: site.ren.id, by: $0) }),
                (
                    "passkey",
                    {
                        _ = try await bench.passkeys.remove(
                            PasskeyID(1),
                            of: site.ren.id,
                            by: $0
                        )
                    }
                ),
                (
                    "password",
                    {
                        _ = try await bench.members.change(
                            site.ren.id,
                            to: {
                                MemberDirectory.Draft(
                                    email: $0.member.email,
                                    name: "Ren",
                                    role: .viewer,
                                    password: "another password"
                                )
                            },
                            by: $0
                        )
                    }
                ),
            ]
            for (name, act) in acts {
                let refusal = try await site.refusal { try await act(kai) }
                #expect(refusal == .memberElsewhere, "\(name)")
            }
            #expect(try await service.membersOutOfReach(of: kai) == [site.ren.id])
            #expect(
                try await site.refusal { _ = try await bench.factors.factor(of: site.ren, by: kai) }
                    == .noMember
            )
            #expect(try await service.sessions(of: site.ren.id, by: kai).isEmpty)
            #expect(try await bench.passkeys.passkeys(of: site.ren.id, by: kai).isEmpty)
            #expect(try await site.session(signIn) != nil)
            // Nor anything of somebody who is no member of theirs.
            #expect(try await service.makePasswordLink(for: site.mai.id, by: kai) == nil)
            #expect(
                try await site.refusal { try await bench.members.remove(site.mai.id, by: kai) }
                    == .noMember
            )
            // The operator reaches every account.
            #expect(
                try await service.makePasswordLink(
                    for: site.ren.id,
                    by: .commandLine(account: "root", site.there)
                ) != nil
            )
            // Whoever manages both does so too.
            let mai = try await bench.members.addKnown(
                email: "mai@example.com",
                role: .administrator,
                by: .commandLine(account: "root", site.there)
            ).member
            #expect(
                try await service.makePasswordLink(for: site.ren.id, by: .member(mai)) != nil
            )
            #expect(try await service.membersOutOfReach(of: .member(mai)) == [])
            // Nobody is out of reach of themselves, though Mai belongs elsewhere too.
            #expect(
                try await service.membersOutOfReach(of: kai) == [site.ren.id, site.mai.id]
            )
            let own = try await site.signIn("ren@example.com").member
            await #expect(throws: NotAllowedError.self) {
                _ = try await service.membersOutOfReach(of: .member(own))
            }
        }
    }

    @Test("who is added without a password chooses one by a link; whoever has an account keeps it")
    func invitations() async throws {
        try await withSite { site in
            func invite(_ email: String, _ password: String? = nil) async throws -> PasswordLink? {
                try await site.bench.members.invite(
                    MemberDirectory.Draft(
                        email: email,
                        name: "New",
                        role: .viewer,
                        password: password
                    ),
                    by: .member(site.kai)
                ).link
            }
            let service = site.bench.service
            let link = try #require(try await invite("lea@example.com"))
            #expect(link.expiresAt == site.bench.clock.now + AccountService.passwordLinkLength)
            try await service.choosePassword("a password of Lea's", passwordLink: link.token)
            let signIn = try await service.signIn(
                email: "lea@example.com",
                password: "a password of Lea's",
                from: Self.place
            )
            #expect(signIn?.member.workspace == site.there)
            #expect(try await invite("mai@example.com") == nil)
            #expect(try await invite("ben@example.com", "a password of Kai's") == nil)
            // Where the provider is the only way in, a password would open nothing.
            try await site.provider(of: site.there, isOnlyWay: true)
            #expect(try await invite("eve@example.com") == nil)
        }
    }

    @Test("roles and removals are those of one workspace")
    func rolesAndRemovals() async throws {
        try await withSite { site in
            let members = site.bench.members
            let kai = Actor.member(site.kai)
            try await members.setRole(.administrator, of: site.ren.id, by: kai)
            #expect(try await members.member(site.ren.id, in: site.here).member.role == .viewer)
            // A link that was made elsewhere opens nothing of who has been added since.
            let link = try #require(
                try await site.bench.service.makePasswordLink(
                    for: site.mai.id,
                    by: .commandLine(account: "root", site.here)
                )
            )
            try await site.add("mai@example.com", .viewer)
            #expect(try await site.bench.service.member(passwordLink: link.token) == nil)
            try await members.remove(site.mai.id, by: kai)

            let signIn = try await site.signIn("ren@example.com")
            try await members.remove(site.ren.id, by: kai)
            #expect(try await site.session(signIn)?.workspace == site.here)
            try await members.remove(site.ren.id, by: .member(site.mai))
            #expect(try await site.session(signIn) == nil)
            // The last administrator of a workspace stays, whoever manages others.
            #expect(
                try await site.refusal {
                    try await members.remove(
                        site.kai.id,
                        by: .commandLine(account: "root", site.there)
                    )
                } == .lastAdministrator
            )
        }
    }

    @Test("whoever makes a workspace manages it; names are not used twice")
    func creating() async throws {
        try await withSite { site in
            let clock = site.bench.clock
            let service = WorkspaceService(store: site.bench.store, now: { clock.now })
            let made = try await service.create(
                name: " Pier ",
                timeZone: "UTC",
                by: .member(site.mai)
            )
            #expect(made.name == "Pier")
            let own = try await service.workspaces(of: site.mai.id)
            #expect(own.map(\.workspace.name) == ["Tea House", "Pier"])
            #expect(own.map(\.role) == [.administrator, .administrator])
            #expect(
                try await site.bench.members.members(in: made.id).map(\.email)
                    == ["mai@example.com"]
            )
            await #expect(throws: NotAllowedError.self) {
                _ = try await service.create(name: "X", timeZone: "UTC", by: .member(site.ren))
            }
            for (name, zone) in [("Pier", "UTC"), ("", "UTC"), ("Quay", "Mars/Base")] {
                await #expect(throws: ValidationError.self, "\(name) \(zone)") {
                    _ = try await service.create(
                        name: name,
                        timeZone: zone,
                        by: .commandLine(account: "root", administrator: nil)
                    )
                }
            }
            let empty = try await service.create(
                name: "Quay",
                timeZone: "UTC",
                by: .commandLine(account: "root", administrator: nil)
            )
            #expect(try await site.bench.members.members(in: empty.id).isEmpty)
        }
    }
}
