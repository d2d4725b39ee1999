import Foundation
import Model
import Ports

/// What another system's directory does with the members of a workspace.
package struct MemberDirectory: Sendable {
    package static let nameLimit = 255
    package static let emailLimit = 254
    package static let passwordLength = PasswordRule.length

    private let store: any MemberDirectoryStore
    private let accounts: AccountService
    private let audit: AuditLog
    private let now: @Sendable () -> Date

    package init(
        store: any MemberDirectoryStore,
        accounts: AccountService,
        audit: AuditLog,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.accounts = accounts
        self.audit = audit
        self.now = now
    }

    /// What is said of a member.
    package struct Draft: Sendable, Hashable {
        package var email: String
        package var name: String
        package var role: Member.Role
        package var details: MemberDetails
        /// Nobody knows the password of a member who is made without one.
        package var password: String?

        package init(
            email: String,
            name: String,
            role: Member.Role,
            details: MemberDetails,
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

    /// - Throws: `MemberRefusal.unknown`.
    package func member(
        _ id: MemberID,
        in workspace: WorkspaceID
    ) async throws -> MemberEntry {
        guard let entry = try await store.memberEntry(id, in: workspace) else {
            throw MemberRefusal.unknown
        }
        return entry
    }

    /// - Throws: `MemberRefusal.taken`.
    package func add(
        _ draft: Draft,
        by author: String,
        in workspace: WorkspaceID
    ) async throws -> MemberEntry {
        let password = draft.password ?? accounts.token()
        let entry: MemberEntry
        do {
            entry = try await store.addMember(
                MemberDraft(
                    name: draft.name,
                    email: draft.email,
                    passwordHash: try await accounts.hash(ofPassword: password),
                    role: draft.role
                ),
                draft.details,
                in: workspace,
                now: now()
            )
        } catch let error as StoreError where error.code == .exists {
            throw MemberRefusal.taken
        }
        try await record("member_added", entry, by: author)
        return entry
    }

    /// Makes a member what `draft` says, but for the address, which stays.
    ///
    /// - Throws: `MemberRefusal`.
    package func change(
        _ entry: MemberEntry,
        to draft: Draft,
        by author: String
    ) async throws -> MemberEntry {
        let member = entry.member
        guard draft.email.lowercased() == member.email.lowercased() else {
            throw MemberRefusal.otherAddress
        }
        var hash: String?
        if let password = draft.password { hash = try await accounts.hash(ofPassword: password) }
        let outcome = try await store.changeMember(
            member.id,
            in: member.workspace,
            to: MemberChange(
                name: draft.name,
                role: draft.role,
                details: draft.details,
                passwordHash: hash
            ),
            now: now()
        )
        try Self.check(outcome)
        let changed = try await self.member(member.id, in: member.workspace)
        try await record("member_changed", changed, by: author)
        return changed
    }

    /// Removes a member and ends their sessions.
    ///
    /// - Throws: `MemberRefusal`.
    package func remove(_ entry: MemberEntry, by author: String) async throws {
        try Self.check(
            try await store.removeMember(entry.member.id, in: entry.member.workspace)
        )
        try await record("member_removed", entry, by: author)
    }

    private static func check(_ outcome: MemberChangeOutcome) throws(MemberRefusal) {
        switch outcome {
        case .changed: return
        case .unknown: throw .unknown
        case .lastAdministrator: throw .lastAdministrator
        }
    }

    private func record(
        _ action: String,
        _ entry: MemberEntry,
        by author: String
    ) async throws {
        try await audit.record(
            action,
            entry.member.email,
            detail: entry.isActive
                ? entry.member.role.rawValue : "\(entry.member.role.rawValue), inactive",
            by: author,
            in: entry.member.workspace
        )
    }
}

/// Why something cannot be done with a member.
package enum MemberRefusal: Error, Sendable, Hashable {
    case unknown
    /// Somebody has the address.
    case taken
    /// An address is not changed.
    case otherAddress
    case lastAdministrator
}
