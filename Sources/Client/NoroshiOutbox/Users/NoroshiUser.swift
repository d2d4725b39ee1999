import Foundation
import NoroshiWire

/// The current user: what is set here goes to the user's profile.
///
/// Every call returns the id of the record it made, or the reason why it made none; the reason is
/// logged too, so the result may be ignored.
public struct NoroshiUser: Sendable {
    let recorder: Recorder

    package init(recorder: Recorder) {
        self.recorder = recorder
    }

    /// The name that the app gave with `changeUser`; `nil` for a nameless user.
    public var id: String? { recorder.state?.externalID }

    /// Sets the first name; `nil` removes it.
    @discardableResult
    public func set(firstName: String?) -> Result<UUID, NoroshiError> {
        set("first_name", text: firstName)
    }

    /// Sets the last name; `nil` removes it.
    @discardableResult
    public func set(lastName: String?) -> Result<UUID, NoroshiError> {
        set("last_name", text: lastName)
    }

    /// Sets the e-mail address; `nil` removes it. An address without `@` is refused.
    @discardableResult
    public func set(email: String?) -> Result<UUID, NoroshiError> {
        if let email, !Self.looksLikeEmail(email) {
            return recorder.refuse(
                InputRules.invalid("email", "\(email) is not an e-mail address")
            )
        }
        return set("email", text: email)
    }

    /// Sets the telephone number, best in the form of E.164 such as `+81312345678`; `nil` removes
    /// it.
    @discardableResult
    public func set(phoneNumber: String?) -> Result<UUID, NoroshiError> {
        if let phoneNumber, !phoneNumber.contains(where: \.isNumber) {
            return recorder.refuse(
                InputRules.invalid("phoneNumber", "\(phoneNumber) is not a telephone number")
            )
        }
        return set("phone", text: phoneNumber)
    }

    /// Sets the date of birth, of which the day in the Gregorian calendar and UTC is kept; `nil`
    /// removes it.
    @discardableResult
    public func set(dateOfBirth: Date?) -> Result<UUID, NoroshiError> {
        guard let dateOfBirth else { return set("dob", text: nil) }
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd"
        return set("dob", text: formatter.string(from: dateOfBirth))
    }

    /// Sets the country, a code of ISO 3166-1 such as `JP`; `nil` removes it.
    @discardableResult
    public func set(country: String?) -> Result<UUID, NoroshiError> {
        if let country, country.count != 2 {
            return recorder.refuse(
                InputRules.invalid("country", "\(country) is not a two-letter code of ISO 3166-1")
            )
        }
        return set("country", text: country?.uppercased())
    }

    /// Sets the language, a code of ISO 639-1 such as `ja`; `nil` removes it.
    @discardableResult
    public func set(language: String?) -> Result<UUID, NoroshiError> {
        set("language", text: language)
    }

    /// Sets the home city; `nil` removes it.
    @discardableResult
    public func set(homeCity: String?) -> Result<UUID, NoroshiError> {
        set("home_city", text: homeCity)
    }

    /// Sets the gender; `nil` removes it.
    @discardableResult
    public func set(gender: NoroshiGender?) -> Result<UUID, NoroshiError> {
        set("gender", text: gender?.code)
    }

    /// Sets whether the user wants e-mail.
    @discardableResult
    public func set(
        emailSubscriptionState: NoroshiSubscriptionState
    ) -> Result<UUID, NoroshiError> {
        set("email_subscribe", text: emailSubscriptionState.rawValue)
    }

    /// Sets whether the user wants pushes, on all devices.
    @discardableResult
    public func set(
        pushNotificationSubscriptionState: NoroshiSubscriptionState
    ) -> Result<UUID, NoroshiError> {
        set("push_subscribe", text: pushNotificationSubscriptionState.rawValue)
    }

    /// Gives the user another name: `alias` in the list `label`, such as a member number in
    /// `loyalty`.
    @discardableResult
    public func add(alias: String, label: String) -> Result<UUID, NoroshiError> {
        do throws(NoroshiError) {
            try InputRules.check(name: alias, field: "alias")
            try InputRules.check(name: label, field: "label")
        } catch {
            return recorder.refuse(error)
        }
        return recorder.record(.alias(name: alias, label: label))
    }

    /// Joins the subscription group `id`.
    @discardableResult
    public func addToSubscriptionGroup(id: String) -> Result<UUID, NoroshiError> {
        setSubscriptionGroup(id, .subscribed)
    }

    /// Leaves the subscription group `id`.
    @discardableResult
    public func removeFromSubscriptionGroup(id: String) -> Result<UUID, NoroshiError> {
        setSubscriptionGroup(id, .unsubscribed)
    }

    /// Sets where the user was last, in degrees.
    @discardableResult
    public func setLastKnownLocation(
        latitude: Double,
        longitude: Double
    ) -> Result<UUID, NoroshiError> {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            return recorder.refuse(
                InputRules.invalid("latitude, longitude", "they are not degrees on the globe")
            )
        }
        return recorder.record(
            .attributes(
                [
                    "current_location": [
                        "latitude": .number(latitude), "longitude": .number(longitude),
                    ]
                ],
                mergeObjects: false
            )
        )
    }

    private func setSubscriptionGroup(
        _ id: String,
        _ state: NoroshiSubscriptionState
    ) -> Result<UUID, NoroshiError> {
        do throws(NoroshiError) {
            try InputRules.check(name: id, field: "id")
        } catch {
            return recorder.refuse(error)
        }
        return recorder.record(
            .attributes(
                [
                    "subscription_groups": [
                        [
                            "subscription_group_id": .string(id),
                            "subscription_state": .string(state.rawValue),
                        ]
                    ]
                ],
                mergeObjects: false
            )
        )
    }

    /// Sets a standard field and remembers it for reading back.
    func set(_ field: String, text: String?) -> Result<UUID, NoroshiError> {
        let value = text.map(JSONValue.string) ?? .null
        do throws(NoroshiError) {
            try InputRules.check(value: value, field: field)
        } catch {
            return recorder.refuse(error)
        }
        let id = recorder.dependencies.makeID()
        return recorder.transaction { access in
            try access.append(
                .attributes([field: value], mergeObjects: false),
                id: id,
                time: recorder.dependencies.now()
            )
            access.state.profileFields[field] = text.map(JSONValue.string)
            return id
        }
    }

    private static func looksLikeEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && !text.contains(where: \.isWhitespace)
    }
}

/// Whether a user wants messages of a channel.
public enum NoroshiSubscriptionState: String, Sendable, CaseIterable {
    /// Asked for them.
    case optedIn = "opted_in"
    /// Has said nothing against them.
    case subscribed
    /// Does not want them.
    case unsubscribed
}

/// A user's gender as the profile keeps it.
public enum NoroshiGender: String, Sendable, CaseIterable {
    /// Male.
    case male
    /// Female.
    case female
    /// Another one.
    case other
    /// Not known; clears what the profile had.
    case unknown
    /// Not applicable.
    case notApplicable
    /// The user prefers not to say.
    case preferNotToSay

    /// The gender that `code`, a letter in either case, stands for.
    package init?(code: String) {
        guard let gender = Self.allCases.first(where: { $0.code == code.uppercased() }) else {
            return nil
        }
        self = gender
    }

    /// The letter on the wire; `nil` stands for unknown.
    var code: String? {
        switch self {
        case .male: "M"
        case .female: "F"
        case .other: "O"
        case .notApplicable: "N"
        case .preferNotToSay: "P"
        case .unknown: nil
        }
    }
}
