import Foundation

/// The languages of the console and the phones' pages.
package enum Language: String, Sendable, Hashable, CaseIterable, Codable {
    case english = "en"
    case japanese = "ja"
    case portuguese = "pt-BR"

    package var ownName: String {
        switch self {
        case .english: "English"
        case .japanese: "日本語"
        case .portuguese: "Português"
        }
    }

    package var locale: Locale { Locale(identifier: rawValue) }

    /// The first supported language of an `Accept-Language` header; otherwise English.
    package static func preferred(acceptLanguage: String?) -> Language {
        let wishes = (acceptLanguage ?? "").split(separator: ",").map { part in
            let pieces = part.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }
                .flatMap { Double($0.dropFirst(2)) }
            return (tag: pieces.first?.lowercased() ?? "", quality: quality ?? 1)
        }
        // Equal qualities keep the order of the header.
        let ordered = wishes.enumerated().sorted {
            ($0.element.quality, -$0.offset) > ($1.element.quality, -$1.offset)
        }
        for wish in ordered where wish.element.quality > 0 {
            if let language = Language(tag: wish.element.tag) { return language }
        }
        return .english
    }

    /// The language of a tag such as `pt` or `ja-JP`.
    package init?(tag: String) {
        let primary = tag.split(separator: "-").first.map { $0.lowercased() } ?? ""
        let match = Self.allCases.first { $0.rawValue.prefix(2) == primary }
        guard let match else { return nil }
        self = match
    }
}
