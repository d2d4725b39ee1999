import Foundation
import Model
import Ports
import Reasons

/// Members of several workspaces. What they are in one of them says nothing about the others, and
/// whoever rules one reaches nothing in another.
extension AccountService {
    /// What a member is in each workspace that they may open, the one opened last first.
    package func memberships(of member: MemberID) async throws -> [Member] {
        try await store.memberships(of: member)
    }

    /// What became of the wish to open another workspace.
    package enum Switch: Sendable, Hashable {
        case switched
        /// The session does not open the workspace; a sign-in of the workspace's own does.
        case awaitsSignIn(OpenIDProvider?)
        /// The member may not open such a workspace.
        case unknown
    }

    /// Turns a session to another workspace of its member.
    ///
    /// A session that a provider has opened stays where it is, because the administrators of its
    /// workspace choose whom that provider names; and a workspace that trusts its provider only
    /// takes nothing else.
    package func switchWorkspace(
        to workspace: WorkspaceID,
        sessionToken: String
    ) async throws -> Switch {
        let hash = Self.hash(sessionToken)
        guard let member = try await store.consoleSession(tokenHash: hash, now: now())?.member,
            try await store.memberships(of: member.id).contains(where: {
                $0.workspace == workspace
            })
        else { return .unknown }
        if member.workspace == workspace { return .switched }
        let provider = try await store.openIDProvider(of: workspace)
        guard !member.isConfined, provider?.isOnlyWay != true else {
            return .awaitsSignIn(provider)
        }
        let isDone = try await store.switchConsoleSession(
            tokenHash: hash,
            to: workspace,
            now: now()
        )
        return isDone ? .switched : .unknown
    }

    /// What a member is in the workspace that this server's own ways of signing in open: the one
    /// opened last, unless its provider is the only way.
    ///
    /// - Throws: `RefusalError` with the code `openIDOnlyWay` if there is none.
    func openedByOwnWay(_ member: Member) async throws -> Member {
        var refusal: RefusalError?
        for membership in try await store.memberships(of: member.id) {
            do {
                try await requireOwnWay(membership)
                return membership
            } catch let other as RefusalError where other.code == .openIDOnlyWay {
                refusal = refusal ?? other
            }
        }
        if let refusal { throw refusal }
        return member
    }

    /// Whether an actor may act on the whole account of a member of their workspace: not if the
    /// member belongs to a workspace of which the actor is no administrator.
    package func reachesAccount(of member: MemberID, by actor: Actor) async throws -> Bool {
        guard !actor.reachesEveryAccount else { return true }
        return try await !store.belongs(
            member,
            beyond: actor.workspace,
            andThoseOf: actor.administrator
        )
    }

    /// The members of an actor's workspace whose accounts the actor does not reach, but for the
    /// actor's own, which everybody manages.
    ///
    /// - Throws: `NotAllowedError` for actors who are not administrators.
    package func membersOutOfReach(of actor: Actor) async throws -> Set<MemberID> {
        try actor.require(.administrator)
        guard !actor.reachesEveryAccount else { return [] }
        return try await store.members(
            of: actor.workspace,
            belongingBeyondThoseOf: actor.administrator
        ).filter { !actor.isMember($0) }
    }

    /// - Throws: `RefusalError` with the code `memberElsewhere`.
    func requireAccount(of member: MemberID, by actor: Actor) async throws {
        guard try await reachesAccount(of: member, by: actor) else {
            throw RefusalError(.memberElsewhere)
        }
    }
}

extension Actor {
    fileprivate var reachesEveryAccount: Bool {
        if case .commandLine = self { true } else { false }
    }

    /// Whose workspaces the actor manages besides the one in which they act: of whom a provider has
    /// named, and of keys, none.
    fileprivate var administrator: MemberID? {
        if case .member(let member) = self, !member.isConfined { member.id } else { nil }
    }
}
