/// What the ledger has left to do, of all workspaces.
package struct OpenWork: Sendable, Hashable {
    /// The states of sends that are not over.
    package static let states: [SendState] = [.scheduled, .planning, .sending, .paused]

    /// Number of sends by state.
    package var sends: [SendState: Int] = [:]
    /// Pushes that wait for their first attempt.
    package var newPushes = 0
    /// Pushes that wait to be tried again.
    package var retriedPushes = 0

    package init() {}
}
