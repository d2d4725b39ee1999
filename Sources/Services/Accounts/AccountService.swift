import Crypto
import Foundation
import Model
import Ports
import Reasons
import Synchronization

/// Keys of the REST API, and sign-in.
package final class AccountService: Sendable {
    /// How long a session is valid, in seconds.
    package static let sessionLength: TimeInterval = 14 * 86_400
    /// The same of one that began at a provider: whoever has lost the account there is out of the
    /// console a working day later.
    package static let providerSessionLength: TimeInterval = 12 * 3_600

    /// A key that should hold longer has no end.
    private static let latestExpiry = Date(timeIntervalSince1970: 253_370_764_800)

    private static let usePrecision: TimeInterval = 60

    /// Maximum length of an e-mail address; longer ones are not looked up.
    private static let maxEmailLength = 320

    package typealias Store = AccountStore & SignInStore & PasswordStore & ConsoleSessionStore
        & AuditStore & SecondFactorStore & OpenIDStore & MembershipStore

    let store: any Store
    let now: @Sendable () -> Date
    let random: @Sendable (Int) -> [UInt8]
    let hasher: PasswordHasher
    let limits: SignInLimits
    let counts = Mutex(SignInCounts())

    package init(
        store: any Store,
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable (Int) -> [UInt8],
        hasher: PasswordHasher = PasswordHasher(),
        limits: SignInLimits = SignInLimits()
    ) {
        self.store = store
        self.now = now
        self.random = random
        self.hasher = hasher
        self.limits = limits
    }

    // MARK: API keys

    /// Creates a key and returns its secret, which is shown once and stored as a hash.
    ///
    /// - Parameter expiresAt: From when on it is refused; `nil` means never.
    /// - Throws: `ValidationError`; `NotAllowedError` to whoever is no administrator.
    package func createAPIKey(
        name: String,
        permissions: Set<String>,
        allowedAddresses: [AddressRange] = [],
        expiresAt: Date? = nil,
        by actor: Actor
    ) async throws -> String {
        try actor.require(.administrator)
        var problems: [FieldProblem] = []
        if name.isEmpty { problems.append(FieldProblem(.apiKey(.name), .keyName)) }
        if permissions.isEmpty {
            problems.append(FieldProblem(.apiKey(.permissions), .keyPermissions))
        }
        if let expiresAt, expiresAt <= now() || expiresAt > Self.latestExpiry {
            problems.append(FieldProblem(.apiKey(.until), .keyEnded))
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        let secret = "nrs_" + token()
        do {
            try await store.saveAPIKey(
                APIKey(
                    workspace: actor.workspace,
                    name: name,
                    permissions: permissions,
                    allowedAddresses: allowedAddresses,
                    createdAt: now(),
                    expiresAt: expiresAt
                ),
                secretHash: Self.hash(secret),
                noting: AuditRecord(
                    at: now(),
                    by: actor,
                    action: "key_created",
                    subject: name,
                    detail: permissions.sorted().joined(separator: ", ")
                        + (expiresAt.map { "; until \(Timestamp.format($0))" } ?? "")
                )
            )
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError(.apiKey(.name), .keyTaken, ["name": .text(name)])
        }
        return secret
    }

    /// The keys of a workspace, including revoked and expired ones, in order of creation.
    package func apiKeys(in workspace: WorkspaceID) async throws -> [APIKey] {
        try await store.apiKeys(in: workspace)
    }

    /// Revokes a key immediately.
    ///
    /// - Returns: `false` if no unrevoked key has this name.
    /// - Throws: `NotAllowedError` for actors who are not administrators.
    package func revokeAPIKey(named name: String, by actor: Actor) async throws -> Bool {
        try actor.require(.administrator)
        return try await store.revokeAPIKey(
            named: name,
            in: actor.workspace,
            noting: AuditRecord(at: now(), by: actor, action: "key_revoked", subject: name),
            now: now()
        )
    }

    /// The key with this secret; `nil` if there is none, or it was revoked or has expired.
    package func apiKey(secret: String) async throws -> APIKey? {
        let hash = Self.hash(secret)
        let now = now()
        guard let key = try await store.apiKey(secretHash: hash), key.revokedAt == nil,
            !key.isExpired(at: now)
        else { return nil }
        // Recorded to the minute, so that not every request waits for the writer.
        if key.lastUsedAt.map({ now.timeIntervalSince($0) >= Self.usePrecision }) ?? true {
            do {
                try await store.recordAPIKeyUse(secretHash: hash, at: now)
            } catch let error as StoreError where error.code == .unavailable {
                // Requests that only read are answered even if the store cannot be written.
            }
        }
        return key
    }

    // MARK: Sign-in

    /// The hash of a password, as it is stored.
    ///
    /// - Throws: `ValidationError`; `RefusalError` with the code `signInBusy` if too many passwords are
    ///   being hashed.
    func hash(ofPassword password: String) async throws -> String {
        try PasswordRule.check(password)
        return try await hasher.make(password, salt: random(16))
    }

    /// Signs in and returns the member and the token of the new session, or of the step that awaits
    /// the member's second factor; `nil` for a wrong address or password. Neither the result nor the time it takes reveals whether the account
    /// exists.
    ///
    /// - Parameters:
    ///   - address: The client's address.
    ///   - userAgent: What the browser calls itself.
    /// - Throws: `RefusalError` if the password was not checked, or does not open the account.
    package func signIn(
        email: String,
        password: String,
        from address: String? = nil,
        userAgent: String = ""
    ) async throws -> SignIn? {
        guard hasher.hasRoom else { throw counted(PasswordHasher.busy) }
        let subjects = SignInLimits.Subjects(email: email, address: address)
        let quotas = limits.quotas(subjects)
        let isName =
            email.utf8.count <= Self.maxEmailLength
            && !email.unicodeScalars.contains { $0.value < 0x20 }
        if let wait = try await store.takeSignInAttempt(quotas, now: now()) {
            if isName { try await noteLimit(at: email, subjects, from: address) }
            throw limited(until: wait)
        }
        let isPossible = isName && password.utf8.count <= PasswordRule.longestInBytes
        let found = isPossible ? try await store.memberWithPassword(email: email) : nil
        let isRight: Bool
        do {
            if let found {
                isRight = try await hasher.matches(password, found.passwordHash)
            } else {
                _ = try await hasher.make(isPossible ? password : "", salt: random(16))
                isRight = false
            }
        } catch let refusal as RefusalError {
            throw counted(refusal)
        }
        guard let found, isRight else {
            try await noteFailure(at: found?.member, from: address)
            return nil
        }
        let member = try await openedByOwnWay(found.member)
        if member.secondFactorAt != nil {
            return SignIn(
                member: member,
                token: try await newStep(of: member),
                awaitsCode: true
            )
        }
        let session = try await newSession(of: member, subjects, address, userAgent)
        return SignIn(member: member, token: session)
    }

    /// Attempts to sign in since the start of the process.
    package var signInCounts: SignInCounts { counts.withLock { $0 } }

    /// Too many passwords were wrong; after `moment` another one is checked.
    func limited(until moment: Date) -> RefusalError {
        let wait = max(1, moment.timeIntervalSince(now()).rounded(.up))
        let seconds = Int(min(wait, limits.window))
        return counted(
            RefusalError(
                .signInLimited,
                ["minutes": "\((seconds + 59) / 60)"],
                retryAfterSeconds: seconds
            )
        )
    }

    func counted(_ refusal: RefusalError) -> RefusalError {
        counts.withLock { counts in
            switch refusal.code {
            case .signInLimited: counts.limited += 1
            case .signInBusy: counts.busy += 1
            default: break
            }
        }
        return refusal
    }

    // MARK: Secrets

    /// 32 random bytes in the URL-safe alphabet.
    package func token() -> String {
        Data(random(32)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func hash(_ secret: String) -> Data {
        Data(SHA256.hash(data: Data(secret.utf8)))
    }
}
