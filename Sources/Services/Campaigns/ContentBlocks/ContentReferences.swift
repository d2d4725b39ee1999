import Foundation
import Liquid
import Model

/// What a text with Liquid in it takes from elsewhere in the workspace.
package struct ContentReferences: Sendable {
    private let text: String
    /// The content blocks that the text includes by itself, not by way of other blocks.
    ///
    /// A draft may hold what cannot be parsed yet; it includes nothing so far.
    package let blocks: [String]

    package init(_ text: String) {
        self.text = text
        blocks =
            text.contains("content_blocks")
            ? (try? Template(parsing: text))?.contentBlocks ?? [] : []
    }

    /// Whether items of a catalog are asked for; a name that merely stands there counts too.
    package func mentions(catalog: String) -> Bool {
        text.contains("catalog_") && text.split { !Self.isPartOfName($0) }.contains(catalog[...])
    }

    /// The catalogs that tags name by themselves, not by a variable.
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
    /// Of every text of every platform's message.
    package var contentReferences: [ContentReferences] {
        [message.common, message.ios, message.android, message.web]
            .compactMap { $0?.message }
            .flatMap(PushTemplates.texts)
            .map(ContentReferences.init)
    }
}
