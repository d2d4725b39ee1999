import Crypto
import Foundation
import Logging
import Model
import Ports
import Reasons

/// Signs members in by OpenID Connect: the authorization code flow (OpenID Connect Core 1.0, section
/// 3.1) with PKCE (RFC 7636), as RFC 9700 wants it.
///
/// A sign-in belongs to the browser that began it: nonce and code verifier are made from what only
/// that browser knows, and the store has hashes alone.
package struct OpenIDSignInService: Sendable {
    package typealias Store = OpenIDStore & SignInStore & WorkspaceStore

    /// How long a person may take at the provider, in seconds.
    package static let attemptLength: TimeInterval = 600
    private static let backLimit = 2_000

    private let store: any Store
    private let accounts: AccountService
    private let vault: any OpenIDSecretVault
    private let client: OpenIDProviderClient
    private let now: @Sendable () -> Date
    private let logger: Logger

    package init(
        store: any Store,
        accounts: AccountService,
        vault: any OpenIDSecretVault,
        client: OpenIDProviderClient,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.accounts = accounts
        self.vault = vault
        self.client = client
        self.now = now
        self.logger = logger
    }

    /// What the login page offers.
    package struct Choices: Sendable, Hashable {
        package var providers: [OpenIDProvider]
        /// Whether there is a workspace whose members sign in with passwords and passkeys.
        package var hasOwnWay: Bool
    }

    /// The browser and the address at which a sign-in takes place.
    package struct Place: Sendable {
        /// What only the browser knows.
        package var browser: String
        /// The address of this server to which the provider sends the browser back.
        package var redirect: String
        /// The client's address.
        package var address: String?
        package var userAgent: String

        package init(browser: String, redirect: String, address: String?, userAgent: String = "") {
            self.browser = browser
            self.redirect = redirect
            self.address = address
            self.userAgent = userAgent
        }
    }

    /// What the provider's answer says, as the browser brings it.
    package struct Answer: Sendable {
        package var state: String
        package var code: String
        /// Empty unless the provider refused.
        package var error: String
        /// Empty unless the answer names it (RFC 9207).
        package var issuer: String

        package init(state: String, code: String = "", error: String = "", issuer: String = "") {
            self.state = state
            self.code = code
            self.error = error
            self.issuer = issuer
        }
    }

    package func choices() async throws -> Choices {
        let providers = try await store.openIDProviders()
        let only = providers.filter(\.isOnlyWay)
        let workspaces = only.isEmpty ? [] : try await store.workspaces().map(\.id)
        return Choices(
            providers: providers,
            hasOwnWay: only.isEmpty || !Set(workspaces).isSubset(of: only.map(\.workspace))
        )
    }

    // MARK: Beginning

    /// Begins a sign-in.
    ///
    /// - Parameter back: The page to return to afterwards.
    /// - Returns: The provider's address to which the browser goes; `nil` if the workspace has no
    ///   provider.
    /// - Throws: `RefusalError`.
    package func begin(
        in workspace: WorkspaceID,
        at place: Place,
        back: String
    ) async throws -> String? {
        guard let provider = try await store.openIDProvider(of: workspace) else { return nil }
        let quota = accounts.limits.beginningQuota(place.address)
        if let wait = try await store.takeSignInAttempt([quota], now: now()) {
            throw accounts.limited(until: wait)
        }
        let metadata: OpenIDMetadata
        do {
            metadata = try await client.metadata(of: provider.issuer, for: workspace)
        } catch let flaw as OpenIDError {
            logger.warning(
                "a sign-in with a provider could not begin",
                metadata: ["openid.issuer": "\(provider.issuer)", "openid.reason": "\(flaw)"]
            )
            throw RefusalError(.openIDFailed, ["provider": .text(provider.name)])
        }
        let state = accounts.token()
        try await store.saveOpenIDAttempt(
            OpenIDAttempt(
                workspace: workspace,
                browserHash: AccountService.hash(place.browser),
                back: back.utf8.count <= Self.backLimit ? back : "",
                expiresAt: now().addingTimeInterval(Self.attemptLength)
            ),
            stateHash: AccountService.hash(state),
            now: now()
        )
        let challenge = Data(SHA256.hash(data: Data(Self.verifier(place.browser, state).utf8)))
        let fields = FormText.text([
            ("response_type", "code"), ("client_id", provider.clientID),
            ("redirect_uri", place.redirect), ("scope", "openid email profile"),
            ("state", state), ("nonce", Self.nonce(place.browser, state)),
            ("code_challenge", Base64URL.text(challenge)), ("code_challenge_method", "S256"),
        ])
        let address = metadata.authorizationEndpoint
        return address + (address.contains("?") ? "&" : "?") + fields
    }

    // MARK: Completing

    /// Signs in with a provider's answer.
    ///
    /// - Returns: The sign-in, and the page to return to.
    /// - Throws: `RefusalError`; what is wrong at the provider is said in the workspace's audit log.
    package func complete(
        _ answer: Answer,
        in workspace: WorkspaceID,
        at place: Place
    ) async throws -> (signIn: SignIn, back: String) {
        let quota = accounts.limits.placeQuota(place.address)
        if let wait = try await store.takeSignInAttempt([quota], now: now()) {
            throw accounts.limited(until: wait)
        }
        let attempt = try await store.takeOpenIDAttempt(
            stateHash: AccountService.hash(answer.state),
            browserHash: AccountService.hash(place.browser),
            in: workspace,
            now: now()
        )
        guard let attempt, let provider = try await store.openIDProvider(of: workspace) else {
            throw RefusalError(.openIDExpired)
        }
        var arrival: Arrival
        var match: OpenIDMatch
        do {
            arrival = try await self.arrival(answer, provider, place)
            match = try await self.match(arrival.person, provider)
            // Whoever is bound needs no address.
            if match == .unknown, arrival.person.email == nil, let userInfo = arrival.userInfo {
                arrival.person = try await client.adding(
                    userInfoTo: arrival.person,
                    accessToken: userInfo.token,
                    at: userInfo.address,
                    for: workspace
                )
                match = try await self.match(arrival.person, provider)
            }
        } catch let flaw as OpenIDError {
            try await noteFailure("\(flaw)", of: provider.name, at: provider, place)
            throw RefusalError(.openIDFailed, ["provider": .text(provider.name)])
        }
        let person = arrival.person
        let member: Member
        do {
            member = try await self.member(match, person, provider)
        } catch let refusal as RefusalError {
            // With the subject an administrator can bind the person to a member.
            let reason = "\(refusal); subject \(person.subject.subject)"
            try await noteFailure(reason, of: person.email ?? "-", at: provider, place)
            throw refusal
        }
        if member.secondFactorAt != nil, !provider.isSecondFactor {
            let step = try await accounts.newStep(of: member, isByProvider: true)
            return (SignIn(member: member, token: step, awaitsCode: true), attempt.back)
        }
        let token = try await accounts.newSession(
            of: member,
            SignInLimits.Subjects(email: member.email, address: place.address),
            place.address,
            place.userAgent,
            by: provider
        )
        return (SignIn(member: member, token: token), attempt.back)
    }

    /// A person whom the provider has let in, and where it says more of them.
    private struct Arrival {
        var person: OpenIDPerson
        var userInfo: (address: String, token: String)?
    }

    /// - Throws: `OpenIDError`; `RefusalError` if the person was not let in there.
    private func arrival(
        _ answer: Answer,
        _ provider: OpenIDProvider,
        _ place: Place
    ) async throws -> Arrival {
        let workspace = provider.workspace
        let metadata = try await client.metadata(of: provider.issuer, for: workspace)
        // An answer of another provider must not bring its code to this one (RFC 9207, section 2.4).
        guard answer.issuer == provider.issuer || (answer.issuer.isEmpty && !metadata.namesIssuer)
        else {
            throw OpenIDError(
                .issuer,
                [
                    "issuer": .text(OpenIDProviderClient.plain(answer.issuer)),
                    "expected": .text(provider.issuer),
                ]
            )
        }
        guard answer.error.isEmpty else {
            if answer.error == "access_denied" {
                throw RefusalError(.openIDDenied, ["provider": .text(provider.name)])
            }
            throw OpenIDError(
                .providerError,
                ["error": .text(OpenIDProviderClient.plain(answer.error))]
            )
        }
        guard !answer.code.isEmpty else { throw OpenIDError(.missing, ["name": "code"]) }
        let tokens = try await client.exchange(
            answer.code,
            verifier: Self.verifier(place.browser, answer.state),
            redirect: place.redirect,
            at: metadata,
            client: (provider.clientID, try await secret(of: workspace)),
            for: workspace
        )
        let person = try await client.verify(
            tokens.idToken,
            by: IDTokenVerifier(
                issuer: provider.issuer,
                clientID: provider.clientID,
                nonce: Self.nonce(place.browser, answer.state),
                now: now()
            ),
            of: provider.issuer,
            for: workspace
        )
        var arrival = Arrival(person: person)
        if let address = metadata.userInfoEndpoint, let token = tokens.accessToken {
            arrival.userInfo = (address, token)
        }
        return arrival
    }

    private func secret(of workspace: WorkspaceID) async throws -> String {
        guard let box = try await store.openIDSecret(of: workspace) else {
            throw OpenIDError(.missing, ["name": "client_secret"])
        }
        do {
            return try vault.open(box, of: workspace)
        } catch {
            throw OpenIDError(.secret, ["reason": "\(error)"])
        }
    }

    // MARK: Members

    private func match(
        _ person: OpenIDPerson,
        _ provider: OpenIDProvider
    ) async throws -> OpenIDMatch {
        let time = now()
        return try await store.openIDMember(
            person.subject,
            verifiedEmail: person.verifiedEmail,
            in: provider.workspace,
            noting: { Self.record("openid_identity_bound", $0, provider, at: time) },
            now: time
        )
    }

    /// The member who a person is; a new one where the provider's domains say so.
    ///
    /// - Throws: `RefusalError`.
    private func member(
        _ match: OpenIDMatch,
        _ person: OpenIDPerson,
        _ provider: OpenIDProvider
    ) async throws -> Member {
        let named: [String: Reason.Argument] = ["provider": .text(provider.name)]
        switch match {
        case .member(let member): return member
        case .inactive: throw RefusalError(.openIDInactive)
        case .otherPerson: throw RefusalError(.openIDOtherPerson, named)
        case .removed: throw RefusalError(.openIDRemoved)
        case .unknown: break
        }
        guard let email = person.verifiedEmail, !email.isEmpty else {
            throw RefusalError(.openIDUnverified, named)
        }
        guard provider.takes(newcomer: email), email.count <= MemberDirectory.emailLimit,
            email.unicodeScalars.allSatisfy({ $0.value > 0x20 })
        else {
            throw RefusalError(.openIDUnknown, ["address": .text(String(email.prefix(100)))])
        }
        return try await newcomer(person, email: email, provider)
    }

    private func newcomer(
        _ person: OpenIDPerson,
        email: String,
        _ provider: OpenIDProvider
    ) async throws -> Member {
        let given = (person.name ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        let name = given.isEmpty ? String(email.prefix { $0 != "@" }) : given
        let draft = MemberDraft(
            name: String(name.prefix(MemberDirectory.nameLimit)),
            email: email,
            // Nobody knows this password.
            passwordHash: try await accounts.hash(ofPassword: accounts.token()),
            role: provider.newcomerRole
        )
        let time = now()
        let added: Member?
        do {
            added = try await store.addOpenIDMember(
                draft,
                person.subject,
                in: provider.workspace,
                noting: AuditRecord(
                    at: time,
                    origin: .console,
                    author: draft.name,
                    action: "member_added",
                    subject: email,
                    detail: "\(draft.role.rawValue); OpenID Connect: \(provider.name)"
                ),
                now: time
            )
        } catch let error as StoreError where error.code == .exists {
            throw RefusalError(.memberTaken, ["address": .text(email)])
        }
        guard let added else { throw RefusalError(.openIDRemoved) }
        return added
    }

    // MARK: Records

    private func noteFailure(
        _ reason: String,
        of subject: String,
        at provider: OpenIDProvider,
        _ place: Place
    ) async throws {
        let record = AuditRecord(
            at: now(),
            origin: .console,
            author: "-",
            action: "sign_in_failed",
            subject: subject,
            detail: "\(place.address ?? "-"); OpenID Connect: \(reason)"
        )
        try await accounts.noteFailure(record, in: provider.workspace)
    }

    private static func record(
        _ action: String,
        _ member: Member,
        _ provider: OpenIDProvider,
        at time: Date
    ) -> AuditRecord {
        AuditRecord(
            at: time,
            by: .member(member),
            action: action,
            subject: member.email,
            detail: provider.issuer
        )
    }

    // MARK: What only the browser knows

    private static func nonce(_ browser: String, _ state: String) -> String {
        derived("nonce", browser, state)
    }

    /// The code verifier: 43 characters (RFC 7636, section 4.1).
    private static func verifier(_ browser: String, _ state: String) -> String {
        derived("verifier", browser, state)
    }

    private static func derived(_ purpose: String, _ browser: String, _ state: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(purpose) \(state)".utf8),
            using: SymmetricKey(data: Data(browser.utf8))
        )
        return Base64URL.text(Data(code))
    }
}
