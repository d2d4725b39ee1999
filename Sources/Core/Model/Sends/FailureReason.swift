/// Why messages of a send did not arrive, and how many.
package struct FailureReason: Sendable, Hashable {
    package var state: DispatchState
    package var reason: String
    package var count: Int

    package init(state: DispatchState, reason: String, count: Int) {
        self.state = state
        self.reason = reason
        self.count = count
    }
}
