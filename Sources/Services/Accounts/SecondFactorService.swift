import Foundation
import Model
import Ports

/// Second factors: codes of an authenticator app, and recovery codes for whoever has lost it.
///
/// Setting one up and removing it need the password: a session alone must neither lock its owner
/// out nor weaken the account.
package struct SecondFactorService: Sendable {
    package typealias Store = SecondFactorStore & SignInStore & PasswordStore & OpenIDStore

    /// How long a member who has entered the password may take to enter the code, in seconds.
    package static let stepLength: TimeInterval = 600

    private let store: any Store
    private let accounts: AccountService
    private let vault: any MemberSecretVault
    private let now: @Sendable () -> Date

    package init(
        store: any Store,
        accounts: AccountService,
        vault: any MemberSecretVault,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.accounts = accounts
        self.vault = vault
        self.now = now
    }

    /// The member's second factor; `nil` if it is not set up, or has not been confirmed.
    package func factor(of member: MemberID) async throws -> SecondFactor? {
        try await store.secondFactor(of: member).flatMap { $0.confirmedAt == nil ? nil : $0 }
    }

    /// The second factor of another member; `nil` if there is none.
    ///
    /// - Throws: `NotAllowedError` for actors who are not administrators; `RefusalError` with the code
    ///   `noMember` or `memberElsewhere`.
    package func factor(of member: Member, by actor: Actor) async throws -> SecondFactor? {
        try actor.require(.administrator)
        guard member.workspace == actor.workspace else { throw RefusalError(.noMember) }
        try await accounts.requireAccount(of: member.id, by: actor)
        return try await factor(of: member.id)
    }

    // MARK: Setting up

    /// Makes a new secret for the member's app. It takes effect once ``confirm(_:by:from:)``
    /// has seen a right code.
    ///
    /// - Throws: `ValidationError` if the password is wrong; `RefusalError` if it was not checked;
    ///   `NotAllowedError` to members with a second factor.
    package func begin(
        by member: Member,
        password: String,
        issuer: String,
        from address: String?
    ) async throws -> TOTPSecret {
        try await accounts.check(password, of: member, from: address)
        let secret = Data(accounts.random(TOTP.secretLength))
        guard try await store.saveSecondFactor(vault.seal(secret, of: member.id), of: member.id)
        else { throw NotAllowedError() }
        return TOTPSecret(bytes: secret, issuer: issuer, account: member.email)
    }

    /// Makes the pending secret the member's second factor.
    ///
    /// - Returns: The recovery codes, which are shown once; `nil` if the code is wrong.
    /// - Throws: `RefusalError` if it was not checked.
    package func confirm(
        _ code: String,
        by member: Member,
        from address: String?
    ) async throws -> [String]? {
        guard let factor = try await store.secondFactor(of: member.id), factor.confirmedAt == nil
        else { return nil }
        try await takeAttempt(of: member, from: address)
        let totp = TOTP(secret: try vault.open(factor.box, of: member.id))
        guard let step = totp.step(ofCode: RecoveryCodes.plain(code), at: now()) else {
            return nil
        }
        let codes = RecoveryCodes.make(accounts.random)
        let isSet = try await store.confirmSecondFactor(
            factor.box,
            of: member.id,
            step: step,
            recoveryCodes: codes.map(RecoveryCodes.hash),
            noting: audit("second_factor_set_up", member, by: .member(member))
        )
        return isSet ? codes : nil
    }

    /// Replaces the recovery codes.
    ///
    /// - Returns: The new ones, which are shown once; `nil` if the member has no second factor.
    /// - Throws: As ``begin(by:password:issuer:from:)``.
    package func makeRecoveryCodes(
        by member: Member,
        password: String,
        from address: String?
    ) async throws -> [String]? {
        try await accounts.check(password, of: member, from: address)
        let codes = RecoveryCodes.make(accounts.random)
        let isSet = try await store.replaceRecoveryCodes(
            codes.map(RecoveryCodes.hash),
            of: member.id,
            noting: audit("recovery_codes_made", member, by: .member(member))
        )
        return isSet ? codes : nil
    }

    /// Removes the member's own second factor.
    ///
    /// - Returns: `false` if the code is wrong.
    /// - Throws: As ``begin(by:password:issuer:from:)``.
    package func remove(
        by member: Member,
        password: String,
        code: String,
        from address: String?
    ) async throws -> Bool {
        try await accounts.check(password, of: member, from: address)
        try await takeAttempt(of: member, from: address)
        guard try await use(code, of: member) else { return false }
        _ = try await store.removeSecondFactor(of: member.id, in: member.workspace) {
            audit("second_factor_removed", $0, by: .member(member))
        }
        return true
    }

    /// Removes another member's second factor, so that they sign in with the password alone.
    ///
    /// - Returns: `false` if the workspace has no such member with a second factor.
    /// - Throws: `NotAllowedError` for actors who are not administrators, and for members themselves;
    ///   `RefusalError` with the code `memberElsewhere`.
    package func remove(of member: MemberID, by actor: Actor) async throws -> Bool {
        try actor.require(.administrator)
        guard !actor.isMember(member) else { throw NotAllowedError() }
        try await accounts.requireAccount(of: member, by: actor)
        let removed = try await store.removeSecondFactor(of: member, in: actor.workspace) {
            audit("second_factor_removed", $0, by: actor)
        }
        return removed != nil
    }

    // MARK: Signing in

    package enum Outcome: Sendable, Hashable {
        case signedIn(SignIn)
        case wrong
        /// Too long ago, or used already: the password is to be entered again.
        case expired
    }

    /// Whether a code is outstanding.
    package func isAwaited(step token: String) async throws -> Bool {
        try await store.member(signInStep: AccountService.hash(token), now: now()) != nil
    }

    /// Completes a sign-in with the app's code or a recovery code.
    ///
    /// - Parameter token: The token of the sign-in whose code is outstanding.
    /// - Throws: `RefusalError` if the code was not checked.
    package func complete(
        step token: String,
        code: String,
        from address: String?,
        userAgent: String
    ) async throws -> Outcome {
        let hash = AccountService.hash(token)
        guard let awaited = try await store.member(signInStep: hash, now: now()),
            awaited.member.secondFactorAt != nil
        else { return .expired }
        let member = awaited.member
        var provider: OpenIDProvider?
        if awaited.isByProvider {
            provider = try await store.openIDProvider(of: member.workspace)
            guard provider != nil else { return .expired }
        } else {
            try await accounts.requireOwnWay(member)
        }
        try await takeAttempt(of: member, from: address)
        guard try await use(code, of: member) else {
            try await accounts.noteFailure(at: member, from: address)
            return .wrong
        }
        guard try await store.deleteSignInStep(hash) else { return .expired }
        let session = try await accounts.newSession(
            of: member,
            SignInLimits.Subjects(email: member.email, address: address),
            address,
            userAgent,
            alsoForgetting: SignInLimits.Subjects(codesOf: member, address: address),
            by: provider
        )
        return .signedIn(SignIn(member: member, token: session))
    }

    /// Uses up a code of the app or a recovery code.
    private func use(_ code: String, of member: Member) async throws -> Bool {
        let code = RecoveryCodes.plain(code)
        guard code.utf8.count <= 64 else { return false }
        guard code.utf8.count == TOTP.digits else {
            return try await store.useRecoveryCode(RecoveryCodes.hash(code), of: member.id) {
                audit("recovery_code_used", member, by: .member(member), detail: "\($0)")
            }
        }
        guard let factor = try await factor(of: member.id) else { return false }
        let totp = TOTP(secret: try vault.open(factor.box, of: member.id))
        guard let step = totp.step(ofCode: code, at: now()) else { return false }
        // Of two requests with one code the store lets one through.
        return try await store.useSecondFactorStep(step, of: member.id)
    }

    /// Counts an attempt at a code.
    private func takeAttempt(of member: Member, from address: String?) async throws {
        let subjects = SignInLimits.Subjects(codesOf: member, address: address)
        let quotas = accounts.limits.codeQuotas(
            subjects,
            known: SignInLimits.Subjects(email: member.email, address: address).known
        )
        if let wait = try await store.takeSignInAttempt(quotas, now: now()) {
            throw accounts.limited(until: wait)
        }
    }

    private func audit(
        _ action: String,
        _ member: Member,
        by actor: Actor,
        detail: String = ""
    ) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: member.email, detail: detail)
    }
}
