/// What a step of a path can be: a custom event by its name, a purchase of anything, a session.
package enum PathKind: Sendable, Hashable, Comparable {
    case session
    case event(String)
    case purchase

    package init(_ activity: ReportActivity) {
        self =
            switch activity.subject {
            case .event(let name): .event(name)
            case .purchase: .purchase
            case .session: .session
            }
    }

    /// The order of what happens in the same second: sessions, events by the bytes of their names,
    /// purchases.
    package static func < (left: PathKind, right: PathKind) -> Bool {
        switch (left, right) {
        case (.event(let one), .event(let other)): ReportValue.precedes(one, other)
        default: left.place < right.place
        }
    }

    private var place: Int {
        switch self {
        case .session: 0
        case .event: 1
        case .purchase: 2
        }
    }
}
