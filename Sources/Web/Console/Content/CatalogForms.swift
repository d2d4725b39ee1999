import Foundation
import JSON
import Model
import NoroshiWire
import WebPages

/// The form of a new catalog.
struct CatalogForm {
    var name = ""
    var description = ""
    /// Without the id.
    var fields: [Catalog.Field] = []

    init() {}

    init(fields form: FormFields) {
        name = form.trimmed("name")
        description = form.trimmed("description")
        fields = zip(form.all("fieldName"), form.all("fieldKind")).compactMap {
            let name = $0.trimmingCharacters(in: .whitespaces)
            return name.isEmpty
                ? nil
                : Catalog.Field(name: name, type: Catalog.Field.Kind(rawValue: $1) ?? .string)
        }
    }
}

/// The form of a catalog item: its values as text, with JSON for objects and lists.
struct CatalogItemForm {
    var id = ""
    var values: [String: String] = [:]

    init() {}

    init(_ item: CatalogItem) {
        id = item.id
        values = item.values.mapValues(\.formText)
    }

    init(fields: FormFields) {
        id = fields.trimmed("id")
        let texts = fields.entries.filter { $0.name.hasPrefix("value.") }
        values = Dictionary(
            texts.map { (String($0.name.dropFirst("value.".count)), $0.value) },
            uniquingKeysWith: { $1 }
        )
    }

    /// - Throws: `FormFieldError` at the field whose text cannot be converted to its type.
    func item(of catalog: Catalog, _ words: Words) throws(FormFieldError) -> CatalogItem {
        var read: [String: JSONValue] = [:]
        for field in catalog.fields.dropFirst() {
            guard let value = field.type.value(of: values[field.name] ?? ""),
                CatalogValidator.problem(value: value, of: field) == nil
            else {
                throw FormFieldError(
                    field: field.name,
                    text: words("fault.kind", ["kind": words(field.type.wordKey)])
                )
            }
            read[field.name] = value
        }
        return CatalogItem(id: id, values: read)
    }
}

extension Catalog.Field.Kind {
    /// The value of a text in a form; `nil` if it cannot be converted.
    fileprivate func value(of text: String) -> JSONValue? {
        if text.isEmpty { return .null }
        switch self {
        case .string, .time: return .string(text)
        case .number, .boolean, .object, .array: return try? JSONReader.read(Array(text.utf8))
        }
    }
}

extension JSONValue {
    /// The form's text: strings without quotes, empty for null.
    var formText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
