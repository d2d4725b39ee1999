import Foundation

/// The OpenID Connect provider with which the members of a workspace sign in.
package struct OpenIDProvider: Sendable, Hashable {
    package static let nameLimit = 60
    package static let issuerLimit = 500
    package static let clientLimit = 255
    package static let secretLimit = 1_000
    package static let domainLimit = 20

    package var workspace: WorkspaceID
    /// What the button of the login page says.
    package var name: String
    /// The provider's identifier, from which everything else of it is read; compared byte by byte.
    package var issuer: String
    package var clientID: String
    /// Whether the workspace's members sign in by nothing else.
    package var isOnlyWay: Bool
    /// Whether a sign-in by it needs no second factor of this server: the provider asks for one.
    package var isSecondFactor: Bool
    /// In lowercase. Whoever has a verified e-mail address in one of them becomes a member at the
    /// first sign-in; without domains nobody does.
    package var domains: [String]
    /// The role of those who become members that way.
    package var newcomerRole: Member.Role

    package init(
        workspace: WorkspaceID,
        name: String,
        issuer: String,
        clientID: String,
        isOnlyWay: Bool = false,
        isSecondFactor: Bool = true,
        domains: [String] = [],
        newcomerRole: Member.Role = .viewer
    ) {
        self.workspace = workspace
        self.name = name
        self.issuer = issuer
        self.clientID = clientID
        self.isOnlyWay = isOnlyWay
        self.isSecondFactor = isSecondFactor
        self.domains = domains
        self.newcomerRole = newcomerRole
    }

    /// Whether people with this verified address become members.
    package func takes(newcomer email: String) -> Bool {
        guard let at = email.lastIndex(of: "@"), at != email.startIndex else { return false }
        return domains.contains(email[email.index(after: at)...].lowercased())
    }
}

/// A person at a provider: what no other person there has, now or later (OpenID Connect Core 1.0,
/// section 5.7).
package struct OpenIDSubject: Sendable, Hashable {
    package static let limit = 255

    package var issuer: String
    package var subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}

/// The person at a provider who a member is.
package struct OpenIDIdentity: Sendable, Hashable {
    package var subject: OpenIDSubject
    package var boundAt: Date
    package var lastUsedAt: Date?

    package init(subject: OpenIDSubject, boundAt: Date, lastUsedAt: Date? = nil) {
        self.subject = subject
        self.boundAt = boundAt
        self.lastUsedAt = lastUsedAt
    }
}

/// A sign-in that was begun and for which the provider's answer is awaited.
package struct OpenIDAttempt: Sendable, Hashable {
    package var workspace: WorkspaceID
    /// SHA-256 of what only the browser that began knows.
    package var browserHash: Data
    /// The page to return to.
    package var back: String
    package var expiresAt: Date

    package init(workspace: WorkspaceID, browserHash: Data, back: String, expiresAt: Date) {
        self.workspace = workspace
        self.browserHash = browserHash
        self.back = back
        self.expiresAt = expiresAt
    }
}

/// The member who a person at a provider is, or why there is none.
package enum OpenIDMatch: Sendable, Hashable {
    case member(Member)
    /// There is a member, who may not sign in.
    case inactive(Member)
    /// The member with this address is another person at the provider.
    case otherPerson(Member)
    /// Somebody removed this person from the workspace.
    case removed
    case unknown
}
