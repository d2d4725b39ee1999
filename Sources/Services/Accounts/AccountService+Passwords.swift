import Foundation
import Model
import Ports

/// Members choose their own passwords; a member who has forgotten theirs gets a one-time link to
/// choose another. Nobody else ever knows it.
extension AccountService {
    /// Lifetime of a link for a new password, in seconds.
    package static let passwordLinkLength: TimeInterval = 86_400

    /// Changes a member's password. All of the member's sessions except this one end.
    ///
    /// - Parameters:
    ///   - session: The token of the current session.
    ///   - address: The client's address: wrong passwords count like attempts to sign in.
    /// - Throws: `ValidationError`; `RefusalError` if the password was not checked.
    package func changePassword(
        of member: Member,
        from present: String,
        to password: String,
        session: String,
        from address: String? = nil
    ) async throws {
        try PasswordRule.check(password)
        let stored = try await check(present, of: member, from: address)
        do {
            guard password != present else {
                throw ValidationError(.password(.password), .passwordSame)
            }
            let hasChanged = try await store.changePassword(
                of: member.id,
                from: stored,
                to: try await hash(ofPassword: password),
                keeping: Self.hash(session),
                audit: audit("password_changed", member, by: .member(member))
            )
            // The password was changed while the hash was computed, so `present` is no longer
            // valid.
            guard hasChanged else {
                throw ValidationError(.password(.present), .passwordWrong)
            }
        } catch let refusal as RefusalError {
            throw counted(refusal)
        }
    }

    /// Checks a member's password before something that a session alone must not do.
    ///
    /// - Returns: The stored hash.
    /// - Throws: `ValidationError` if it is wrong; `RefusalError` if it was not checked.
    @discardableResult
    func check(
        _ present: String,
        of member: Member,
        from address: String?
    ) async throws -> String {
        guard hasher.hasRoom else { throw counted(PasswordHasher.busy) }
        let subjects = SignInLimits.Subjects(email: member.email, address: address)
        if let wait = try await store.takeSignInAttempt(limits.quotas(subjects), now: now()) {
            throw limited(until: wait)
        }
        do {
            guard let stored = try await store.passwordHash(of: member.id),
                present.utf8.count <= PasswordRule.longestInBytes,
                try await hasher.matches(present, stored)
            else {
                try await noteFailure(at: member, from: address)
                throw ValidationError(.password(.present), .passwordWrong)
            }
            return stored
        } catch let refusal as RefusalError {
            throw counted(refusal)
        }
    }

    /// Creates a one-time link with which a member chooses a new password. The current one stays
    /// valid until then.
    ///
    /// - Returns: The link, whose token is shown once; `nil` if the workspace has no such member who
    ///   may sign in.
    /// - Throws: `NotAllowedError` for actors who are not administrators, and for members themselves,
    ///   because a session alone must not take over the account; `RefusalError` with the code
    ///   `memberElsewhere`.
    package func makePasswordLink(
        for member: MemberID,
        by actor: Actor
    ) async throws -> PasswordLink? {
        try actor.require(.administrator)
        guard !actor.isMember(member) else { throw NotAllowedError() }
        try await requireAccount(of: member, by: actor)
        let token = token()
        let expiresAt = now().addingTimeInterval(Self.passwordLinkLength)
        let found = try await store.savePasswordLink(
            Self.hash(token),
            member: member,
            in: actor.workspace,
            expiresAt: expiresAt
        ) { [self] in audit("password_link_made", $0, by: actor) }
        return found.map { PasswordLink(member: $0, token: token, expiresAt: expiresAt) }
    }

    /// The member of a link; `nil` if the link is invalid or has expired.
    package func member(passwordLink token: String) async throws -> Member? {
        try await store.member(passwordLink: Self.hash(token), now: now())
    }

    /// Redeems a link: sets its member's password and ends all of the member's sessions.
    ///
    /// - Throws: `ValidationError`; `RefusalError` with the code `linkUnusable`, or `signInBusy` if too
    ///   many passwords are being checked.
    package func choosePassword(_ password: String, passwordLink token: String) async throws {
        // Checked before the password is hashed, because strangers may try links.
        guard try await member(passwordLink: token) != nil else {
            throw RefusalError(.linkUnusable)
        }
        let hash: String
        do {
            hash = try await self.hash(ofPassword: password)
        } catch let refusal as RefusalError {
            throw counted(refusal)
        }
        let member = try await store.usePasswordLink(
            Self.hash(token),
            passwordHash: hash,
            now: now()
        ) { [self] in audit("password_reset", $0, by: .member($0)) }
        guard member != nil else { throw RefusalError(.linkUnusable) }
    }

    private func audit(_ action: String, _ member: Member, by actor: Actor) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: member.email)
    }
}
