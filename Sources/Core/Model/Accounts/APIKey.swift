import Foundation

/// A key of the REST API. Its secret is shown once and stored as a hash.
package struct APIKey: Sendable, Hashable {
    package var workspace: WorkspaceID
    package var name: String
    /// Creates and removes members.
    package static let memberPermission = "scim"
    package static let secondFactorPermission = "members.second_factors"
    package static let secondFactorRemovalPermission = "members.second_factors.remove"
    package static let passwordLinkPermission = "members.password_link"
    /// What reaches the people who use the console, so a key with all permissions does not include it.
    package static let permissionsByName: Set<String> = [
        memberPermission, secondFactorPermission, secondFactorRemovalPermission,
        passwordLinkPermission,
    ]

    /// Endpoint names such as `users.track`, or `*` for all except `permissionsByName`.
    package var permissions: Set<String>
    /// The addresses from which the key may be used; empty means all of them.
    package var allowedAddresses: [AddressRange]
    package var createdAt: Date
    package var revokedAt: Date?
    /// From when on the key is refused; `nil` means never.
    package var expiresAt: Date?
    /// The time of the last use, to the minute.
    package var lastUsedAt: Date?

    package init(
        workspace: WorkspaceID,
        name: String,
        permissions: Set<String>,
        allowedAddresses: [AddressRange] = [],
        createdAt: Date,
        revokedAt: Date? = nil,
        expiresAt: Date? = nil,
        lastUsedAt: Date? = nil
    ) {
        self.workspace = workspace
        self.name = name
        self.permissions = permissions
        self.allowedAddresses = allowedAddresses
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
    }

    package func isExpired(at time: Date) -> Bool {
        expiresAt.map { $0 <= time } ?? false
    }

    package func allows(_ permission: String) -> Bool {
        guard revokedAt == nil else { return false }
        return permissions.contains(permission)
            || permissions.contains("*") && !Self.permissionsByName.contains(permission)
    }

    /// Whether the key may be used from `address`; an unknown address is allowed only if all are.
    package func allows(from address: String?) -> Bool {
        allowedAddresses.isEmpty
            || address.map { address in allowedAddresses.contains { $0.contains(address) } } == true
    }
}
