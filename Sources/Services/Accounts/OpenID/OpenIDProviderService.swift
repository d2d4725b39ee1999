import Foundation
import Model
import Ports
import Reasons

/// Sets up the provider with which a workspace's members sign in, and says which person there a
/// member is.
package struct OpenIDProviderService: Sendable {
    private let store: any OpenIDStore
    private let vault: any OpenIDSecretVault
    private let client: OpenIDProviderClient
    private let now: @Sendable () -> Date

    package init(
        store: any OpenIDStore,
        vault: any OpenIDSecretVault,
        client: OpenIDProviderClient,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.vault = vault
        self.client = client
        self.now = now
    }

    /// What an administrator writes.
    package struct Draft: Sendable, Hashable {
        package var name: String
        package var issuer: String
        package var clientID: String
        /// Empty keeps the one that is stored.
        package var secret: String
        package var isOnlyWay: Bool
        package var isSecondFactor: Bool
        package var domains: [String]
        package var newcomerRole: Member.Role

        package init(
            name: String = "",
            issuer: String = "",
            clientID: String = "",
            secret: String = "",
            isOnlyWay: Bool = false,
            isSecondFactor: Bool = true,
            domains: [String] = [],
            newcomerRole: Member.Role = .viewer
        ) {
            self.name = name
            self.issuer = issuer
            self.clientID = clientID
            self.secret = secret
            self.isOnlyWay = isOnlyWay
            self.isSecondFactor = isSecondFactor
            self.domains = domains
            self.newcomerRole = newcomerRole
        }

        package init(_ provider: OpenIDProvider) {
            self.init(
                name: provider.name,
                issuer: provider.issuer,
                clientID: provider.clientID,
                isOnlyWay: provider.isOnlyWay,
                isSecondFactor: provider.isSecondFactor,
                domains: provider.domains,
                newcomerRole: provider.newcomerRole
            )
        }
    }

    /// What a provider publishes.
    package struct Findings: Sendable, Hashable {
        package var metadata: OpenIDMetadata
        /// The number of its keys that can be used.
        package var keys: Int
    }

    // MARK: Provider

    package func provider(of workspace: WorkspaceID) async throws -> OpenIDProvider? {
        try await store.openIDProvider(of: workspace)
    }

    /// - Throws: `ValidationError` with everything that is wrong; `NotAllowedError` to whoever is no
    ///   administrator.
    package func save(_ draft: Draft, by actor: Actor) async throws -> OpenIDProvider {
        try actor.require(.administrator)
        let former = try await store.openIDProvider(of: actor.workspace)
        let provider = try Self.checked(draft, former, actor.workspace)
        let secret = draft.secret
        try await store.saveOpenIDProvider(
            provider,
            secret: secret.isEmpty ? nil : vault.seal(secret, of: actor.workspace),
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "openid_provider_saved",
                subject: provider.name,
                detail: Self.summary(provider)
            ),
            now: now()
        )
        return provider
    }

    /// Removes the provider; members sign in with passwords and passkeys then. Which person there a
    /// member is stays known.
    ///
    /// - Returns: `false` if there is none.
    /// - Throws: `NotAllowedError` to whoever is no administrator.
    package func remove(by actor: Actor) async throws -> Bool {
        try actor.require(.administrator)
        guard let provider = try await store.openIDProvider(of: actor.workspace) else {
            return false
        }
        return try await store.deleteOpenIDProvider(
            of: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "openid_provider_removed",
                subject: provider.name
            )
        )
    }

    /// Reads what the provider with this issuer publishes, and checks whether a sign-in with it
    /// would work as far as that tells.
    ///
    /// - Throws: `ValidationError` if the issuer is no address; `OpenIDError` with what is wrong;
    ///   `NotAllowedError` to whoever is no administrator.
    package func look(at issuer: String, by actor: Actor) async throws -> Findings {
        try actor.require(.administrator)
        if let problem = Self.problem(issuer: issuer) { throw ValidationError([problem]) }
        let found = try await client.read(issuer, for: actor.workspace)
        return Findings(metadata: found.metadata, keys: found.keys.count)
    }

    // MARK: Members

    /// - Throws: `NotAllowedError` for members other than the member and administrators.
    package func identities(
        of member: MemberID,
        by actor: Actor
    ) async throws -> [OpenIDIdentity] {
        if !actor.isMember(member) { try actor.require(.administrator) }
        return try await store.openIDIdentities(of: member, in: actor.workspace)
    }

    /// Says that a member is this person at the workspace's provider, as where the provider does not
    /// verify addresses.
    ///
    /// - Throws: `ValidationError`; `RefusalError` with the code `noMember`, `openIDNoProvider` or
    ///   `openIDBound`; `NotAllowedError` to whoever is no administrator.
    package func bind(_ subject: String, to member: MemberID, by actor: Actor) async throws {
        try actor.require(.administrator)
        guard (1...OpenIDSubject.limit).contains(subject.utf8.count) else {
            throw ValidationError(
                .openID(.subject),
                .characters,
                ["count": "\(OpenIDSubject.limit)"]
            )
        }
        guard let provider = try await store.openIDProvider(of: actor.workspace) else {
            throw RefusalError(.openIDNoProvider)
        }
        let time = now()
        let bound: Member?
        do {
            bound = try await store.bindOpenIDSubject(
                OpenIDSubject(issuer: provider.issuer, subject: subject),
                to: member,
                in: actor.workspace,
                noting: {
                    AuditRecord(
                        at: time,
                        by: actor,
                        action: "openid_identity_bound",
                        subject: $0.email,
                        detail: provider.issuer
                    )
                },
                now: time
            )
        } catch let error as StoreError where error.code == .exists {
            throw RefusalError(.openIDBound)
        }
        guard bound != nil else { throw RefusalError(.noMember) }
    }

    /// Releases a member from the person at the provider, and ends the member's sign-ins. The next
    /// person with the member's verified address becomes the member.
    ///
    /// - Returns: `false` if the workspace has no such member, or none is bound.
    /// - Throws: `NotAllowedError` to whoever is no administrator.
    package func release(_ member: MemberID, by actor: Actor) async throws -> Bool {
        try actor.require(.administrator)
        let time = now()
        return try await store.releaseOpenIDMember(member, in: actor.workspace) {
            AuditRecord(
                at: time,
                by: actor,
                action: "openid_identity_removed",
                subject: $0.email
            )
        } != nil
    }

    // MARK: Rules

    private static func checked(
        _ draft: Draft,
        _ former: OpenIDProvider?,
        _ workspace: WorkspaceID
    ) throws(ValidationError) -> OpenIDProvider {
        var problems: [FieldProblem] = []
        func text(_ value: String, _ field: FieldPath.OpenID, upTo limit: Int) -> String {
            let text = value.trimmingCharacters(in: .whitespacesAndNewlines)
            if !(1...limit).contains(text.count) {
                problems.append(
                    FieldProblem(.openID(field), .characters, ["count": "\(limit)"])
                )
            }
            return text
        }
        let provider = OpenIDProvider(
            workspace: workspace,
            name: text(draft.name, .name, upTo: OpenIDProvider.nameLimit),
            issuer: draft.issuer.trimmingCharacters(in: .whitespacesAndNewlines),
            clientID: text(draft.clientID, .clientID, upTo: OpenIDProvider.clientLimit),
            isOnlyWay: draft.isOnlyWay,
            isSecondFactor: draft.isSecondFactor,
            domains: draft.domains.map { $0.lowercased() },
            newcomerRole: draft.newcomerRole
        )
        if let problem = problem(issuer: provider.issuer) { problems.append(problem) }
        if draft.secret.count > OpenIDProvider.secretLimit {
            problems.append(
                FieldProblem(
                    .openID(.secret),
                    .charactersAtMost,
                    ["count": "\(OpenIDProvider.secretLimit)"]
                )
            )
        }
        // A stored secret must not go to another address than the one for which it was given.
        let isSame = former?.issuer == provider.issuer && former?.clientID == provider.clientID
        if draft.secret.isEmpty, !isSame {
            problems.append(FieldProblem(.openID(.secret), .needsSecret))
        }
        if provider.domains.count > OpenIDProvider.domainLimit {
            problems.append(
                FieldProblem(
                    .openID(.domains),
                    .mostElements,
                    ["count": "\(OpenIDProvider.domainLimit)"]
                )
            )
        }
        if let wrong = provider.domains.first(where: { !isDomain($0) }) {
            problems.append(FieldProblem(.openID(.domains), .noDomain, ["text": .text(wrong)]))
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        return provider
    }

    private static func problem(issuer: String) -> FieldProblem? {
        issuer.utf8.count <= OpenIDProvider.issuerLimit && OpenIDAddress.isIssuer(issuer)
            ? nil : FieldProblem(.openID(.issuer), .noIssuer)
    }

    private static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy {
                        (97...122).contains($0) || (48...57).contains($0) || $0 == 45
                    }
            }
    }

    private static func summary(_ provider: OpenIDProvider) -> String {
        var parts = [provider.issuer]
        if provider.isOnlyWay { parts.append("the only way to sign in") }
        if !provider.isSecondFactor { parts.append("without standing for a second factor") }
        if !provider.domains.isEmpty {
            parts.append(
                "\(provider.domains.joined(separator: ", ")) become \(provider.newcomerRole.rawValue)"
            )
        }
        return parts.joined(separator: "; ")
    }
}
