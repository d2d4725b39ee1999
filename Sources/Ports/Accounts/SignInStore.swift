import Foundation
import Model

/// How often somebody may try to sign in, as a digest of who or from where.
package struct SignInQuota: Sendable, Hashable {
    package var subject: Data
    /// Attempts within one window.
    package var limit: Int
    /// Seconds from the first attempt on, until which attempts are counted.
    package var window: TimeInterval
    /// A subject that, where it is remembered, frees from this quota.
    package var unlessKnown: Data?

    package init(subject: Data, limit: Int, window: TimeInterval, unlessKnown: Data? = nil) {
        self.subject = subject
        self.limit = limit
        self.window = window
        self.unlessKnown = unlessKnown
    }
}

/// What came of an attempt to sign in.
package struct SignInResult: Sendable {
    package var hasSucceeded: Bool
    /// Subjects whose attempts are forgotten.
    package var forgotten: [Data]
    /// Subjects that get this attempt back.
    package var returned: [Data]
    /// A subject that is known until then.
    package var remembered: (subject: Data, until: Date)?
    /// What the workspace's log says of it.
    package var audit: (record: AuditRecord, workspace: WorkspaceID)?

    package init(
        hasSucceeded: Bool,
        forgotten: [Data] = [],
        returned: [Data] = [],
        remembered: (subject: Data, until: Date)? = nil,
        audit: (record: AuditRecord, workspace: WorkspaceID)? = nil
    ) {
        self.hasSucceeded = hasSucceeded
        self.forgotten = forgotten
        self.returned = returned
        self.remembered = remembered
        self.audit = audit
    }
}

/// Attempts to sign in, counted across restarts.
package protocol SignInStore: Sendable {
    /// Counts an attempt for every quota, or for none when one of them is used up.
    ///
    /// - Returns: `nil` when the attempt may be made; otherwise when the next one may.
    func takeSignInAttempt(_ quotas: [SignInQuota], now: Date) async throws -> Date?
    /// Writes down what came of an attempt; as much work for a failure at an account as at none.
    func settleSignIn(_ result: SignInResult, now: Date) async throws
    /// Attempts that failed and that succeeded since the store was made.
    func signInFigures() async throws -> (failed: Int, succeeded: Int)
}
