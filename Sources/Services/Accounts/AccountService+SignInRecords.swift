import Foundation
import Model
import Ports
import Reasons
import Synchronization

/// What becomes of attempts to sign in: the session, the counts, and the records in the audit log
/// of the member's workspace. Of unknown accounts nothing is recorded.
extension AccountService {
    func noteFailure(at member: Member?, from address: String?) async throws {
        counts.withLock { $0.failed += 1 }
        var result = SignInResult(hasSucceeded: false)
        result.audit = member.map { record("sign_in_failed", $0, from: address) }
        try await store.settleSignIn(result, now: now())
    }

    func noteFailure(_ record: AuditRecord, in workspace: WorkspaceID) async throws {
        counts.withLock { $0.failed += 1 }
        var result = SignInResult(hasSucceeded: false)
        result.audit = (record, workspace)
        try await store.settleSignIn(result, now: now())
    }

    /// Records, once per window, that attempts at an account are rejected. A flood of rejected
    /// attempts costs reads only, whatever accounts it names.
    func noteLimit(
        at email: String,
        _ subjects: SignInLimits.Subjects,
        from address: String?
    ) async throws {
        guard try await store.takeSignInAttempt(limits.notes(subjects), now: now()) == nil,
            let found = try await store.memberWithPassword(email: email)
        else { return }
        let (record, workspace) = record("sign_in_limited", found.member, from: address)
        try await store.addAudit(record, in: workspace)
    }

    /// Begins a session in a member's workspace and returns its token.
    ///
    /// - Parameter provider: With which the member has signed in; `nil` for this server's own ways.
    func newSession(
        of member: Member,
        _ subjects: SignInLimits.Subjects,
        _ address: String?,
        _ userAgent: String,
        alsoForgetting codes: SignInLimits.Subjects? = nil,
        by provider: OpenIDProvider? = nil
    ) async throws -> String {
        counts.withLock { $0.succeeded += 1 }
        var (record, workspace) = record("sign_in_succeeded", member, from: address)
        record.author = member.name
        if let provider { record.detail += "; OpenID Connect: \(provider.name)" }
        try await store.settleSignIn(
            SignInResult(
                hasSucceeded: true,
                forgotten: [subjects.both, subjects.account]
                    + (codes.map { [$0.both, $0.account] } ?? []),
                // Not reset: an attacker with an account here might sign in between guesses at
                // others.
                returned: [subjects.address] + (codes.map { [$0.address] } ?? []),
                remembered: (subjects.known, now().addingTimeInterval(limits.knownFor)),
                audit: (record, workspace)
            ),
            now: now()
        )
        let token = token()
        let hash = Self.hash(token)
        try await store.saveConsoleSession(
            ConsoleSession(
                tokenHash: hash,
                startedAt: now(),
                expiresAt: now().addingTimeInterval(
                    provider == nil ? Self.sessionLength : Self.providerSessionLength
                ),
                address: address,
                userAgent: userAgent,
                hasSecondFactor: provider?.isSecondFactor ?? false,
                isByProvider: provider != nil
            ),
            tokenHash: hash,
            member: member.id,
            in: member.workspace
        )
        return token
    }

    /// Refuses this server's own ways of signing in to members who have only the provider's.
    ///
    /// - Throws: `RefusalError` with the code `openIDOnlyWay`.
    func requireOwnWay(_ member: Member) async throws {
        guard let provider = try await store.openIDProvider(of: member.workspace),
            provider.isOnlyWay
        else { return }
        throw RefusalError(.openIDOnlyWay, ["provider": .text(provider.name)])
    }

    /// Notes that the password was right, or that a provider has named the member, and that the
    /// second factor is outstanding, and returns the step's token. The attempt stays counted until
    /// the second factor is right.
    func newStep(of member: Member, isByProvider: Bool = false) async throws -> String {
        let token = token()
        try await store.saveSignInStep(
            Self.hash(token),
            of: member.id,
            in: member.workspace,
            isByProvider: isByProvider,
            now: now(),
            expiresAt: now().addingTimeInterval(SecondFactorService.stepLength)
        )
        return token
    }

    private func record(
        _ action: String,
        _ member: Member,
        from address: String?
    ) -> (record: AuditRecord, workspace: WorkspaceID) {
        let record = AuditRecord(
            at: now(),
            origin: .console,
            author: "-",
            action: action,
            subject: member.email,
            detail: address ?? ""
        )
        return (record, member.workspace)
    }
}
