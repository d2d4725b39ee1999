import Foundation
import Liquid
import Model

/// The references of a Liquid text to other content of the workspace.
package struct ContentReferences: Sendable {
    private let text: String
    /// The content blocks that the text itself includes, without those of other blocks.
    ///
    /// A draft may contain invalid Liquid; then the list is empty.
    package let blocks: [String]

    package init(_ text: String) {
        self.text = text
        blocks =
            text.contains("content_blocks")
            ? (try? Template(parsing: text))?.contentBlocks ?? [] : []
    }

    /// Whether the text requests items of a catalog; a mere mention of its name counts too.
    package func mentions(catalog: String) -> Bool {
        text.contains("catalog_") && text.split { !Self.isPartOfName($0) }.contains(catalog[...])
    }

    /// The catalogs that tags name literally, not through a variable.
    package var catalogs: Set<String> {
        var names: Set<String> = []
        for tag in ["catalog_items", "catalog_selection_items"] {
            for part in text.components(separatedBy: tag).dropFirst() {
                let rest = part.drop(while: \.isWhitespace)
                guard rest.startIndex != part.startIndex else { continue }
                let name = rest.prefix { Self.isPartOfName($0) }
                let isWhole = rest[name.endIndex...].first.map { $0.isWhitespace } ?? false
                if !name.isEmpty, isWhole { names.insert(String(name)) }
            }
        }
        return names
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }
}

extension CampaignVariant {
    /// The references of every text of every platform's message.
    package var contentReferences: [ContentReferences] {
        [message.common, message.ios, message.android, message.web]
            .compactMap { $0?.message }
            .flatMap(PushTemplates.texts)
            .map(ContentReferences.init)
    }
}
