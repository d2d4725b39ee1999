import Foundation
import Model
import NoroshiWire

/// A notification that the APNs simulator accepted.
package struct SimulatedPush: Sendable, Hashable, GatewayItem {
    /// The value of `apns-id`, from the sender or generated here.
    package var id: String
    package var deviceToken: String
    package var topic: String
    package var environment: APNsEnvironment
    package var pushType: String
    package var priority: Int
    /// `nil` if the sender gave none; the date 0 means "try once".
    package var expiration: Date?
    package var collapseID: String?
    package var payload: [UInt8]
    package var receivedAt: Date

    package var address: String { deviceToken }
    package var keptUntil: Date? { expiration }

    /// APNs stores only the latest notification for each app.
    package static func keep(_ item: SimulatedPush, with kept: inout [SimulatedPush]) {
        kept = [item]
    }

    package var record: Record { Record(push: self) }

    package struct Record: Encodable, Sendable {
        var push: SimulatedPush

        enum CodingKeys: String, CodingKey {
            case id, token, topic, environment, priority, expiration, payload
            case pushType = "push_type"
            case collapseID = "collapse_id"
            case receivedAt = "received_at"
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(push.id, forKey: .id)
            try container.encode(push.deviceToken, forKey: .token)
            try container.encode(push.topic, forKey: .topic)
            try container.encode(push.environment.rawValue, forKey: .environment)
            try container.encode(push.pushType, forKey: .pushType)
            try container.encode(push.priority, forKey: .priority)
            try container.encodeIfPresent(
                push.expiration.map { RecordText.whole($0.timeIntervalSince1970) },
                forKey: .expiration
            )
            try container.encodeIfPresent(push.collapseID, forKey: .collapseID)
            try container.encode(push.receivedAt.timeIntervalSince1970, forKey: .receivedAt)
            try container.encode(RecordText.valueOrText(push.payload), forKey: .payload)
        }
    }
}
