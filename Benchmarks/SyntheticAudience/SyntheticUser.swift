/// One synthetic user with the values `generate_audience.py` gives it.
package struct SyntheticUser: Sendable {
    package struct Device: Sendable {
        package let platform: String
        package let token: String
    }

    /// Custom attributes; `nil` if the user has none.
    package struct Attributes: Sendable {
        package let plan: String
        package let favoriteCategory: String?
        package let appVersion: String
        package let referralCode: String?
        package let loyaltyPoints: Int
        package let nps: Int?
        /// In hundredths.
        package let balance: Int
        package let isVIP: Bool
        package let hasAppRating: Bool?
        package let lastPurchaseAt: Int64?
        package let interests: [String]
        package let tags: [String]?
    }

    package let number: Int
    package let firstName: String
    package let lastName: String
    package let country: String
    package let language: String
    package let gender: String
    /// Days since 1970-01-01.
    package let birthDay: Int
    package let city: String
    package let timeZone: String
    package let createdAt: Int64
    package let lastSessionAt: Int64
    package let sessionCount: Int
    package let pushSubscribe: String
    package let emailSubscribe: String
    package let attributes: Attributes
    package let devices: [Device]

    package var externalID: String { "u" + SyntheticUser.padded(number, 8) }

    package var email: String { "\(firstName).\(lastName).\(number)@example.com".lowercased() }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
