extension InAppMessageDefinition {
    /// An action on a whole in-app message.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// Devices show the message from their next session on.
        case activate
        case pause, archive

        /// The states in which the action is allowed.
        package var former: Set<State> {
            switch self {
            case .activate, .archive: [.draft, .paused]
            case .pause: [.active]
            }
        }

        /// The state after the action.
        package var state: State {
            switch self {
            case .activate: .active
            case .pause: .paused
            case .archive: .archived
            }
        }
    }

    /// The actions that are allowed now.
    package var steps: [Step] { Step.allCases.filter { $0.former.contains(state) } }
}
