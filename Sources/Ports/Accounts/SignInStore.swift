import Foundation
import Model

/// A limit on sign-in attempts, by a digest of the account or of the address.
package struct SignInQuota: Sendable, Hashable {
    package var subject: Data
    /// Maximum number of attempts within one window.
    package var limit: Int
    /// Length of the window, in seconds from its first attempt.
    package var window: TimeInterval
    /// A subject that is exempt from this quota while it is remembered.
    package var unlessKnown: Data?

    package init(subject: Data, limit: Int, window: TimeInterval, unlessKnown: Data? = nil) {
        self.subject = subject
        self.limit = limit
        self.window = window
        self.unlessKnown = unlessKnown
    }
}

/// The outcome of an attempt to sign in.
package struct SignInResult: Sendable {
    package var hasSucceeded: Bool
    /// Subjects whose attempts are reset.
    package var forgotten: [Data]
    /// Subjects to which this attempt is returned.
    package var returned: [Data]
    /// A subject to remember, and until when.
    package var remembered: (subject: Data, until: Date)?
    /// The record for the workspace's audit log.
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
    /// Counts an attempt for every quota, or for none if one of them is used up.
    ///
    /// - Returns: `nil` if the attempt is allowed; otherwise the time of the next allowed one.
    func takeSignInAttempt(_ quotas: [SignInQuota], now: Date) async throws -> Date?
    /// Records the outcome of an attempt. A failure costs the same whether or not the account
    /// exists.
    func settleSignIn(_ result: SignInResult, now: Date) async throws
    /// Number of failed and of successful attempts since the store was created.
    func signInFigures() async throws -> (failed: Int, succeeded: Int)
}
