import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// The members of a push object (`apple_push`, `android_push`, `web_push`); errors contain the path
/// of the field.
struct PushObject {
    private let object: [String: JSONValue]
    private let path: String

    /// `name` is the name of the object in `messages`.
    init(_ value: JSONValue, name: String) throws(FieldProblem) {
        path = "messages.\(name)"
        guard let object = value.objectValue else {
            throw FieldProblem(path, .mustBeObject)
        }
        self.object = object
    }

    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    /// `nil` also for an empty text.
    func text(_ key: String) throws(FieldProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.stringValue else { throw problem(key, .mustBeString) }
        return text.isEmpty ? nil : text
    }

    func requiredText(_ key: String) throws(FieldProblem) -> String {
        guard let text = try text(key) else { throw problem(key, .required) }
        return text
    }

    /// True, false, or the numbers 1 and 0.
    func flag(_ key: String) throws(FieldProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        if let flag = value.boolValue { return flag }
        if let number = value.integerValue, number == 0 || number == 1 { return number == 1 }
        throw problem(key, .mustBeFlag)
    }

    func wholeNumber(
        _ key: String,
        _ range: ClosedRange<Int64>
    ) throws(FieldProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.integerValue, range.contains(number) else {
            throw problem(
                key,
                .wholeNumberFrom,
                ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"]
            )
        }
        return number
    }

    /// Custom pairs; values that are not strings become JSON text.
    func extra() throws(FieldProblem) -> [String: String] {
        guard let value = value("extra") else { return [:] }
        guard let extra = value.objectValue else { throw problem("extra", .mustBeObject) }
        var pairs: [String: String] = [:]
        for (key, value) in extra {
            switch value {
            case .string(let text): pairs[key] = text
            case .null: continue
            default:
                do {
                    pairs[key] = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
                } catch {
                    throw problem("extra.\(key)", .notWritable, ["reason": "\(error)"])
                }
            }
        }
        return pairs
    }

    /// The buttons with their indices.
    func buttons() throws(FieldProblem) -> [(place: String, button: JSONValue)] {
        guard let value = value("buttons") else { return [] }
        guard let list = value.arrayValue else { throw problem("buttons", .mustBeArray) }
        return list.enumerated().map { ("buttons.\($0)", $1) }
    }

    /// The pages of a push story; `nil` if the message has none.
    func story() throws(FieldProblem) -> [StoryPage]? {
        guard let value = value("push_story") else { return nil }
        guard let list = value.arrayValue else { throw problem("push_story", .mustBeArray) }
        var pages: [StoryPage] = []
        for (index, element) in list.enumerated() {
            let place = "push_story.\(index)"
            guard let page = element.objectValue else { throw problem(place, .mustBeObject) }
            func text(_ key: String) throws(FieldProblem) -> String? {
                guard let value = page[key], value != .null else { return nil }
                guard let text = value.stringValue else {
                    throw problem("\(place).\(key)", .mustBeString)
                }
                return text.isEmpty ? nil : text
            }
            guard let image = try text("image_url") else {
                throw problem("\(place).image_url", .requiredString)
            }
            pages.append(
                StoryPage(
                    image: image,
                    title: try text("title") ?? "",
                    subtitle: try text("subtitle") ?? "",
                    uri: try text("uri")
                )
            )
        }
        return pages
    }

    /// The texts in other languages; `nil` if the message has none.
    func translations() throws(FieldProblem) -> [String: PushTranslation]? {
        guard let value = value("translations") else { return nil }
        guard let languages = value.objectValue else {
            throw problem("translations", .mustBeObject)
        }
        var translations: [String: PushTranslation] = [:]
        for (language, texts) in languages.sorted(by: { $0.key < $1.key }) where texts != .null {
            let place = "translations.\(language)"
            guard let texts = texts.objectValue else { throw problem(place, .mustBeObject) }
            func text(_ key: String) throws(FieldProblem) -> String {
                guard let value = texts[key], value != .null else { return "" }
                guard let text = value.stringValue else {
                    throw problem("\(place).\(key)", .mustBeString)
                }
                return text
            }
            translations[language.lowercased()] = PushTranslation(
                title: try text("title"),
                subtitle: try text("subtitle"),
                body: try text("body")
            )
        }
        return translations.isEmpty ? nil : translations
    }

    /// The paths of those of the given members that are present.
    func paths(of keys: [String]) -> [String] {
        keys.filter { value($0) != nil }.map { "\(path).\($0)" }
    }

    func problem(
        _ key: String,
        _ code: RequestReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        FieldProblem("\(path).\(key)", code, arguments)
    }

    func problem(
        _ key: String,
        _ code: EndpointReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        FieldProblem("\(path).\(key)", code, arguments)
    }
}
