/// A user in the segment language: a profile with its devices.
///
/// Times are Unix seconds. A `nil` attribute is absent, which differs from empty.
package struct AudienceProfile: Sendable, Hashable {
    package var rowID: Int64
    package var externalID: String?
    package var firstName: String?
    package var lastName: String?
    package var email: String?
    package var phone: String?
    package var gender: String?
    /// The day of birth at midnight UTC.
    package var dateOfBirth: Int64?
    package var country: String?
    package var language: String?
    package var homeCity: String?
    package var timeZone: String?
    package var createdAt: Int64?
    package var firstSessionAt: Int64?
    package var lastSessionAt: Int64?
    package var sessionCount: Int
    package var pushSubscription: String?
    package var emailSubscription: String?
    /// The ids of the subscription groups the user is subscribed to.
    package var subscriptionGroups: [String]?
    package var custom: [String: AttributeValue]
    package var devices: [AudienceDevice]

    package init(
        rowID: Int64,
        sessionCount: Int = 0,
        custom: [String: AttributeValue] = [:],
        devices: [AudienceDevice] = []
    ) {
        self.rowID = rowID
        self.sessionCount = sessionCount
        self.custom = custom
        self.devices = devices
    }

    /// The stored value of a standard attribute; `nil` for absent ones and for `age`, which
    /// depends on the evaluation time.
    package func value(of attribute: StandardAttribute) -> AttributeValue? {
        switch attribute {
        case .externalID: externalID.map(AttributeValue.string)
        case .firstName: firstName.map(AttributeValue.string)
        case .lastName: lastName.map(AttributeValue.string)
        case .email: email.map(AttributeValue.string)
        case .phone: phone.map(AttributeValue.string)
        case .gender: gender.map(AttributeValue.string)
        case .dateOfBirth: dateOfBirth.map(AttributeValue.time)
        case .country: country.map(AttributeValue.string)
        case .language: language.map(AttributeValue.string)
        case .homeCity: homeCity.map(AttributeValue.string)
        case .timeZone: timeZone.map(AttributeValue.string)
        case .createdAt: createdAt.map(AttributeValue.time)
        case .firstSessionAt: firstSessionAt.map(AttributeValue.time)
        case .lastSessionAt: lastSessionAt.map(AttributeValue.time)
        case .sessionCount: .number(Double(sessionCount))
        case .pushSubscription: pushSubscription.map(AttributeValue.string)
        case .emailSubscription: emailSubscription.map(AttributeValue.string)
        case .subscriptionGroups:
            subscriptionGroups.map { .array($0.map(AttributeValue.string)) }
        case .deviceCount: .number(Double(devices.count))
        case .randomBucket: .number(Double(RandomBucket.bucket(ofRow: rowID)))
        case .age: nil
        }
    }
}
