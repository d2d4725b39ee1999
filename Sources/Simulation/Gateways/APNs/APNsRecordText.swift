import Foundation
import Model
import NoroshiWire

/// Accepted pushes as JSON.
enum APNsRecordText {
    private struct Record: Encodable {
        var id: String
        var token: String
        var topic: String
        var environment: String
        var pushType: String
        var priority: Int
        var expiration: Int64?
        var collapseID: String?
        var receivedAt: Double
        var payload: JSONValue

        enum CodingKeys: String, CodingKey {
            case id, token, topic, environment, priority, expiration, payload
            case pushType = "push_type"
            case collapseID = "collapse_id"
            case receivedAt = "received_at"
        }
    }

    static func json(_ pushes: [SimulatedPush]) -> [UInt8] {
        let records = pushes.map { push in
            Record(
                id: push.id,
                token: push.deviceToken,
                topic: push.topic,
                environment: push.environment.rawValue,
                pushType: push.pushType,
                priority: push.priority,
                expiration: push.expiration.map { Int64($0.timeIntervalSince1970) },
                collapseID: push.collapseID,
                receivedAt: push.receivedAt.timeIntervalSince1970,
                // Only payloads that were JSON have been accepted.
                payload: (try? JSONDecoder().decode(JSONValue.self, from: Data(push.payload)))
                    ?? .null
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(records)).map(Array.init) ?? Array("[]".utf8)
    }
}
