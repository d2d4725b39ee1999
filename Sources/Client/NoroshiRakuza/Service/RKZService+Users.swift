import Foundation
import Noroshi
import NoroshiOutbox

extension RKZService {
    /// Receives a user.
    public typealias UserBlock =
        @MainActor @Sendable (_ user: RKZUserData?, _ responseStatus: RKZResponseStatus) -> Void

    /// Creates a user. The result contains `user_no` and `user_access_token`, which are the same
    /// here: the identifier of the user in Noroshi, created on the device unless `user_no` is
    /// given.
    public func registUser(_ user: RKZUserData, withBlock block: @escaping UserBlock) {
        var values = RKZUserValues(user)
        let name = values.userNumber ?? UUID().uuidString.lowercased()
        values.userNumber = name
        values.accessToken = name
        store(values, then: block)
    }

    /// Changes the user that `user_access_token` names.
    public func editUser(_ user: RKZUserData, withBlock block: @escaping UserBlock) {
        var values = RKZUserValues(user)
        guard let token = values.accessToken, !token.isEmpty else {
            let status = RKZResponseStatus(
                .requiredError,
                message: "the user has no user_access_token"
            )
            Task { @MainActor in block(nil, status) }
            return
        }
        values.userNumber = token
        store(values, then: block)
    }

    private func store(_ values: RKZUserValues, then block: @escaping UserBlock) {
        perform(as: values.accessToken) { noroshi in
            Self.record(values, with: noroshi)
        } then: { status in
            block(status.isSuccess ? values.user() : nil, status)
        }
    }

    private static func record(
        _ values: RKZUserValues,
        with noroshi: Noroshi
    ) -> Result<Void, NoroshiError> {
        let user = noroshi.user
        var results: [Result<UUID, NoroshiError>] = []
        if let firstName = values.firstName { results.append(user.set(firstName: firstName)) }
        if let lastName = values.lastName { results.append(user.set(lastName: lastName)) }
        if let birthday = values.birthday { results.append(user.set(dateOfBirth: birthday)) }
        let texts = [
            ("user_name", values.name), ("user_furigana", values.furigana),
            ("login_id", values.loginID), ("sex_cd", values.sexCode),
        ]
        for case (let key, .some(let text)) in texts {
            results.append(user.setCustomAttribute(key: key, value: text))
        }
        for (key, value) in values.attributes.sorted(by: { $0.key < $1.key })
        where ![RKZUserValues.deviceTokenKey, RKZUserValues.deviceKindKey].contains(key) {
            results.append(user.setCustomAttribute(key: key, anyValue: value))
        }
        for case .failure(let error) in results { return .failure(error) }
        switch values.attributes[RKZUserValues.deviceTokenKey]?.stringValue {
        case .none: return .success(())
        case "":
            noroshi.notifications.unregisterPush()
            return .success(())
        case .some(let token): return register(token, with: noroshi)
        }
    }
}
