import Foundation

/// A key of the REST API. Its secret is shown once and stored as a hash.
package struct APIKey: Sendable, Hashable {
    package var workspace: WorkspaceID
    package var name: String
    /// Endpoint names such as `users.track`, or `*` for all.
    package var permissions: Set<String>
    package var createdAt: Date
    package var revokedAt: Date?

    package init(
        workspace: WorkspaceID,
        name: String,
        permissions: Set<String>,
        createdAt: Date,
        revokedAt: Date? = nil
    ) {
        self.workspace = workspace
        self.name = name
        self.permissions = permissions
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }

    package func allows(_ permission: String) -> Bool {
        revokedAt == nil && (permissions.contains("*") || permissions.contains(permission))
    }
}
