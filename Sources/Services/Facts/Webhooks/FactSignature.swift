import Crypto
import Foundation

/// Signs what webhooks carry, as the public convention "Standard Webhooks" has it: a receiver checks
/// it with a library that is there for its language.
package struct FactSignature: Sendable {
    package static let secretPrefix = "whsec_"
    /// Bytes of a secret.
    static let secretLength = 32

    private let key: SymmetricKey

    package init(secret: Data) {
        key = SymmetricKey(data: secret)
    }

    /// What a member hands to the receiver.
    package static func text(_ secret: Data) -> String {
        secretPrefix + secret.base64EncodedString()
    }

    /// The headers of a call.
    ///
    /// - Parameter id: The same for each attempt to deliver the same.
    package func headers(id: String, body: String, at time: Date) -> [String: String] {
        let seconds = Int64(time.timeIntervalSince1970)
        let signed = Data("\(id).\(seconds).\(body)".utf8)
        let code = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key))
        return [
            "webhook-id": id, "webhook-timestamp": "\(seconds)",
            "webhook-signature": "v1,\(code.base64EncodedString())",
        ]
    }
}
