import Model
import WebPages

/// The raw fields of a message's texts, with its address and its image: what each variant of a
/// campaign and each platform can have separately.
struct MessageText: Hashable {
    var title = ""
    var subtitle = ""
    var message = ""
    /// The texts in other languages, which all platforms share.
    var translations: [String: PushTranslation] = [:]
    var url = ""
    var image = ""

    init() {}

    /// - Parameter prefix: What the names of the fields begin with.
    init(fields: FormFields, prefix: String = "") {
        title = fields[prefix + "title"]
        subtitle = fields[prefix + "subtitle"]
        message = fields[prefix + "message"]
        translations = TranslationFields.read(fields, prefix: prefix)
        url = fields.trimmed(prefix + "url")
        image = fields.trimmed(prefix + "image")
    }

    var isEmpty: Bool { self == MessageText() }

    /// Reports the invalid fields.
    ///
    /// - Parameter prefix: What their names begin with.
    func check(_ check: inout FormValidator, prefix: String = "") {
        if message.allSatisfy(\.isWhitespace) {
            check.fault(prefix + "message", "fault.message_empty")
        }
        if !url.isEmpty, !LinkAddress.mayBeOpenable(url) {
            check.fault(prefix + "url", "reason.field.openableAddress")
        }
        if !image.isEmpty, !image.hasPrefix("https://") {
            check.fault(prefix + "image", "fault.image")
        }
    }

    // MARK: Platforms

    private static let fields: [any WritableKeyPath<Self, String> & Sendable] = [
        \.title, \.subtitle, \.message, \.url, \.image,
    ]

    /// Fills empty fields of a platform with the common text.
    func filled(from common: MessageText) -> MessageText {
        var text = self
        for field in Self.fields where text[keyPath: field].isEmpty {
            text[keyPath: field] = common[keyPath: field]
        }
        if text.translations.isEmpty { text.translations = common.translations }
        return text
    }

    /// The fields that differ from the common text.
    func differing(from common: MessageText) -> MessageText {
        var text = self
        for field in Self.fields where text[keyPath: field] == common[keyPath: field] {
            text[keyPath: field] = ""
        }
        text.translations = [:]
        return text
    }
}
