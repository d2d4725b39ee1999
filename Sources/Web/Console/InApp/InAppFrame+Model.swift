import Foundation
import InAppMessages
import Model
import NoroshiWire
import WebPages

/// A message on the phone of the preview: as HTML, and as JSON for the script, which also applies
/// the colors.
struct InAppFrame {
    struct Drawn: Codable {
        struct Button: Codable {
            let text: String
            let colors: [String: String]
        }

        let kind: String
        let isAtTop: Bool
        let header: String
        let text: String
        let image: String
        let buttons: [Button]
        let light: [String: String]
        let dark: [String: String]
        /// The reason why it is not shown; `nil` if it is.
        let skipped: String?
        /// The whole message in the format for devices, for the script that renders it.
        let message: InAppMessage
    }

    let number: Int
    let drawn: Drawn
    let json: String
    let isHTML: Bool
    let isControl: Bool
    let appName: String
    let clock: String

    /// - Parameter number: Distinguishes the frames of a page.
    init(_ preview: InAppMessagePreview, number: Int, context: ConsoleContext) {
        self.number = number
        let message = preview.message
        let file = message.imageURL?.split(separator: "/").last.map(String.init)
        drawn = Drawn(
            kind: message.kind.rawValue,
            isAtTop: message.slideFrom == .top,
            header: message.header ?? "",
            text: message.message,
            image: message.imageAltText ?? file ?? "",
            buttons: (message.buttons ?? []).map {
                Drawn.Button(text: $0.text, colors: $0.colors ?? [:])
            },
            light: message.themes?["light"] ?? [:],
            dark: message.themes?["dark"] ?? [:],
            skipped: preview.abortReason.map {
                context.words("in_app.skipped", ["reason": context.words($0)])
            },
            message: message
        )
        // A value that consists of texts can always be encoded.
        json = (try? JSONEncoder().encode(drawn)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        isHTML = message.kind == .html
        isControl = message.kind == .control
        appName = context.home.name
        clock = context.words.clock(context.now, in: context.zone)
    }
}
