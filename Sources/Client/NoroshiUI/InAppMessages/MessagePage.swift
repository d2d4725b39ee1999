#if canImport(UIKit) && canImport(WebKit)
import Foundation
import NoroshiWire
import UIKit

/// The page that draws a message in a web view: the renderer of `Clients/web` with the message, so
/// that an iPhone shows the same as the console's preview, virtual phones and web pages.
enum MessagePage {
    /// A call that the page posts.
    struct Call: Decodable {
        enum Kind: String, Decodable {
            /// The message is drawn.
            case shown
            /// The message, or the button `button`, was tapped.
            case click
            /// The message was closed without a tap on it.
            case dismiss
            /// The strip of a slideup is `height` points high.
            case size
        }

        var kind: Kind
        var button: String?
        var height: Double?
    }

    /// The handler to which the page posts.
    static let handlerName = "noroshiMessage"

    /// A page that draws `message`.
    /// - Parameters:
    ///   - picture: The message's picture, already loaded; the page itself loads nothing.
    ///   - textSize: The user's preferred text size, in points.
    /// - Throws: Errors of the encoder.
    static func html(
        _ message: InAppMessage,
        picture: Data?,
        textSize: CGFloat
    ) throws -> String {
        var drawn = message
        // The SDK itself handles the closing time and the picture.
        drawn.closesAfterSeconds = nil
        drawn.imageURL = picture.map(dataURL)
        // A page parses tags and comments even inside the texts of a script.
        let json = String(decoding: try JSONEncoder().encode(drawn), as: UTF8.self)
            .replacingOccurrences(of: "<", with: "\\u003c")
        return """
            <!doctype html><html><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <style>html, body { margin: 0; height: 100%; background: transparent; }
            html { --noroshi-text: \(textSize)px; }</style></head><body>
            <script type="module">\(MessageRenderer.source)
            const post = (kind, more = {}) => window.webkit.messageHandlers.\(handlerName)
              .postMessage(JSON.stringify({ kind, ...more }));
            drawMessage(\(json), {
              isFramed: \(message.kind == .slideup),
              onShown: () => post("shown"),
              onClick: (button) => post("click", { button }),
              onDismiss: () => post("dismiss"),
              onSize: (width, height) => post("size", { height }),
            });
            </script></body></html>
            """
    }

    private static func dataURL(_ picture: Data) -> String {
        let kinds: [(start: [UInt8], type: String)] = [
            ([0x89, 0x50, 0x4E, 0x47], "png"), ([0xFF, 0xD8, 0xFF], "jpeg"),
            (Array("GIF8".utf8), "gif"), (Array("RIFF".utf8), "webp"),
        ]
        let type = kinds.first { picture.starts(with: $0.start) }?.type ?? "png"
        return "data:image/\(type);base64,\(picture.base64EncodedString())"
    }
}
#endif
