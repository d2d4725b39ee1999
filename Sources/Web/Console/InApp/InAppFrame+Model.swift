import Foundation
import WebPages

/// A message on the phone of the preview: what stands in the page, and the same as JSON for the
/// script, which also paints the colours.
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
        /// Why nobody sees it.
        let skipped: String?
    }

    let number: Int
    let drawn: Drawn
    let json: String
    let isHTML: Bool
    let isControl: Bool
    let appName: String
    let clock: String

    /// - Parameter number: tells the frames of a page apart.
    init(_ preview: InAppPreview, number: Int, visit: Visit) {
        self.number = number
        let content = preview.content
        let image =
            content.imageAlt.isEmpty
            ? String(content.imageURL.split(separator: "/").last ?? "") : content.imageAlt
        drawn = Drawn(
            kind: content.kind.rawValue,
            isAtTop: content.slidesFromTop,
            header: content.header,
            text: content.text,
            image: image,
            buttons: content.buttons.map { Drawn.Button(text: $0.text, colors: $0.colors) },
            light: content.colors.light,
            dark: content.colors.dark,
            skipped: preview.skipReason.map {
                visit.words("in_app.skipped", ["reason": visit.words.said($0)])
            }
        )
        // A value of texts alone can be encoded.
        json = (try? JSONEncoder().encode(drawn)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        isHTML = content.kind == .html
        isControl = content.kind == .control
        appName = visit.member.workspaceName
        clock = visit.words.clock(visit.now, in: visit.zone)
    }
}
