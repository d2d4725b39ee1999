import Foundation
import Model

/// A person who uses the console, in one workspace.
package struct ConsoleMember: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var email: String
    package var role: Member.Role
    package var workspaceID: Int64
    package var workspaceName: String
    package var timeZone: TimeZone
    /// Tells this workspace from others at a glance.
    package var color: WorkspaceColor
    package var lastSignedInAt: Date?

    package init(
        id: Int64,
        name: String,
        email: String,
        role: Member.Role,
        workspaceID: Int64,
        workspaceName: String,
        timeZone: TimeZone,
        color: WorkspaceColor = .ember,
        lastSignedInAt: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.role = role
        self.workspaceID = workspaceID
        self.workspaceName = workspaceName
        self.timeZone = timeZone
        self.color = color
        self.lastSignedInAt = lastSignedInAt
    }

    /// The member for the services.
    var model: Member {
        Member(
            id: MemberID(id),
            workspace: WorkspaceID(workspaceID),
            name: name,
            email: email,
            role: role,
            lastSignedInAt: lastSignedInAt
        )
    }

    package var actor: Actor { .member(model) }
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
