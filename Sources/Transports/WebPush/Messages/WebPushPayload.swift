import Model
import NoroshiWire
import Ports
import PushHTTP

/// Writes the JSON that is encrypted for the browser: declarative Web Push, which Safari shows
/// without a service worker, with Noroshi's keys beside it, which our service worker reads.
package enum WebPushPayload {
    /// - Parameter site: The address that a tap opens if the message names none.
    package static func encode(_ push: OutgoingPush, site: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        let message = push.message
        let payload = NoroshiPayload(push)
        writer.object { writer in
            if !message.isSilent {
                writer.member("web_push", 8030)
                writer.key("notification")
                writeNotification(push, site: site, into: &writer)
                if let badge = message.badge.number { writer.member("app_badge", badge) }
                // Lets the service worker handle the push before it is shown, and report it.
                writer.member("mutable", true)
            }
            writer.key(PushPayloadKey.marker)
            // A browser shows one picture and cannot turn pages.
            payload.writeMarker(into: &writer, hasStory: false)
            for (key, value) in payload.rootStrings where !declarative.contains(key) {
                writer.member(key, value)
            }
        }
        return writer.bytes
    }

    /// The members that a browser reads; the app's own pairs may not use them.
    private static let declarative: Set = ["web_push", "notification", "app_badge", "mutable"]

    private static func writeNotification(
        _ push: OutgoingPush,
        site: String,
        into writer: inout JSONWriter
    ) {
        let message = push.message
        writer.object { writer in
            // The title is mandatory; a message without one shows its text there.
            writer.member("title", message.headline)
            writer.member("navigate", navigable(message.uri) ?? site)
            let body =
                message.subtitle.isEmpty ? message.body : "\(message.subtitle)\n\(message.body)"
            if !message.title.isEmpty, !body.isEmpty { writer.member("body", body) }
            writer.member("tag", push.options.collapseID ?? push.dispatch.description)
            if message.interruptionLevel == .passive { writer.member("silent", true) }
            if let attachment = message.attachment {
                if isImage(attachment.type) { writer.member("image", attachment.url) }
            } else if let page = message.story?.first {
                writer.member("image", page.image)
            }
            if !message.buttons.isEmpty {
                writer.key("actions")
                writer.array { writer in
                    for button in message.buttons {
                        writer.object { writer in
                            writer.member("action", button.actionID)
                            writer.member("title", button.title)
                            writer.member("navigate", navigable(button.uri) ?? site)
                        }
                    }
                }
            }
        }
    }

    /// The URI if it is a web address; a browser cannot open a deep link of an app.
    private static func navigable(_ uri: String?) -> String? {
        guard let uri, uri.hasPrefix("https://") || uri.hasPrefix("http://") else { return nil }
        return uri
    }

    private static func isImage(_ type: String) -> Bool {
        ["png", "jpg", "jpeg", "gif", "webp"].contains(type.lowercased())
    }
}
