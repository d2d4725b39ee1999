import Foundation
import NoroshiWire

/// A message that the FCM simulator accepted.
package struct SimulatedFCMMessage: Sendable, Hashable, GatewayItem {
    /// `projects/…/messages/…`.
    package var name: String
    package var project: String
    package var deviceToken: String
    package var collapseKey: String?
    /// `HIGH` or `NORMAL`.
    package var priority: String
    /// Seconds.
    package var timeToLive: Double
    /// The `data` that the app receives.
    package var data: [String: String]
    /// The whole message.
    package var message: JSONValue
    package var receivedAt: Date

    private static let keptMessages = 100
    private static let keptCollapseKeys = 4

    package var address: String { deviceToken }
    package var keptUntil: Date? { receivedAt + timeToLive }

    /// Four collapse keys are kept for a device, the newest message of each, and a hundred other
    /// messages; with one more, all are dropped.
    package static func keep(_ item: SimulatedFCMMessage, with kept: inout [SimulatedFCMMessage]) {
        if let key = item.collapseKey {
            kept.removeAll { $0.collapseKey == key }
            let keys = kept.filter { $0.collapseKey != nil }
            if keys.count >= keptCollapseKeys, let oldest = keys.first {
                kept.removeAll { $0.name == oldest.name }
            }
        } else if kept.count(where: { $0.collapseKey == nil }) >= keptMessages {
            kept = []
        }
        kept.append(item)
    }

    package var record: Record { Record(push: self) }

    package struct Record: Encodable, Sendable {
        var push: SimulatedFCMMessage

        enum CodingKeys: String, CodingKey {
            case name, project, token, message
            case receivedAt = "received_at"
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(push.name, forKey: .name)
            try container.encode(push.project, forKey: .project)
            try container.encode(push.deviceToken, forKey: .token)
            try container.encode(push.receivedAt.timeIntervalSince1970, forKey: .receivedAt)
            try container.encode(push.message, forKey: .message)
        }
    }
}
