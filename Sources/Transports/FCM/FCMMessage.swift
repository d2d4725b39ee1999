import Foundation
import Model
import NoroshiWire
import Ports
import PushHTTP

/// Writes the body of a send request to FCM.
package enum FCMMessage {
    /// The most bytes of a message's notification and data together.
    package static let maxPayloadLength = 4096
    private static let maxLifetime: TimeInterval = 28 * 86_400

    package static func encode(
        _ push: OutgoingPush,
        token: String,
        configuration: FCMConfiguration,
        now: Date
    ) -> [UInt8] {
        let message = push.message
        let isVisible = configuration.style == .notification && !message.isSilent
        var writer = JSONWriter(capacity: 1024)
        writer.object { writer in
            writer.key("message")
            writer.object { writer in
                writer.member("token", token)
                writer.key("data")
                writer.object { writer in
                    for (key, value) in data(push, isVisible: isVisible) {
                        writer.member(key, value)
                    }
                }
                if isVisible {
                    writer.key("notification")
                    writer.object { writer in
                        if !message.title.isEmpty { writer.member("title", message.title) }
                        writer.member("body", body(message))
                        if let image = image(message) { writer.member("image", image) }
                    }
                }
                writer.key("android")
                writeAndroid(push, configuration, isVisible: isVisible, now: now, into: &writer)
            }
        }
        return writer.bytes
    }

    /// The bytes that count against FCM's limit: keys and values of `data`, and the texts.
    package static func payloadSize(
        _ push: OutgoingPush,
        configuration: FCMConfiguration
    ) -> Int {
        let isVisible = configuration.style == .notification && !push.message.isSilent
        var size = data(push, isVisible: isVisible).reduce(0) { size, pair in
            size + pair.key.utf8.count + pair.value.utf8.count
        }
        if isVisible {
            size += push.message.title.utf8.count + body(push.message).utf8.count
            size += image(push.message)?.utf8.count ?? 0
        }
        return size
    }

    /// All values are strings; the marker object is JSON text. An app that shows the message itself
    /// finds its texts under `title`, `body` and `image`.
    private static func data(
        _ push: OutgoingPush,
        isVisible: Bool
    ) -> [(key: String, value: String)] {
        let payload = NoroshiPayload(push)
        var marker = JSONWriter()
        payload.writeMarker(into: &marker)
        let message = push.message
        var pairs = [
            (key: PushPayloadKey.marker, value: String(decoding: marker.bytes, as: UTF8.self))
        ]
        if !isVisible, !message.isSilent {
            if !message.title.isEmpty { pairs.append(("title", message.title)) }
            pairs.append(("body", body(message)))
            if let image = image(message) { pairs.append(("image", image)) }
        }
        let taken = Set(pairs.map(\.key))
        for (key, value) in payload.rootStrings
        where !taken.contains(key) && !isReserved(key) {
            pairs.append((key, value))
        }
        return pairs
    }

    /// Whether FCM rejects the key in `data`.
    private static func isReserved(_ key: String) -> Bool {
        key == "from" || key == "message_type" || key == "notification"
            || key.hasPrefix("google") || key.hasPrefix("gcm")
    }

    private static func body(_ message: PushMessage) -> String {
        message.subtitle.isEmpty ? message.body : "\(message.subtitle)\n\(message.body)"
    }

    /// The large picture of the notification; of a story the first page's, unless the message has
    /// one of its own.
    private static func image(_ message: PushMessage) -> String? {
        guard let attachment = message.attachment else { return message.story?.first?.image }
        let isImage = ["png", "jpg", "jpeg", "gif", "webp"]
            .contains(attachment.type.lowercased())
        return isImage ? attachment.url : nil
    }

    private static func writeAndroid(
        _ push: OutgoingPush,
        _ configuration: FCMConfiguration,
        isVisible: Bool,
        now: Date,
        into writer: inout JSONWriter
    ) {
        let message = push.message
        writer.object { writer in
            writer.member("priority", push.options.priority == .high ? "HIGH" : "NORMAL")
            if let expiration = push.options.expiration {
                let life = min(max(0, expiration.timeIntervalSince(now)), maxLifetime)
                // Rounded up to a whole second, so that the time since the push was created does
                // not cost a second of its lifetime.
                writer.member("ttl", "\(Int(life.rounded(.up)))s")
            }
            // FCM keeps four keys per device, so only an explicit key is sent; the tag replaces a
            // retried message on the screen.
            if let collapseID = push.options.collapseID {
                writer.member("collapse_key", collapseID)
            }
            guard isVisible else { return }
            writer.key("notification")
            writer.object { writer in
                writer.member("tag", push.options.collapseID ?? push.dispatch.description)
                if let channel = message.channelID ?? configuration.channelID {
                    writer.member("channel_id", channel)
                }
                if let sound = message.sound { writer.member("sound", sound) }
                if let category = message.category { writer.member("click_action", category) }
                if let badge = message.badge.number {
                    writer.member("notification_count", badge)
                }
            }
        }
    }
}
