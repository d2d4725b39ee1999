import Foundation

/// A person who uses the console, as they are in one workspace.
package struct Member: Sendable, Hashable {
    /// A member's permissions; each role includes the ones before it.
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
        /// Can see everything and change nothing.
        case viewer
        /// Writes and sends messages, creates segments and news.
        case marketer
        /// Also manages apps, keys, the team and limits.
        case administrator

        package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .viewer: 0
            case .marketer: 1
            case .administrator: 2
            }
        }
    }

    package var id: MemberID
    package var workspace: WorkspaceID
    package var name: String
    package var email: String
    package var role: Role
    package var language: String?
    package var lastSignedInAt: Date?
    /// When the member has set up a second factor; `nil` without one.
    package var secondFactorAt: Date?
    /// Whether the session holds in this workspace only: the workspace's own provider has named the
    /// member, and its word counts nowhere else.
    package var isConfined = false

    package init(
        id: MemberID,
        workspace: WorkspaceID,
        name: String,
        email: String,
        role: Role,
        language: String? = nil,
        lastSignedInAt: Date? = nil,
        secondFactorAt: Date? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.email = email
        self.role = role
        self.language = language
        self.lastSignedInAt = lastSignedInAt
        self.secondFactorAt = secondFactorAt
    }
}
