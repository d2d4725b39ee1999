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

    let drawn: Drawn
    let json: String
    let isHTML: Bool
    let isControl: Bool
    let appName: String
    let clock: String

    init(_ preview: InAppPreview, visit: Visit) {
        let draft = preview.draft
        let image =
            draft.imageAlt.isEmpty
            ? String(draft.imageURL.split(separator: "/").last ?? "") : draft.imageAlt
        drawn = Drawn(
            kind: draft.kind.rawValue,
            isAtTop: draft.slidesFromTop,
            header: draft.header,
            text: draft.text,
            image: image,
            buttons: draft.buttons.map { Drawn.Button(text: $0.text, colors: $0.colors) },
            light: draft.colors.light,
            dark: draft.colors.dark,
            skipped: preview.skipReason.map {
                visit.words("in_app.skipped", ["reason": visit.words.said($0)])
            }
        )
        // A value of texts alone can be encoded.
        json = (try? JSONEncoder().encode(drawn)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        isHTML = draft.kind == .html
        isControl = draft.kind == .control
        appName = visit.member.workspaceName
        clock = visit.words.clock(visit.now, in: visit.zone)
    }
}
