/// The outcome of changing or removing a member.
package enum MemberChangeOutcome: Sendable, Hashable {
    /// The member after the change, or before the removal.
    case changed(MemberEntry)
    /// The workspace has no such member.
    case unknown
    /// The change would leave no administrator who may sign in.
    case lastAdministrator
    /// The change would reach other workspaces of the member.
    case belongsElsewhere
}
