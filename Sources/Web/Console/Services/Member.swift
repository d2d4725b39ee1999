import Foundation

/// A person who uses the console, in one workspace.
package struct ConsoleMember: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var email: String
    package var role: MemberRole
    package var workspaceID: Int64
    package var workspaceName: String
    package var timeZone: TimeZone

    package init(
        id: Int64,
        name: String,
        email: String,
        role: MemberRole,
        workspaceID: Int64,
        workspaceName: String,
        timeZone: TimeZone
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.role = role
        self.workspaceID = workspaceID
        self.workspaceName = workspaceName
        self.timeZone = timeZone
    }
}

/// What a member may do; each role may also do what the ones before it may.
package enum MemberRole: String, Sendable, Hashable, CaseIterable, Comparable, Codable {
    /// Sees everything, changes nothing.
    case viewer
    /// Writes and sends messages, makes segments and news.
    case marketer
    /// Also apps, keys, team and limits.
    case administrator

    package static func < (left: MemberRole, right: MemberRole) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .marketer: 1
        case .administrator: 2
        }
    }
}

/// A login that has succeeded.
package struct ConsoleSession: Sendable, Hashable {
    /// At least 128 random bits, without characters that a cookie does not allow.
    package var token: String
    package var expiresAt: Date

    package init(token: String, expiresAt: Date) {
        self.token = token
        self.expiresAt = expiresAt
    }
}
