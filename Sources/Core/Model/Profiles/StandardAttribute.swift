/// The attributes that every profile can have, by their names in the REST API.
package enum StandardAttribute: String, Sendable, Hashable, CaseIterable {
    case firstName = "first_name"
    case lastName = "last_name"
    case email
    case phone
    case country
    case language
    case timeZone = "time_zone"
    case gender
    case dateOfBirth = "dob"
    case homeCity = "home_city"
    case imageURL = "image_url"
    case pushSubscription = "push_subscribe"
    case emailSubscription = "email_subscribe"
    case currentLocation = "current_location"
    case dateOfFirstSession = "date_of_first_session"
    case dateOfLastSession = "date_of_last_session"
    case emailOpenTrackingDisabled = "email_open_tracking_disabled"
    case emailClickTrackingDisabled = "email_click_tracking_disabled"
    case markedEmailAsSpamAt = "marked_email_as_spam_at"
    case facebook
    case twitter
    case subscriptionGroups = "subscription_groups"
    case pushOptedInAt = "push_opted_in_at"
    case pushUnsubscribedAt = "push_unsubscribed_at"
    case emailOptedInAt = "email_opted_in_at"
    case emailUnsubscribedAt = "email_unsubscribed_at"
}
