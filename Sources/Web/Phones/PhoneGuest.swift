/// Who is to be logged in on a phone, and the in-app message that is tried there.
struct PhoneGuest: Decodable {
    /// Maximum length of a user's name, in bytes, as in the API.
    private static let nameLimit = 512

    let user: String
    let message: PhoneInAppMessage?

    var isComplete: Bool { (1...Self.nameLimit).contains(user.utf8.count) }
}

/// Where the phone is.
struct PhonePlace: Encodable {
    let address: String
}
