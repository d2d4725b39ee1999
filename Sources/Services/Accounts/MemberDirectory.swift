import Foundation
import Model
import Ports
import Reasons

/// The members of a workspace, managed by administrators, another system's directory or the command
/// line.
package struct MemberDirectory: Sendable {
    package static let nameLimit = 255
    package static let emailLimit = 254
    package static let passwordLength = PasswordRule.length

    private let store: any MemberDirectoryStore
    private let accounts: AccountService
    private let now: @Sendable () -> Date

    package init(
        store: any MemberDirectoryStore,
        accounts: AccountService,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.accounts = accounts
        self.now = now
    }

    /// The data of a member.
    package struct Draft: Sendable, Hashable {
        package var email: String
        package var name: String
        package var role: Member.Role
        package var details: MemberDetails
        /// `nil` creates a member with a password that nobody knows.
        package var password: String?

        package init(
            email: String,
            name: String,
            role: Member.Role,
            details: MemberDetails = MemberDetails(),
            password: String? = nil
        ) {
            self.email = email
            self.name = name
            self.role = role
            self.details = details
            self.password = password
        }
    }

    package func members(
        in workspace: WorkspaceID,
        matching filter: MemberFilter?,
        limit: Int,
        offset: Int
    ) async throws -> (entries: [MemberEntry], total: Int) {
        try await store.memberEntries(
            in: workspace,
            matching: filter,
            limit: limit,
            offset: offset
        )
    }

    /// - Throws: `RefusalError` with the code `noMember`.
    package func member(
        _ id: MemberID,
        in workspace: WorkspaceID
    ) async throws -> MemberEntry {
        guard let entry = try await store.memberEntry(id, in: workspace) else {
            throw RefusalError(.noMember)
        }
        return entry
    }

    /// All members, in order of creation.
    package func members(in workspace: WorkspaceID) async throws -> [Member] {
        try await store.memberEntries(in: workspace, matching: nil, limit: .max, offset: 0)
            .entries.map(\.member)
    }

    package func member(email: String, in workspace: WorkspaceID) async throws -> MemberEntry? {
        try await store.memberEntries(in: workspace, matching: .email(email), limit: 1, offset: 0)
            .entries.first
    }

    /// Adds a member. Whoever has an account on this server becomes a member with it and keeps its
    /// password; the entry says then that they belong elsewhere too.
    ///
    /// - Throws: `RefusalError` with the code `memberTaken`, or `signInBusy` if too many passwords are
    ///   being hashed; `ValidationError` with everything that is wrong; `NotAllowedError` for actors who are not
    ///   administrators.
    package func add(_ draft: Draft, by actor: Actor) async throws -> MemberEntry {
        try actor.require(.administrator)
        var problems: [FieldProblem] = []
        let texts = [
            (FieldPath.Member.name, draft.name, Self.nameLimit),
            (.email, draft.email, Self.emailLimit),
        ]
        for (field, text, limit) in texts where !(1...limit).contains(text.count) {
            problems.append(FieldProblem(.member(field), .characters, ["count": "\(limit)"]))
        }
        do {
            if let password = draft.password { try PasswordRule.check(password) }
        } catch {
            problems += error.problems
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        let password = draft.password ?? accounts.token()
        do {
            return try await store.addMember(
                MemberDraft(
                    name: draft.name,
                    email: draft.email,
                    passwordHash: try await accounts.hash(ofPassword: password),
                    role: draft.role
                ),
                draft.details,
                in: actor.workspace,
                noting: record(
                    "member_added",
                    draft.email,
                    draft.role,
                    isActive: draft.details.isActive,
                    by: actor
                ),
                now: now()
            )
        } catch let error as StoreError where error.code == .exists {
            throw RefusalError(.memberTaken, ["address": .text(draft.email)])
        }
    }

    /// Adds a member. Whoever has no account yet, and for whom no password was chosen, chooses one
    /// by a link; there is none where the workspace's provider is the only way in.
    ///
    /// - Throws: As ``add(_:by:)``.
    package func invite(
        _ draft: Draft,
        by actor: Actor
    ) async throws -> (entry: MemberEntry, link: PasswordLink?) {
        let entry = try await add(draft, by: actor)
        guard draft.password == nil, !entry.belongsElsewhere,
            try await accounts.store.openIDProvider(of: actor.workspace)?.isOnlyWay != true
        else { return (entry, nil) }
        return (entry, try await accounts.makePasswordLink(for: entry.member.id, by: actor))
    }

    /// Adds somebody who is a member of another workspace, under the name that they have there.
    ///
    /// - Throws: `RefusalError` with the code `memberTaken`, or `noMember` if nobody with the address may
    ///   sign in; `NotAllowedError` to whoever is not at the command line, which alone sees that name.
    package func addKnown(
        email: String,
        role: Member.Role,
        by actor: Actor
    ) async throws -> MemberEntry {
        guard case .commandLine = actor else { throw NotAllowedError() }
        guard let known = try await accounts.store.memberships(email: email).first else {
            throw RefusalError(.noMember)
        }
        return try await add(Draft(email: known.email, name: known.name, role: role), by: actor)
    }

    /// Replaces a member's data, except the address, which cannot change.
    ///
    /// - Parameter draft: Makes the new data from the member as stored; its password may not depend
    ///   on them. It is called again in the transaction, so that what somebody else changes in the
    ///   same moment is kept.
    /// - Throws: `RefusalError`; `NotAllowedError` for actors who are not administrators, and for
    ///   members themselves; what `draft` throws.
    package func change(
        _ member: MemberID,
        to draft: @escaping @Sendable (MemberEntry) throws -> Draft,
        by actor: Actor
    ) async throws -> MemberEntry {
        try check(actor, member)
        let checked: @Sendable (MemberEntry) throws -> Draft = { entry in
            let draft = try draft(entry)
            guard draft.email.lowercased() == entry.member.email.lowercased() else {
                throw RefusalError(.memberAddress)
            }
            return draft
        }
        // Hashing takes too long for a transaction.
        let password = try checked(await self.member(member, in: actor.workspace)).password
        let hash: String? =
            if let password { try await accounts.hash(ofPassword: password) } else { nil }
        return try await change(member, by: actor) { entry in
            let draft = try checked(entry)
            return MemberChange(
                name: draft.name,
                role: draft.role,
                details: draft.details,
                passwordHash: hash
            )
        }
    }

    /// Changes a member's role.
    ///
    /// - Throws: As ``change(_:to:by:)``.
    package func setRole(
        _ role: Member.Role,
        of member: MemberID,
        by actor: Actor
    ) async throws {
        try check(actor, member)
        _ = try await change(member, by: actor) { _ in MemberChange(role: role) }
    }

    /// Removes a member from the workspace and ends their sessions in it.
    ///
    /// - Throws: As ``change(_:to:by:)``.
    package func remove(_ member: MemberID, by actor: Actor) async throws {
        try check(actor, member)
        _ = try Self.entry(
            try await store.removeMember(
                member,
                in: actor.workspace,
                noting: { record("member_removed", $0, by: actor) },
                now: now()
            )
        )
    }

    private func change(
        _ member: MemberID,
        by actor: Actor,
        to change: @escaping @Sendable (MemberEntry) throws -> MemberChange
    ) async throws -> MemberEntry {
        try Self.entry(
            try await store.changeMember(
                member,
                in: actor.workspace,
                to: change,
                noting: { record("member_changed", $0, by: actor) },
                now: now()
            )
        )
    }

    /// Members cannot change themselves.
    private func check(_ actor: Actor, _ member: MemberID) throws(NotAllowedError) {
        try actor.require(.administrator)
        guard !actor.isMember(member) else { throw NotAllowedError() }
    }

    private static func entry(
        _ outcome: MemberChangeOutcome
    ) throws(RefusalError) -> MemberEntry {
        switch outcome {
        case .changed(let entry): return entry
        case .unknown: throw RefusalError(.noMember)
        case .lastAdministrator: throw RefusalError(.lastAdministrator)
        case .belongsElsewhere: throw RefusalError(.memberElsewhere)
        }
    }

    private func record(_ action: String, _ entry: MemberEntry, by actor: Actor) -> AuditRecord {
        let member = entry.member
        return record(action, member.email, member.role, isActive: entry.isActive, by: actor)
    }

    private func record(
        _ action: String,
        _ email: String,
        _ role: Member.Role,
        isActive: Bool,
        by actor: Actor
    ) -> AuditRecord {
        AuditRecord(
            at: now(),
            by: actor,
            action: action,
            subject: email,
            detail: isActive ? role.rawValue : "\(role.rawValue), inactive"
        )
    }
}
