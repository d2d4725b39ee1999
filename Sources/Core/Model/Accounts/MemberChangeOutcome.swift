/// What became of a member who was to be changed or removed.
package enum MemberChangeOutcome: Sendable, Hashable {
    /// The member as they are now, or were before they were removed.
    case changed(MemberEntry)
    /// There is no such member in the workspace.
    case unknown
    /// Nobody who may sign in would be an administrator.
    case lastAdministrator
}
