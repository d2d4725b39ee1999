import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    /// One account, and what it is in each of its workspaces.
    package func keepsMembershipsApart() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let email = "\(UUID().uuidString)@example.com"
        func add(_ name: String, _ role: Member.Role, in workspace: WorkspaceID) async throws
            -> MemberEntry
        {
            try await store.addMember(
                MemberDraft(name: name, email: email, passwordHash: name, role: role),
                MemberDetails(externalID: name),
                in: workspace,
                noting: nil,
                now: now
            )
        }
        let first = try await add("Ada", .administrator, in: here)
        #expect(!first.belongsElsewhere)
        let second = try await add("Countess", .viewer, in: there)
        #expect(second.member.id == first.member.id && second.belongsElsewhere)
        let id = first.member.id
        #expect(try await store.memberships(of: id) == [first.member, second.member])
        #expect(try await store.memberships(email: email.uppercased()).count == 2)
        // The account keeps its password.
        #expect(try await store.memberWithPassword(email: email)?.passwordHash == "Ada")
        await #expect(throws: StoreError.self) {
            try await add("Again", .administrator, in: there)
        }

        // What one workspace changes, the other does not see.
        func change(_ change: MemberChange, in workspace: WorkspaceID) async throws
            -> MemberChangeOutcome
        {
            try await store.changeMember(
                id,
                in: workspace,
                to: { _ in change },
                noting: { _ in nil },
                now: now
            )
        }
        let before = try await store.memberEntry(id, in: here)
        _ = try await change(
            MemberChange(name: "Lady", role: .marketer, details: MemberDetails(isActive: false)),
            in: there
        )
        #expect(try await store.memberEntry(id, in: here) == before)
        #expect(try await store.memberEntry(id, in: there)?.member.role == .marketer)
        #expect(try await store.memberships(of: id).map(\.workspace) == [here])
        #expect(
            try await change(MemberChange(role: .viewer, passwordHash: "x"), in: there)
                == .belongsElsewhere
        )
        #expect(try await change(MemberChange(role: .viewer), in: here) == .lastAdministrator)
        func remove(in workspace: WorkspaceID) async throws {
            _ = try await store.removeMember(id, in: workspace, noting: { _ in nil }, now: now)
        }
        try await remove(in: there)
        #expect(try await store.memberEntry(id, in: there) == nil)
        #expect(try await store.memberEntry(id, in: here)?.belongsElsewhere == false)
    }

    /// A session is in one workspace at a time and ends with what its member is there.
    package func switchesSessionsBetweenWorkspaces() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let elsewhere = try await fixture().workspace
        let email = "\(UUID().uuidString)@example.com"
        func add(in workspace: WorkspaceID) async throws -> MemberID {
            try await store.addMember(
                MemberDraft(name: "Ada", email: email, passwordHash: "x", role: .viewer),
                MemberDetails(),
                in: workspace,
                noting: nil,
                now: now
            ).member.id
        }
        let id = try await add(in: here)
        _ = try await add(in: there)
        let hashes = (0..<2).map { Data("\($0) \(email)".utf8) }
        for (hash, isByProvider) in zip(hashes, [false, true]) {
            try await store.saveConsoleSession(
                ConsoleSession(
                    tokenHash: hash,
                    startedAt: now,
                    expiresAt: now + 600,
                    isByProvider: isByProvider
                ),
                tokenHash: hash,
                member: id,
                in: here
            )
        }
        func member(_ index: Int) async throws -> Member? {
            try await store.consoleSession(tokenHash: hashes[index], now: now)?.member
        }
        #expect(try await member(0)?.workspace == here)
        #expect(try await member(0)?.isConfined == false)
        #expect(try await member(1)?.isConfined == true)
        func open(_ workspace: WorkspaceID, at time: Date? = nil) async throws -> Bool {
            try await store.switchConsoleSession(
                tokenHash: hashes[0],
                to: workspace,
                now: time ?? now
            )
        }
        #expect(try await !open(elsewhere))
        #expect(try await !open(there, at: now + 600))
        #expect(try await open(there))
        #expect(try await member(0)?.workspace == there)
        #expect(try await member(1)?.workspace == here)
        // Sign-ins begin where the last one was.
        #expect(try await store.memberWithPassword(email: email)?.member.workspace == there)
        #expect(try await store.consoleSessions(of: id, in: here, now: now).count == 2)
        #expect(try await store.consoleSessions(of: id, in: elsewhere, now: now).isEmpty)

        _ = try await store.removeMember(id, in: there, noting: { _ in nil }, now: now)
        #expect(try await member(0) == nil)
        #expect(try await member(1)?.workspace == here)
        #expect(try await store.memberWithPassword(email: email)?.member.workspace == here)
        _ = try await store.removeMember(id, in: here, noting: { _ in nil }, now: now)
        #expect(try await member(1) == nil)
        #expect(try await store.memberWithPassword(email: email) == nil)
    }

    /// Who may act on a whole account, and what is written of it where.
    package func tellsWhoseAccountsAre() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        func add(_ name: String, _ role: Member.Role, in workspaces: WorkspaceID...) async throws
            -> Member
        {
            let email = "\(name)-\(UUID().uuidString)@example.com"
            var added: [Member] = []
            for workspace in workspaces {
                added.append(
                    try await store.addMember(
                        MemberDraft(name: name, email: email, passwordHash: "x", role: role),
                        MemberDetails(),
                        in: workspace,
                        noting: nil,
                        now: now
                    ).member
                )
            }
            return try #require(added.first)
        }
        let ada = try await add("ada", .viewer, in: here, there)
        let ben = try await add("ben", .administrator, in: here)
        let eve = try await add("eve", .administrator, in: here, there)
        let max = try await add("max", .marketer, in: here, there)
        func isBeyond(_ member: Member, _ administrator: Member?) async throws -> Bool {
            try await store.belongs(member.id, beyond: here, andThoseOf: administrator?.id)
        }
        #expect(try await isBeyond(ada, ben))
        #expect(try await isBeyond(ada, nil))
        #expect(try await isBeyond(ada, max))
        #expect(try await !isBeyond(ada, eve))
        #expect(try await !isBeyond(ben, eve))
        #expect(try await !isBeyond(ben, nil))
        func beyond(_ administrator: Member?) async throws -> Set<MemberID> {
            try await store.members(of: here, belongingBeyondThoseOf: administrator?.id)
        }
        #expect(try await beyond(nil) == [ada.id, eve.id, max.id])
        #expect(try await beyond(max) == [ada.id, eve.id, max.id])
        #expect(try await beyond(eve) == [])
        #expect(
            try await store.members(of: there, belongingBeyondThoseOf: ben.id) == []
        )

        let record = AuditRecord(
            at: now,
            by: .member(ada),
            action: "password_changed",
            subject: ada.email
        )
        #expect(
            try await store.changePassword(
                of: ada.id,
                from: "x",
                to: "y",
                keeping: Data(),
                audit: record
            )
        )
        for workspace in [here, there] {
            let found = try await store.audit(
                in: workspace,
                matching: AuditQuery(text: ada.email)
            )
            #expect(found.records == [record])
        }
    }

    /// A new workspace has its administrator and its own name.
    package func createsWorkspaces() async throws {
        let here = try await fixture().workspace
        let ada = try await store.addMember(
            MemberDraft(
                name: "Ada",
                email: "\(UUID().uuidString)@example.com",
                passwordHash: "x",
                role: .administrator
            ),
            MemberDetails(),
            in: here,
            noting: nil,
            now: now
        ).member
        let name = UUID().uuidString
        func create() async throws -> WorkspaceID {
            try await store.createWorkspace(
                WorkspaceSettings(name: name, timeZone: "Asia/Tokyo"),
                administrator: ada,
                noting: AuditRecord(
                    at: now,
                    by: .member(ada),
                    action: "workspace_created",
                    subject: name
                ),
                now: now
            )
        }
        let made = try await create()
        #expect(try await store.workspace(made)?.name == name)
        #expect(try await store.workspace(made)?.timeZone == "Asia/Tokyo")
        #expect(try await store.memberEntry(ada.id, in: made)?.member.role == .administrator)
        #expect(try await store.audit(in: made, matching: AuditQuery()).total == 1)
        await #expect(throws: StoreError.self) { _ = try await create() }
    }
}
