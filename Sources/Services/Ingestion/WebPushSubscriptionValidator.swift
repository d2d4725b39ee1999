import Foundation
import Model
import NoroshiWire
import Reasons

/// Validates a browser's subscription. Its host is checked again, against the list of allowed
/// services, before a push is sent.
enum WebPushSubscriptionValidator {
    private static let publicKeyLength = 65
    private static let secretLength = 16

    /// `p256dh` and `auth` in base64url without padding.
    static func check(
        _ token: SDKRecord.PushToken
    ) throws(FieldProblem) -> (publicKey: String, secret: String) {
        guard let address = URLComponents(string: token.token), address.scheme == "https",
            address.host?.isEmpty == false, token.token.utf8.count <= 2048
        else {
            throw FieldProblem("token.token", .webEndpoint)
        }
        guard let key = bytes(token.publicKey), key.count == publicKeyLength, key.first == 4 else {
            throw FieldProblem("token.p256dh", .webKey, ["count": "65"])
        }
        guard let secret = bytes(token.authenticationSecret), secret.count == secretLength else {
            throw FieldProblem("token.auth", .webSecret, ["count": "16"])
        }
        return (encode(key), encode(secret))
    }

    /// Also accepts the standard alphabet and padding, which browsers and libraries produce.
    private static func bytes(_ text: String?) -> Data? {
        guard let text else { return nil }
        var standard = text.replacing("-", with: "+").replacing("_", with: "/")
            .replacing("=", with: "")
        while standard.utf8.count % 4 != 0 { standard.append("=") }
        return Data(base64Encoded: standard)
    }

    private static func encode(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
