import Foundation

/// A key of the REST API. Its secret is shown once and stored as a hash.
package struct APIKey: Sendable, Hashable {
    package var workspace: WorkspaceID
    package var name: String
    /// Makes and removes people who may sign in, so a key for everything does not have it by itself.
    package static let memberPermission = "scim"

    /// Endpoint names such as `users.track`, or `*` for all but `memberPermission`.
    package var permissions: Set<String>
    /// Where it may be used from; everywhere when empty.
    package var allowedAddresses: [AddressRange]
    package var createdAt: Date
    package var revokedAt: Date?
    /// When it was last used, to the minute.
    package var lastUsedAt: Date?

    package init(
        workspace: WorkspaceID,
        name: String,
        permissions: Set<String>,
        allowedAddresses: [AddressRange] = [],
        createdAt: Date,
        revokedAt: Date? = nil,
        lastUsedAt: Date? = nil
    ) {
        self.workspace = workspace
        self.name = name
        self.permissions = permissions
        self.allowedAddresses = allowedAddresses
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }

    package func allows(_ permission: String) -> Bool {
        guard revokedAt == nil else { return false }
        return permissions.contains(permission)
            || permissions.contains("*") && permission != Self.memberPermission
    }

    /// Whether it may be used from `address`; from an unknown one only when it may from everywhere.
    package func allows(from address: String?) -> Bool {
        allowedAddresses.isEmpty
            || address.map { address in allowedAddresses.contains { $0.contains(address) } } == true
    }
}
