import APNs
import Foundation
import Model
import Ports

/// How large a push is on the wire, for the composer's meter.
enum PayloadSize {
    /// Push services refuse more.
    static let limit = 4_096

    /// The bytes of the APNs payload, with ids as long as real ones.
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
