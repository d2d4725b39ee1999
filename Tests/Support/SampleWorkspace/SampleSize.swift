/// How much sample data there is.
package enum SampleSize: String, CaseIterable, Sendable {
    case empty, small, large

    var users: Int {
        switch self {
        case .empty: 0
        case .small: 40
        case .large: 300
        }
    }

    var pushes: Int {
        switch self {
        case .empty: 0
        case .small: 12
        case .large: 240
        }
    }

    var campaigns: Int {
        switch self {
        case .empty: 0
        case .small: 4
        case .large: 60
        }
    }

    var inAppMessages: Int {
        switch self {
        case .empty: 0
        case .small: 3
        case .large: 90
        }
    }

    var news: Int {
        switch self {
        case .empty: 0
        case .small: 6
        case .large: 310
        }
    }
}
