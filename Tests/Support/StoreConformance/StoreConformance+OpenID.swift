import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    private static let issuer = "https://login.example.com"

    private func member(
        _ name: String,
        in workspace: WorkspaceID
    ) async throws -> Member {
        try await store.addMember(
            MemberDraft(
                name: name,
                email: "\(name)@example.org",
                passwordHash: "hash",
                role: .marketer
            ),
            MemberDetails(),
            in: workspace,
            noting: nil,
            now: now
        ).member
    }

    private func record(_ action: String) -> AuditRecord {
        AuditRecord(at: now, origin: .console, author: "Ada", action: action, subject: "ada")
    }

    private func match(
        _ subject: String,
        _ email: String?,
        in workspace: WorkspaceID,
        issuer: String = Self.issuer
    ) async throws -> OpenIDMatch {
        try await store.openIDMember(
            OpenIDSubject(issuer: issuer, subject: subject),
            verifiedEmail: email,
            in: workspace,
            noting: { _ in record("bound") },
            now: now
        )
    }

    /// A workspace has one provider with its secret, or none.
    package func keepsOpenIDProviders() async throws {
        let fixture = try await fixture()
        let other = try await store.createWorkspace(name: "Harbor", timeZone: "UTC", now: now)
        var provider = OpenIDProvider(
            workspace: fixture.workspace,
            name: "Tea ID",
            issuer: Self.issuer,
            clientID: "noroshi",
            domains: ["example.org", "tea.example"],
            newcomerRole: .marketer
        )
        func save(_ secret: String?) async throws {
            try await store.saveOpenIDProvider(
                provider,
                secret: secret.map { Data($0.utf8) },
                noting: record("saved"),
                now: now
            )
        }
        func secret(of workspace: WorkspaceID) async throws -> Data? {
            try await store.openIDSecret(of: workspace)
        }
        try await save("one")
        #expect(try await store.openIDProvider(of: fixture.workspace) == provider)
        provider.isOnlyWay = true
        provider.isSecondFactor = false
        provider.domains = []
        try await save(nil)
        #expect(try await store.openIDProviders() == [provider])
        #expect(try await secret(of: fixture.workspace) == Data("one".utf8))
        try await save("two")
        #expect(try await secret(of: fixture.workspace) == Data("two".utf8))
        #expect(try await store.openIDProvider(of: other) == nil)
        #expect(try await secret(of: other) == nil)
        #expect(try await !store.deleteOpenIDProvider(of: other, noting: record("removed")))
        #expect(
            try await store.deleteOpenIDProvider(of: fixture.workspace, noting: record("removed"))
        )
        #expect(try await store.openIDProviders().isEmpty)
        let log = try await store.audit(in: fixture.workspace, matching: AuditQuery())
        #expect(log.records.map(\.action) == ["removed", "saved", "saved", "saved"])
    }

    /// A sign-in that was begun is taken once, in time, by the browser that began it.
    package func keepsOpenIDAttempts() async throws {
        let workspace = try await fixture().workspace
        let other = try await store.createWorkspace(name: "Harbor", timeZone: "UTC", now: now)
        let browser = Data("browser".utf8)
        let attempt = OpenIDAttempt(
            workspace: workspace,
            browserHash: browser,
            back: "/console",
            expiresAt: now + 600
        )
        let states = (0..<2).map { Data("state \($0)".utf8) }
        for state in states {
            try await store.saveOpenIDAttempt(attempt, stateHash: state, now: now)
        }
        func take(
            _ state: Data,
            _ browser: Data,
            in workspace: WorkspaceID,
            at time: Date
        ) async throws -> OpenIDAttempt? {
            try await store.takeOpenIDAttempt(
                stateHash: state,
                browserHash: browser,
                in: workspace,
                now: time
            )
        }
        #expect(try await take(states[0], Data("x".utf8), in: workspace, at: now) == nil)
        #expect(try await take(states[0], browser, in: other, at: now) == nil)
        #expect(try await take(states[0], browser, in: workspace, at: now + 600) == nil)
        let taken = try await withThrowingTaskGroup(of: OpenIDAttempt?.self) { group in
            for _ in 0..<8 {
                group.addTask { try await take(states[0], browser, in: workspace, at: now + 599) }
            }
            return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(taken == [attempt])
        // The next one that begins sweeps out what has expired.
        try await store.saveOpenIDAttempt(attempt, stateHash: states[0], now: now + 600)
        #expect(try await take(states[1], browser, in: workspace, at: now) == nil)
    }

    /// A member is one person of an issuer, and a person one member.
    package func keepsOpenIDPersons() async throws {
        let workspace = try await fixture().workspace
        let other = try await store.createWorkspace(name: "Harbor", timeZone: "UTC", now: now)
        let ada = try await member("ada", in: workspace)
        let eve = try await member("eve", in: workspace)
        #expect(try await match("1", nil, in: workspace) == .unknown)
        #expect(try await match("1", "nobody@example.org", in: workspace) == .unknown)
        #expect(try await match("1", "ada@example.org", in: other) == .unknown)
        // Of several persons who come at once with an address, one is the member.
        let found = try await withThrowingTaskGroup(of: OpenIDMatch.self) { group in
            for subject in 1...6 {
                group.addTask {
                    try await match("\(subject)", "ADA@example.org", in: workspace)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.count { $0 == .member(ada) } == 1)
        #expect(found.count { $0 == .otherPerson(ada) } == 5)
        let log = try await store.audit(in: workspace, matching: AuditQuery(text: "bound"))
        #expect(log.total == 1)
        let bound = try #require(
            try await store.openIDIdentities(of: ada.id, in: workspace).first
        )
        #expect(bound.boundAt == now)
        let subject = bound.subject.subject
        // The person counts, not the address; at another issuer it is another person.
        #expect(try await match(subject, "eve@example.org", in: workspace) == .member(ada))
        let elsewhere = "https://id.example.net"
        #expect(try await match(subject, nil, in: workspace, issuer: elsewhere) == .unknown)
        #expect(
            try await match(subject, "ada@example.org", in: workspace, issuer: elsewhere)
                == .member(ada)
        )
        #expect(try await store.openIDIdentities(of: ada.id, in: workspace).count == 2)
        #expect(try await store.openIDIdentities(of: ada.id, in: other).isEmpty)

        func bind(_ subject: String, to member: MemberID) async throws -> Bool {
            do {
                return try await store.bindOpenIDSubject(
                    OpenIDSubject(issuer: Self.issuer, subject: subject),
                    to: member,
                    in: workspace,
                    noting: { _ in record("bound") },
                    now: now
                ) != nil
            } catch let error as StoreError where error.code == .exists {
                return false
            }
        }
        #expect(try await !bind(subject, to: eve.id))
        #expect(try await !bind("9", to: ada.id))
        #expect(try await bind("9", to: eve.id))
        let released = try await store.releaseOpenIDMember(ada.id, in: workspace) { _ in
            record("released")
        }
        #expect(released == ada)
        #expect(try await match(subject, nil, in: workspace) == .unknown)

        // Whoever was removed stays away, by person and by address.
        _ = try await store.removeMember(
            eve.id,
            in: workspace,
            noting: { _ in nil },
            now: now
        )
        #expect(try await match("9", nil, in: workspace) == .removed)
        #expect(try await match("10", "Eve@example.org", in: workspace) == .removed)
        func add(_ email: String, _ subject: String) async throws -> Member? {
            try await store.addOpenIDMember(
                MemberDraft(name: "Eve", email: email, passwordHash: "hash", role: .viewer),
                OpenIDSubject(issuer: Self.issuer, subject: subject),
                in: workspace,
                noting: record("added"),
                now: now
            )
        }
        #expect(try await add("eve@example.org", "10") == nil)
        let kai = try #require(try await add("kai@example.org", "11"))
        #expect(kai.role == .viewer)
        #expect(try await match("11", nil, in: workspace) == .member(kai))
        await #expect(throws: StoreError.self) { _ = try await add("kai@example.org", "12") }
        await #expect(throws: StoreError.self) { _ = try await add("yui@example.org", "11") }
        // Nothing is left of a member who could not be bound.
        #expect(try await match("12", "yui@example.org", in: workspace) == .unknown)
        let again = try await member("eve", in: workspace)
        #expect(try await match("9", "eve@example.org", in: workspace) == .member(again))
    }
}
