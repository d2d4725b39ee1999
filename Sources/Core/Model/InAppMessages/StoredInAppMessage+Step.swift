extension StoredInAppMessage {
    /// What can be done with an in-app message as a whole.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// Devices show it from their next session on.
        case activate
        case pause, archive

        /// The states in which it can be done.
        package var former: Set<State> {
            switch self {
            case .activate, .archive: [.draft, .paused]
            case .pause: [.active]
            }
        }

        /// The state that it leads to.
        package var state: State {
            switch self {
            case .activate: .active
            case .pause: .paused
            case .archive: .archived
            }
        }
    }

    /// What can be done with it now.
    package var steps: [Step] { Step.allCases.filter { $0.former.contains(state) } }
}
