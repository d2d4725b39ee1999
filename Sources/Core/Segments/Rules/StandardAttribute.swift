/// The attributes of every profile, by their names in the REST API and the text form.
package enum StandardAttribute: String, Sendable, Hashable, CaseIterable {
    case externalID = "external_id"
    case firstName = "first_name"
    case lastName = "last_name"
    case email
    case phone
    case gender
    case dateOfBirth = "dob"
    case age
    case country
    case language
    case homeCity = "home_city"
    case timeZone = "time_zone"
    case createdAt = "created_at"
    case firstSessionAt = "first_session_at"
    case lastSessionAt = "last_session_at"
    case sessionCount = "session_count"
    case pushSubscription = "push_subscribe"
    case emailSubscription = "email_subscribe"
    case subscriptionGroups = "subscription_groups"
    case deviceCount = "device_count"
    case randomBucket = "random_bucket"

    package enum Kind: String, Sendable {
        case string
        case number
        case time
        case strings = "list of strings"
    }

    package var kind: Kind {
        switch self {
        case .dateOfBirth, .createdAt, .firstSessionAt, .lastSessionAt: .time
        case .age, .sessionCount, .deviceCount, .randomBucket: .number
        case .subscriptionGroups: .strings
        default: .string
        }
    }
}
