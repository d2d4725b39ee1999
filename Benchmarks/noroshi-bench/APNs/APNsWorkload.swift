import APNs
import Crypto
import Foundation
import Model
import Ports

/// The push that is sent repeatedly: an ordinary alert with a few pairs.
enum APNsWorkload {
    static let bundleID = "jp.example.noroshi.bench"
    static let token = String(repeating: "ab", count: 32)
    static let keyID = "BENCHKEY01"
    static let teamID = "BENCHTEAM1"

    /// - Parameter number: Determines the dispatch id, which is derived without randomness in
    ///   production, too.
    static func push(_ number: Int) -> OutgoingPush {
        var message = PushMessage(
            title: "Weekend offer",
            body: "Hello Hanako, 20% off everything in your basket until Sunday night."
        )
        message.badge = .set(3)
        message.sound = "default"
        message.uri = "https://shop.example.jp/basket"
        message.keyValuePairs = ["campaign": "weekend", "variant": "b"]
        return OutgoingPush(
            dispatch: dispatch(number),
            sendID: SendID(1234),
            address: .apns(token: token, topic: bundleID, environment: .production),
            registeredAt: Date(timeIntervalSince1970: 1_700_000_000),
            message: message,
            options: DeliveryOptions()
        )
    }

    private static func dispatch(_ number: Int) -> DispatchID {
        let mixed = UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15
        let b = withUnsafeBytes(of: mixed) { Array($0) }
        let bytes = (
            b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[0], b[1], b[2], b[3], b[4], b[5],
            b[6], b[7]
        )
        return DispatchID(UUID(uuid: bytes))
    }

    /// The same headers for the other client, as arguments of h2load.
    static func h2loadHeaders() throws -> [String] {
        let tokens = try APNsTokenSource(
            keyID: keyID,
            teamID: teamID,
            privateKeyPEM: P256.Signing.PrivateKey().pemRepresentation
        )
        let id = push(0).dispatch.description
        let headers = [
            "authorization: \(try tokens.authorization(now: Date()))",
            "apns-topic: \(bundleID)", "apns-push-type: alert", "apns-priority: 10",
            "apns-id: \(id)", "apns-collapse-id: \(id)",
        ]
        return headers.flatMap { ["-H", $0] }
    }
}
