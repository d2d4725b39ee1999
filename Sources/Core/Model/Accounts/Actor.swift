/// The author of a change: their permissions, and their name in the audit log.
package enum Actor: Sendable, Hashable {
    case member(Member)
    /// The key's permission was checked when the request arrived.
    case key(APIKey)
    /// An account of the operating system.
    case commandLine(account: String, WorkspaceID)

    package var workspace: WorkspaceID {
        switch self {
        case .member(let member): member.workspace
        case .key(let key): key.workspace
        case .commandLine(_, let workspace): workspace
        }
    }

    package var name: String {
        switch self {
        case .member(let member): member.name
        case .key(let key): key.name
        case .commandLine(let account, _): account
        }
    }

    package var origin: AuditRecord.Origin {
        switch self {
        case .member: .console
        case .key: .api
        case .commandLine: .commandLine
        }
    }

    package func isMember(_ id: MemberID) -> Bool {
        if case .member(let member) = self { member.id == id } else { false }
    }

    /// - Throws: ``NotAllowedError`` for a member with a lower role than `role`.
    package func require(_ role: Member.Role) throws(NotAllowedError) {
        if case .member(let member) = self, member.role < role { throw NotAllowedError() }
    }
}

/// The role does not permit the attempted action.
package struct NotAllowedError: Error, Sendable, Hashable {
    package init() {}
}
