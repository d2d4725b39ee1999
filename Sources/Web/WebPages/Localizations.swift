import Foundation
import Reasons

/// Every text of the pages, in every language.
package struct Localizations: Sendable {
    /// Under this stand the words of codes; in English a code says itself where it has none.
    package static let reasonBranch = "reason."

    private let words: [Language: Words]
    package let keys: Set<String>

    /// A word list is a JSON object of `key: {language: text}`.
    ///
    /// - Parameter codes: The codes that need translations; a missing one is an error.
    package init(files: [WebFile], codes: [any ReasonCode] = []) throws {
        let english = Dictionary(
            uniqueKeysWithValues: codes.map { (Self.reasonBranch + $0.key, $0.rawValue) }
        )
        var texts: [Language: [String: String]] = [.english: english]
        var keys: Set<String> = []
        for file in files {
            let list: [String: [String: String]]
            do {
                list = try JSONDecoder().decode(
                    [String: [String: String]].self,
                    from: Data(file.bytes)
                )
            } catch {
                throw WebFileError.unreadable(file: file.path, reason: "\(error)")
            }
            for (key, translations) in list {
                guard keys.insert(key).inserted else { throw WebFileError.repeated(key: key) }
                for language in Language.allCases {
                    let own = language == .english ? english[key] : nil
                    guard let text = translations[language.rawValue] ?? own, !text.isEmpty else {
                        throw WebFileError.missing(key: key, language: language)
                    }
                    texts[language, default: [:]][key] = text
                }
            }
        }
        if let key = english.keys.sorted().first(where: { !keys.contains($0) }) {
            throw WebFileError.missing(key: key, language: .japanese)
        }
        self.keys = keys
        words = texts.reduce(into: [:]) { words, pair in
            words[pair.key] = Words(language: pair.key, texts: pair.value)
        }
    }

    package subscript(language: Language) -> Words {
        words[language] ?? Words(language: language, texts: [:])
    }
}
