import Mustache

/// A page's values by name, read from its fields once.
///
/// The template library would look through all fields of an object anew for each name in a
/// template, and for the names of outer objects through those of the inner ones as well.
final class PageValues: MustacheParent, MustacheCustomRenderable {
    private let object: Any
    private var fields: [String: Any] = [:]
    /// The fields that a template has asked for, ready to be asked themselves.
    private var known: [String: Any] = [:]

    init(_ object: Any) {
        self.object = object
        for (label, value) in Mirror(reflecting: object).children {
            guard let label else { continue }
            fields[label] = value
        }
    }

    func child(named name: String) -> Any? {
        if let value = known[name] { return value }
        guard let field = fields.removeValue(forKey: name), let value = Self.value(field) else {
            return nil
        }
        known[name] = value
        return value
    }

    /// What the object itself is as text.
    var renderText: String { String(describing: object) }
    var isNull: Bool { false }

    /// What a template makes of a field: `nil` for none, and objects by their own fields.
    static func value(_ field: Any) -> Any? {
        switch field {
        case is String, is Bool, is Int, is any MustacheParent: return field
        case let array as [String]: return array
        case let array as [Any]: return array.compactMap(value)
        default: break
        }
        let mirror = Mirror(reflecting: field)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { value($0.value) }
        case .struct, .class: return PageValues(field)
        default: return field
        }
    }
}
