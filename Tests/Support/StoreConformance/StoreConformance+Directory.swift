import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    package func keepsTheDirectoryOfMembers() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let mark = UUID().uuidString
        func draft(_ name: String, _ role: Member.Role = .viewer) -> MemberDraft {
            MemberDraft(
                name: name,
                email: "\(name)-\(mark)@example.com",
                passwordHash: "old",
                role: role
            )
        }
        let details = MemberDetails(givenName: "Ada", familyName: "King", externalID: "x")
        let ada = try await store.addMember(
            draft("ada", .administrator),
            details,
            in: here,
            noting: nil,
            now: now
        )
        #expect(ada.givenName == "Ada")
        #expect(ada.isActive)
        #expect(ada.createdAt == now && ada.updatedAt == now)
        #expect(try await store.memberEntry(ada.member.id, in: here) == ada)
        #expect(try await store.memberEntry(ada.member.id, in: there) == nil)
        // Also one who was added by hand is an entry.
        let ben = try await store.addMember(
            draft("ben"),
            MemberDetails(),
            in: here,
            noting: nil,
            now: now
        )
        #expect(try await store.memberEntry(ben.member.id, in: here)?.updatedAt == now)
        func names(_ filter: MemberFilter?, limit: Int = 9, offset: Int = 0) async throws
            -> [String]
        {
            let found = try await store.memberEntries(
                in: here,
                matching: filter,
                limit: limit,
                offset: offset
            )
            return found.entries.map(\.member.name) + ["of \(found.total)"]
        }
        #expect(try await names(nil) == ["ada", "ben", "of 2"])
        #expect(try await names(nil, limit: 1, offset: 1) == ["ben", "of 2"])
        #expect(try await names(nil, limit: 0) == ["of 2"])
        #expect(try await names(.email("ADA-\(mark)@EXAMPLE.com")) == ["ada", "of 1"])
        #expect(try await names(.externalID("x")) == ["ada", "of 1"])
        #expect(try await names(.externalID("X")) == ["of 0"])
        await #expect(throws: StoreError.self) {
            try await store.addMember(draft("ada"), details, in: here, noting: nil, now: now)
        }
    }

    /// What became of a change, without the member.
    private enum Outcome {
        case changed, unknown, lastAdministrator, belongsElsewhere

        init(_ outcome: MemberChangeOutcome) {
            switch outcome {
            case .changed: self = .changed
            case .unknown: self = .unknown
            case .lastAdministrator: self = .lastAdministrator
            case .belongsElsewhere: self = .belongsElsewhere
            }
        }
    }

    package func endsSessionsOfWhoMayNotSignIn() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let later = now.addingTimeInterval(60)
        func add(_ role: Member.Role, isActive: Bool = true) async throws -> MemberEntry {
            try await store.addMember(
                MemberDraft(
                    name: "Ada",
                    email: "\(UUID().uuidString)@example.com",
                    passwordHash: "old",
                    role: role
                ),
                MemberDetails(isActive: isActive),
                in: here,
                noting: nil,
                now: now
            )
        }
        func change(
            _ entry: MemberEntry,
            _ role: Member.Role,
            isActive: Bool = true,
            passwordHash: String? = nil,
            in workspace: WorkspaceID? = nil
        ) async throws -> Outcome {
            Outcome(
                try await store.changeMember(
                    entry.member.id,
                    in: workspace ?? here,
                    to: { _ in
                        MemberChange(
                            name: "Eve",
                            role: role,
                            details: MemberDetails(isActive: isActive),
                            passwordHash: passwordHash
                        )
                    },
                    noting: { _ in nil },
                    now: later
                )
            )
        }
        func remove(_ entry: MemberEntry, in workspace: WorkspaceID? = nil) async throws
            -> Outcome
        {
            Outcome(
                try await store.removeMember(
                    entry.member.id,
                    in: workspace ?? here,
                    noting: { _ in nil },
                    now: now
                )
            )
        }
        let admin = try await add(.administrator)
        let ada = try await add(.marketer)
        func session(_ token: UInt8) async throws -> Member? {
            try await store.consoleSession(tokenHash: Data([token]) + mark(ada), now: now)?.member
        }
        func mark(_ entry: MemberEntry) -> Data { Data(entry.member.email.utf8) }
        func save(_ token: UInt8) async throws {
            let hash = Data([token]) + mark(ada)
            try await store.saveConsoleSession(
                ConsoleSession(
                    tokenHash: hash,
                    startedAt: now,
                    expiresAt: now.addingTimeInterval(9_000)
                ),
                tokenHash: hash,
                member: ada.member.id,
                in: here
            )
        }
        for token in 1...3 as ClosedRange<UInt8> {
            try await save(token)
        }
        #expect(try await change(ada, .viewer, in: there) == .unknown)
        #expect(try await change(ada, .viewer) == .changed)
        let changed = try #require(await store.memberEntry(ada.member.id, in: here))
        #expect(changed.member.name == "Eve" && changed.member.role == .viewer)
        #expect(changed.updatedAt == later && changed.createdAt == now)
        #expect(try await session(1)?.role == .viewer)
        #expect(try await change(ada, .viewer, passwordHash: "new") == .changed)
        #expect(try await session(1) == nil)
        let found = try await store.memberWithPassword(email: ada.member.email)
        #expect(found?.passwordHash == "new")
        try await save(4)
        #expect(try await change(ada, .viewer, isActive: false) == .changed)
        #expect(try await session(4) == nil)
        #expect(try await store.memberWithPassword(email: ada.member.email) == nil)
        #expect(try await change(ada, .viewer) == .changed)
        #expect(try await session(4) == nil)
        #expect(try await store.memberWithPassword(email: ada.member.email) != nil)

        // What a change does not name stays.
        let renamed = try await store.changeMember(
            ada.member.id,
            in: here,
            to: { _ in MemberChange(role: .marketer) },
            noting: {
                AuditRecord(
                    at: later,
                    origin: .console,
                    author: "Mai",
                    action: "member_changed",
                    subject: $0.member.email,
                    detail: $0.member.role.rawValue
                )
            },
            now: later
        )
        guard case .changed(let entry) = renamed else {
            Issue.record("\(renamed)")
            return
        }
        #expect(entry.member.name == "Eve" && entry.member.role == .marketer && entry.isActive)
        let log = try await store.audit(in: here, matching: AuditQuery()).records
        #expect(log.map(\.subject) == [ada.member.email])
        #expect(log.map(\.detail) == ["marketer"])

        // An administrator who may not sign in does not count.
        let other = try await add(.administrator, isActive: false)
        #expect(try await change(admin, .marketer) == .lastAdministrator)
        #expect(try await change(admin, .administrator, isActive: false) == .lastAdministrator)
        #expect(try await remove(admin) == .lastAdministrator)
        #expect(try await change(other, .administrator) == .changed)
        #expect(try await remove(admin, in: there) == .unknown)
        #expect(try await remove(admin) == .changed)
        #expect(try await store.memberEntry(admin.member.id, in: here) == nil)
        #expect(try await remove(other) == .lastAdministrator)
    }

    package func changesAuthenticationThatNobodyElseHasChanged() async throws {
        let app = try await fixture().app
        let key = SDKAuthenticationPolicy.Key(id: UUID(), publicKey: "a", description: "A")
        let first = SDKAuthenticationPolicy(mode: .required, keys: [key])
        let second = SDKAuthenticationPolicy(mode: .optional, keys: [])
        func change(_ from: SDKAuthenticationPolicy, _ to: SDKAuthenticationPolicy) async throws
            -> Bool
        {
            try await store.changeAuthentication(from: from, to: to, of: app.id, noting: nil)
        }
        #expect(try await change(SDKAuthenticationPolicy(), first))
        #expect(try await !change(SDKAuthenticationPolicy(), second))
        #expect(try await store.app(sdkKey: app.sdkKey)?.authentication == first)
        #expect(try await change(first, second))
        #expect(try await store.app(sdkKey: app.sdkKey)?.authentication == second)
        #expect(
            try await !store.changeAuthentication(
                from: second,
                to: first,
                of: AppID(0),
                noting: nil
            )
        )
    }

    package func runsOneSyncJobOfAnIntegration() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let integration = UUID()
        func start(_ seconds: Double, in workspace: WorkspaceID? = nil) async throws -> SyncJob? {
            try await store.startSyncJob(
                of: integration,
                in: workspace ?? here,
                fileChangedAt: now,
                kept: 2,
                now: now.addingTimeInterval(seconds)
            )
        }
        func jobs(limit: Int = 9, offset: Int = 0) async throws -> [SyncJob] {
            try await store.syncJobs(of: integration, in: here, limit: limit, offset: offset)
        }
        var job = try #require(await start(1))
        #expect(try await start(2) == nil)
        let other = try #require(await start(2, in: there))
        #expect(
            try await store.runningSyncJobs().filter { $0.integration == integration }
                == [job, other]
        )
        job.state = .partial
        job.storedRows = 7
        job.rejectedRows = 2
        job.problem = "line 3"
        job.finishedAt = now.addingTimeInterval(5)
        try await store.updateSyncJob(job)
        #expect(try await jobs() == [job])
        #expect(
            try await store.runningSyncJobs().filter { $0.integration == integration }
                == [other]
        )
        for second in 6...8 {
            var next = try #require(await start(Double(second)))
            next.state = .success
            try await store.updateSyncJob(next)
        }
        // The one that begins, and those that are kept of the ones before.
        #expect(try await jobs().map(\.startedAt) == [8, 7, 6].map { now.addingTimeInterval($0) })
        #expect(try await jobs(limit: 1, offset: 1).map(\.startedAt) == [now.addingTimeInterval(7)])
    }
}

extension AccountStore {
    /// Says how the app's users prove who they are, whatever was said before.
    package func setAuthentication(_ authentication: SDKAuthenticationPolicy, of app: App)
        async throws
    {
        guard let stored = try await self.app(sdkKey: app.sdkKey) else { return }
        _ = try await changeAuthentication(
            from: stored.authentication,
            to: authentication,
            of: app.id,
            noting: nil
        )
    }
}
