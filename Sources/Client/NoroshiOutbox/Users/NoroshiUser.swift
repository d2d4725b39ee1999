import Foundation
import NoroshiWire

/// The current user: values set here are stored in the user's profile.
///
/// Every call returns the id of its record, or the reason why it made none; the reason is also
/// logged, so the result may be ignored.
public struct NoroshiUser: Sendable {
    let recorder: Recorder

    package init(recorder: Recorder) {
        self.recorder = recorder
    }

    /// The identifier that the app set with `changeUser`; `nil` for an anonymous user.
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

    /// Sets the e-mail address; `nil` removes it. An address without `@` is an error.
    @discardableResult
    public func set(email: String?) -> Result<UUID, NoroshiError> {
        if let email, !Self.looksLikeEmail(email) {
            return recorder.refuse(
                InputValidator.invalid("email", "\(email) is not an e-mail address")
            )
        }
        return set("email", text: email)
    }

    /// Sets the phone number, preferably in E.164 form such as `+81312345678`; `nil` removes it.
    @discardableResult
    public func set(phoneNumber: String?) -> Result<UUID, NoroshiError> {
        if let phoneNumber, !phoneNumber.contains(where: \.isNumber) {
            return recorder.refuse(
                InputValidator.invalid("phoneNumber", "\(phoneNumber) is not a telephone number")
            )
        }
        return set("phone", text: phoneNumber)
    }

    /// Sets the date of birth, of which only the day in the Gregorian calendar and UTC is stored;
    /// `nil` removes it.
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
                InputValidator.invalid(
                    "country",
                    "\(country) is not a two-letter code of ISO 3166-1"
                )
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

    /// Sets the user's subscription to e-mail.
    @discardableResult
    public func set(
        emailSubscriptionState: NoroshiSubscriptionState
    ) -> Result<UUID, NoroshiError> {
        set("email_subscribe", text: emailSubscriptionState.rawValue)
    }

    /// Sets the user's subscription to pushes, on all devices.
    @discardableResult
    public func set(
        pushNotificationSubscriptionState: NoroshiSubscriptionState
    ) -> Result<UUID, NoroshiError> {
        set("push_subscribe", text: pushNotificationSubscriptionState.rawValue)
    }

    /// Adds an alias: `alias` in the list `label`, such as a member number in `loyalty`.
    @discardableResult
    public func add(alias: String, label: String) -> Result<UUID, NoroshiError> {
        do throws(NoroshiError) {
            try InputValidator.check(name: alias, field: "alias")
            try InputValidator.check(name: label, field: "label")
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

    /// Sets the user's last known location, in degrees.
    @discardableResult
    public func setLastKnownLocation(
        latitude: Double,
        longitude: Double
    ) -> Result<UUID, NoroshiError> {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            return recorder.refuse(
                InputValidator.invalid("latitude, longitude", "they are not degrees on the globe")
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
            try InputValidator.check(name: id, field: "id")
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

    /// Sets a standard field and stores it for reading back.
    func set(_ field: String, text: String?) -> Result<UUID, NoroshiError> {
        let value = text.map(JSONValue.string) ?? .null
        do throws(NoroshiError) {
            try InputValidator.check(value: value, field: field)
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

/// A user's subscription to a channel.
public enum NoroshiSubscriptionState: String, Sendable, CaseIterable {
    /// The user has opted in.
    case optedIn = "opted_in"
    /// The user has not opted out.
    case subscribed
    /// The user has unsubscribed.
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
    /// Unknown; removes the value from the profile.
    case unknown
    /// Not applicable.
    case notApplicable
    /// The user prefers not to say.
    case preferNotToSay

    /// The gender for `code`, a letter in either case; `nil` if it is not known.
    package init?(code: String) {
        guard let gender = Self.allCases.first(where: { $0.code == code.uppercased() }) else {
            return nil
        }
        self = gender
    }

    /// The letter on the wire; `nil` means unknown.
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
