import Model
import NoroshiWire
import Ports

/// Noroshi's part of a payload, the same on every provider: the marker object and the strings
/// beside it.
package struct NoroshiPayload {
    private let push: OutgoingPush

    package init(_ push: OutgoingPush) {
        self.push = push
    }

    /// Writes the marker object's members.
    ///
    /// - Parameter hasStory: Whether the device can turn the pages of a story.
    package func writeMarker(into writer: inout JSONWriter, hasStory: Bool = true) {
        let message = push.message
        writer.object { writer in
            writer.member(PushPayloadKey.dispatchID, push.dispatch.description)
            if let uri = message.uri {
                writer.member(PushPayloadKey.uri, uri)
            }
            if message.useWebView {
                writer.member(PushPayloadKey.useWebView, true)
            }
            let addressed = message.buttons.filter { $0.uri != nil }
            if !addressed.isEmpty {
                writer.key(PushPayloadKey.actionURIs)
                writer.object { writer in
                    for button in addressed {
                        writer.member(button.actionID, button.uri ?? "")
                    }
                }
            }
            if let attachment = message.attachment {
                writer.key(PushPayloadKey.attachment)
                writer.object { writer in
                    writer.member("url", attachment.url)
                    writer.member("type", attachment.type)
                }
            }
            if hasStory, let story = message.story {
                writer.key(PushPayloadKey.story)
                Self.write(story, into: &writer)
            }
        }
    }

    private static func write(_ story: [StoryPage], into writer: inout JSONWriter) {
        writer.array { writer in
            for page in story {
                writer.object { writer in
                    writer.member("image", page.image)
                    if !page.title.isEmpty { writer.member("title", page.title) }
                    if !page.subtitle.isEmpty { writer.member("subtitle", page.subtitle) }
                    if let uri = page.uri { writer.member("uri", uri) }
                }
            }
        }
    }

    /// The strings at the root in a fixed order, with the app's own pairs last. A pair with a
    /// reserved key is left out, because it would change what the SDK reads.
    package var rootStrings: [(key: String, value: String)] {
        let message = push.message
        var strings = [(key: PushPayloadKey.pushNumber, value: push.sendID.description)]
        if let uri = message.uri {
            strings.append((PushPayloadKey.url, uri))
        }
        if let variables = message.customVariables {
            strings.append((PushPayloadKey.customVariables, variables))
        }
        if let news = message.news {
            strings.append((PushPayloadKey.newsID, news.id))
            if let tenant = news.tenantID {
                strings.append((PushPayloadKey.newsTenantID, tenant))
            }
        }
        if !message.keyValuePairs.isEmpty {
            for (key, value) in message.keyValuePairs.sorted(by: { $0.key < $1.key })
            where !PushPayloadKey.reserved.contains(key) {
                strings.append((key, value))
            }
        }
        return strings
    }
}
