import Foundation
import Noroshi

/// A user. In Noroshi the app's own identifier of the user serves as `user_no` and as
/// `user_access_token`.
public final class RKZUserData: NSObject {
    /// The identifier of the user in Noroshi.
    public var user_no: String?
    /// The identifier; the same as `user_no` here.
    public var user_id: String?
    /// The identifier of the user in other calls; the same as `user_no` here.
    public var user_access_token: String?
    /// The name for signing in.
    public var login_id: String?
    /// The name.
    public var user_name: String?
    /// The last name.
    public var user_last_name: String?
    /// The first name.
    public var user_first_name: String?
    /// The phonetic reading of the name.
    public var user_furigana: String?
    /// The code of the sex.
    public var sex_cd: String?
    /// The date of birth.
    public var birth_day: Date?
    /// The fields defined in the console, including `push_device_token` and `smartphonesb_cd`.
    public var attributes: [String: Any]?

    /// A user without data.
    public override init() {
        super.init()
    }
}

/// The values of a user, which can be passed to other threads.
struct RKZUserValues: Sendable {
    static let deviceTokenKey = "push_device_token"
    static let deviceKindKey = "smartphonesb_cd"

    var userNumber: String?
    var accessToken: String?
    var name: String?
    var lastName: String?
    var firstName: String?
    var furigana: String?
    var loginID: String?
    var sexCode: String?
    var birthday: Date?
    var attributes: [String: JSONValue]

    init(_ user: RKZUserData) {
        userNumber = user.user_no
        accessToken = user.user_access_token
        name = user.user_name
        lastName = user.user_last_name
        firstName = user.user_first_name
        furigana = user.user_furigana
        loginID = user.login_id
        sexCode = user.sex_cd
        birthday = user.birth_day
        attributes = (user.attributes ?? [:]).compactMapValues { JSONValue(any: $0) }
    }

    func user() -> RKZUserData {
        let user = RKZUserData()
        user.user_no = userNumber
        user.user_id = userNumber
        user.user_access_token = accessToken
        user.user_name = name
        user.user_last_name = lastName
        user.user_first_name = firstName
        user.user_furigana = furigana
        user.login_id = loginID
        user.sex_cd = sexCode
        user.birth_day = birthday
        user.attributes = attributes.mapValues(\.anyValue)
        return user
    }
}
