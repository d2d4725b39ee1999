import Foundation
import Model
import Ports

/// Members see where they are signed in and end what they do not know; administrators do so for
/// others.
extension AccountService {
    /// Precision with which the last use of a session is recorded, in seconds.
    static let sessionPrecision: TimeInterval = 60

    /// The member of a session that is valid.
    package func member(
        sessionToken: String,
        from address: String? = nil
    ) async throws -> Member? {
        try await session(token: sessionToken, from: address)?.member
    }

    /// A session that is valid, and its member.
    ///
    /// - Parameter address: The client's address; the last one of a session is shown to its member.
    package func session(
        token sessionToken: String,
        from address: String? = nil
    ) async throws -> (member: Member, session: ConsoleSession)? {
        let hash = Self.hash(sessionToken)
        let now = now()
        guard let found = try await store.consoleSession(tokenHash: hash, now: now) else {
            return nil
        }
        // Recorded to the minute, so that not every request waits for the writer.
        if now.timeIntervalSince(found.session.lastSeenAt) >= Self.sessionPrecision {
            do {
                try await store.recordConsoleSessionUse(
                    tokenHash: hash,
                    from: address,
                    at: now
                )
            } catch let error as StoreError where error.code == .unavailable {
                // Pages are shown even if the store cannot be written.
            }
        }
        return found
    }

    package func signOut(sessionToken: String) async throws {
        try await store.deleteConsoleSession(tokenHash: Self.hash(sessionToken))
    }

    /// The identifier of the session with this token.
    package func sessionID(ofToken token: String) -> String {
        ConsoleSession.id(tokenHash: Self.hash(token))
    }

    /// The sessions of a member, the most recently used first; none of a member whose account the
    /// actor does not reach.
    ///
    /// - Throws: `NotAllowedError` for members other than the member and administrators.
    package func sessions(of member: MemberID, by actor: Actor) async throws -> [ConsoleSession] {
        try Self.check(actor, member)
        let all = try await store.consoleSessions(of: member, in: actor.workspace, now: now())
        // Whom a workspace's provider has named learns nothing about the member elsewhere.
        if case .member(let author) = actor, author.isConfined, author.id == member {
            return all.filter { $0.workspace == author.workspace }
        }
        guard try await isOwnOrReached(member, by: actor) else { return [] }
        return all
    }

    /// Ends a session.
    ///
    /// - Returns: `false` if the member has no such session.
    /// - Throws: As ``sessions(of:by:)``; `RefusalError` with the code `memberElsewhere`.
    package func endSession(
        _ id: String,
        of member: MemberID,
        by actor: Actor
    ) async throws -> Bool {
        try await end(.one(id: id), of: member, by: actor) == 1
    }

    /// Ends all sessions of a member, except the one with the given token.
    ///
    /// - Returns: The number of ended sessions.
    /// - Throws: As ``endSession(_:of:by:)``.
    package func endSessions(
        of member: MemberID,
        exceptToken token: String? = nil,
        by actor: Actor
    ) async throws -> Int {
        try await end(.all(except: token.map(Self.hash)), of: member, by: actor)
    }

    private func end(
        _ choice: ConsoleSessionChoice,
        of member: MemberID,
        by actor: Actor
    ) async throws -> Int {
        try Self.check(actor, member)
        if !actor.isMember(member) { try await requireAccount(of: member, by: actor) }
        let now = now()
        return try await store.endConsoleSessions(choice, of: member, in: actor.workspace) {
            member,
            ended in
            AuditRecord(
                at: now,
                by: actor,
                action: "sessions_ended",
                subject: member.email,
                detail: "\(ended.count)"
            )
        }.count
    }

    /// Whether an account is the actor's own, or one that the actor reaches.
    package func isOwnOrReached(_ member: MemberID, by actor: Actor) async throws -> Bool {
        if actor.isMember(member) { return true }
        return try await reachesAccount(of: member, by: actor)
    }

    private static func check(_ actor: Actor, _ member: MemberID) throws(NotAllowedError) {
        if !actor.isMember(member) { try actor.require(.administrator) }
    }
}
