/// Which of the texts that a message has in other languages a user gets.
package enum MessageLanguage {
    /// Maximum number of languages besides the message's own texts.
    package static let limit = 20

    /// The language among those of a message, which are ISO 639 codes such as `ja`.
    ///
    /// - Parameter tag: The user's language, also with a region or script, such as `pt-BR`.
    /// - Returns: `nil` if the message's own texts are meant.
    package static func chosen(for tag: String?, among known: some Collection<String>) -> String? {
        guard let tag, !known.isEmpty else { return nil }
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return known.first { $0 == primary }
    }

    /// Whether a text is such a code.
    package static func isCode(_ text: String) -> Bool {
        (2...3).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}

/// The texts of a push in one language; an empty one is that of the message.
package struct PushTranslation: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    package var body: String

    package init(title: String = "", subtitle: String = "", body: String = "") {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    package var isEmpty: Bool { self == PushTranslation() }

    private enum CodingKeys: CodingKey {
        case title, subtitle, body
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decodeIfPresent(String.self, forKey: .title) ?? ""
        subtitle = try container.decodeIfPresent(String.self, forKey: .subtitle) ?? ""
        body = try container.decodeIfPresent(String.self, forKey: .body) ?? ""
    }
}

extension PushMessage {
    /// The message as users of a language get it.
    package func inLanguage(_ tag: String?) -> PushMessage {
        guard let translations else { return self }
        var message = self
        message.translations = nil
        guard let language = MessageLanguage.chosen(for: tag, among: translations.keys),
            let own = translations[language]
        else { return message }
        if !own.title.isEmpty { message.title = own.title }
        if !own.subtitle.isEmpty { message.subtitle = own.subtitle }
        if !own.body.isEmpty { message.body = own.body }
        return message
    }
}
