import Foundation
import NoroshiWire

/// A message that the Web Push simulator accepted.
package struct SimulatedWebPush: Sendable, Hashable, GatewayItem {
    /// The message's own URL, as in the `Location` header.
    package var location: String
    /// The subscription's endpoint.
    package var endpoint: String
    package var timeToLive: Int
    package var urgency: String
    package var topic: String?
    /// The audience that the sender's token named.
    package var audience: String
    /// The encrypted body.
    package var encrypted: [UInt8]
    /// The decrypted content; `nil` if it cannot be decrypted.
    package var content: [UInt8]?
    package var receivedAt: Date

    package var address: String { endpoint }
    package var keptUntil: Date? { receivedAt + Double(timeToLive) }

    /// A message replaces a kept one with the same topic (RFC 8030, 5.4).
    package static func keep(_ item: SimulatedWebPush, with kept: inout [SimulatedWebPush]) {
        if let topic = item.topic { kept.removeAll { $0.topic == topic } }
        kept.append(item)
        if kept.count > 1000 { kept.removeFirst() }
    }

    package var record: Record { Record(push: self) }

    package struct Record: Encodable, Sendable {
        var push: SimulatedWebPush

        enum CodingKeys: String, CodingKey {
            case location, endpoint, ttl, urgency, topic, audience, content
            case receivedAt = "received_at"
            case encryptedBytes = "encrypted_bytes"
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(push.location, forKey: .location)
            try container.encode(push.endpoint, forKey: .endpoint)
            try container.encode(push.timeToLive, forKey: .ttl)
            try container.encode(push.urgency, forKey: .urgency)
            try container.encodeIfPresent(push.topic, forKey: .topic)
            try container.encode(push.audience, forKey: .audience)
            try container.encode(push.receivedAt.timeIntervalSince1970, forKey: .receivedAt)
            try container.encode(push.encrypted.count, forKey: .encryptedBytes)
            try container.encode(push.content.map(RecordText.valueOrText), forKey: .content)
        }
    }
}
