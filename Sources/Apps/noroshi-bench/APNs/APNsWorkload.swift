import APNs
import Crypto
import Foundation
import Model
import Ports

/// The push that is sent over and over: an ordinary alert with a few pairs.
enum APNsWorkload {
    static let bundleID = "jp.example.noroshi.bench"
    static let token = String(repeating: "ab", count: 32)
    static let keyID = "BENCHKEY01"
    static let teamID = "BENCHTEAM1"

    static func push() -> OutgoingPush {
        var message = PushMessage(
            title: "Weekend offer",
            body: "Hello Hanako, 20% off everything in your basket until Sunday night."
        )
        message.badge = .set(3)
        message.sound = "default"
        message.uri = "https://shop.example.jp/basket"
        message.keyValuePairs = ["campaign": "weekend", "variant": "b"]
        return OutgoingPush(
            dispatch: DispatchID(UUID()),
            sendID: SendID(1234),
            address: .apns(token: token, topic: bundleID, environment: .production),
            registeredAt: Date(timeIntervalSince1970: 1_700_000_000),
            message: message,
            options: DeliveryOptions()
        )
    }

    /// The same headers for the other client, as arguments of h2load.
    static func h2loadHeaders() throws -> [String] {
        let tokens = try APNsTokenSource(
            keyID: keyID,
            teamID: teamID,
            privateKeyPEM: P256.Signing.PrivateKey().pemRepresentation
        )
        let id = push().dispatch.description
        let headers = [
            "authorization: \(try tokens.authorization(now: Date()))",
            "apns-topic: \(bundleID)", "apns-push-type: alert", "apns-priority: 10",
            "apns-id: \(id)", "apns-collapse-id: \(id)",
        ]
        return headers.flatMap { ["-H", $0] }
    }
}
