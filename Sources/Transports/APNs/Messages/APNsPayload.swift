import Model
import NoroshiWire
import Ports
import PushHTTP

/// Writes the JSON payload of a push: Apple's `aps` and Noroshi's keys beside it.
package enum APNsPayload {
    package static func encode(_ push: OutgoingPush) -> [UInt8] {
        var writer = JSONWriter()
        let payload = NoroshiPayload(push)
        writer.object { writer in
            writer.key("aps")
            writer.object { writer in
                if push.message.isSilent {
                    writer.member("content-available", 1)
                } else {
                    writeVisible(push.message, into: &writer)
                }
            }
            writer.key(PushPayloadKey.marker)
            payload.writeMarker(into: &writer)
            for (key, value) in payload.rootStrings {
                writer.member(key, value)
            }
        }
        return writer.bytes
    }

    private static func writeVisible(_ message: PushMessage, into writer: inout JSONWriter) {
        if !(message.title.isEmpty && message.subtitle.isEmpty && message.body.isEmpty) {
            writer.key("alert")
            writer.object { writer in
                if !message.title.isEmpty { writer.member("title", message.title) }
                if !message.subtitle.isEmpty { writer.member("subtitle", message.subtitle) }
                if !message.body.isEmpty { writer.member("body", message.body) }
            }
        }
        if let badge = message.badge.number { writer.member("badge", badge) }
        if let sound = message.sound { writer.member("sound", sound) }
        // The category says which content extension draws the expanded notification.
        let category = message.story == nil ? message.category : PushPayloadKey.storyCategory
        if let category { writer.member("category", category) }
        if let thread = message.threadID { writer.member("thread-id", thread) }
        if let level = message.interruptionLevel {
            writer.member("interruption-level", level.rawValue)
        }
        if let score = message.relevanceScore, score.isFinite {
            writer.key("relevance-score")
            writer.number(score)
        }
        if message.isMutable || message.attachment != nil || message.story != nil {
            writer.member("mutable-content", 1)
        }
    }
}
