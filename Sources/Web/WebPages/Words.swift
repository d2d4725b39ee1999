import Foundation
import Mustache
import Reasons

/// The texts of one language. Templates write `{{t.push.title}}` for the key `push.title`.
package struct Words: Sendable, MustacheParent {
    package let language: Language
    private let storage: Storage
    private let prefix: String

    private final class Storage: Sendable {
        let texts: [String: String]
        /// Every prefix of a key up to a dot, so that a template can navigate the key.
        let branches: Set<String>

        init(texts: [String: String]) {
            self.texts = texts
            var branches: Set<String> = []
            for key in texts.keys {
                var branch = ""
                for part in key.split(separator: ".").dropLast() {
                    branch += part + "."
                    branches.insert(branch)
                }
            }
            self.branches = branches
        }
    }

    init(language: Language, texts: [String: String]) {
        self.language = language
        storage = Storage(texts: texts)
        prefix = ""
    }

    private init(language: Language, storage: Storage, prefix: String) {
        self.language = language
        self.storage = storage
        self.prefix = prefix
    }

    package func child(named name: String) -> Any? {
        let path = prefix + name
        if let text = storage.texts[path] { return text }
        if storage.branches.contains(path + ".") {
            return Words(language: language, storage: storage, prefix: path + ".")
        }
        return Self.unknown(path)
    }

    /// The text of a key, with its placeholders replaced.
    package func callAsFunction(_ key: String, _ arguments: [String: String] = [:]) -> String {
        guard var text = storage.texts[key] else { return Self.unknown(key) }
        for (name, value) in arguments {
            text = text.replacingOccurrences(of: "{\(name)}", with: value)
        }
        return text
    }

    /// The text for a number: `key.one` or `key.other`, with `{count}` replaced.
    package func counted(
        _ key: String,
        _ count: Int,
        _ arguments: [String: String] = [:]
    ) -> String {
        var all = arguments
        all["count"] = number(count)
        return self(count == 1 ? key + ".one" : key + ".other", all)
    }

    /// The text of a reason.
    package func callAsFunction(_ reason: Reason) -> String {
        let key = Localizations.reasonBranch + reason.code
        guard let text = storage.texts[key] else { return Self.unknown(key) }
        return reason.text(text) { self($0) }
    }

    /// All texts whose key begins with `branch.`, by the rest of the key.
    package func texts(below branch: String) -> [String: String] {
        let start = branch + "."
        return storage.texts.reduce(into: [:]) { found, pair in
            if pair.key.hasPrefix(start) {
                found[String(pair.key.dropFirst(start.count))] = pair.value
            }
        }
    }

    /// Visible on a page, and detected by the tests.
    private static func unknown(_ key: String) -> String { "⟦\(key)⟧" }
}
