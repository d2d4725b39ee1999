import APNs
import Campaigns
import Foundation
import Model
import Ports

/// Measures the size of a push on the wire, for the composer.
package enum PayloadSize {
    /// Maximum size that push providers accept, in bytes.
    static let limit = 4_096

    /// Apple's limit, which messages are held against before they are sent.
    package static let meter = PayloadMeter(limit: limit, bytes: bytes(of:))

    /// Size of the APNs payload in bytes, with ids of realistic length.
    static func bytes(of message: PushMessage) -> Int {
        let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return APNsPayload.encode(
            OutgoingPush(
                dispatch: DispatchID(zero),
                sendID: SendID(1_000_000),
                address: .apns(token: "", topic: "", environment: .sandbox),
                registeredAt: .distantPast,
                message: message,
                options: DeliveryOptions()
            )
        ).count
    }
}
