import Mustache

/// A page's values by name, read from its fields once.
///
/// The template library would search all fields of an object again for each name in a template, and
/// for the names of outer objects those of the inner ones as well.
final class PageValues: MustacheParent, MustacheCustomRenderable {
    private let object: Any
    private let watch: NameWatch?
    private let isPage: Bool
    private var fields: [String: Any] = [:]
    /// The fields that a template has used so far, converted for lookups.
    private var known: [String: Any] = [:]
    private var empty: Set<String> = []

    convenience init(page: Any, watch: NameWatch? = nil) {
        self.init(page, watch, isPage: true)
    }

    private init(_ object: Any, _ watch: NameWatch?, isPage: Bool = false) {
        self.object = object
        self.watch = watch
        self.isPage = isPage
        for (label, value) in Mirror(reflecting: object).children {
            guard let label else { continue }
            fields[label] = value
        }
    }

    func child(named name: String) -> Any? {
        let value = value(of: name)
        watch?.asked(
            name,
            isEmpty: empty.contains(name),
            isFound: value != nil,
            isPage: isPage
        )
        return value
    }

    private func value(of name: String) -> Any? {
        if let value = known[name] { return value }
        guard let field = fields.removeValue(forKey: name) else { return nil }
        guard let value = Self.value(field, watch) else {
            empty.insert(name)
            return nil
        }
        known[name] = value
        return value
    }

    /// The text of the object itself.
    var renderText: String { String(describing: object) }
    var isNull: Bool { false }

    /// The value of a field for a template: `nil` if there is none, and objects by their own
    /// fields.
    private static func value(_ field: Any, _ watch: NameWatch?) -> Any? {
        switch field {
        case is String, is Bool, is Int, is any MustacheParent: return field
        case let array as [String]: return array
        case let array as [Any]: return array.compactMap { value($0, watch) }
        default: break
        }
        let mirror = Mirror(reflecting: field)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { value($0.value, watch) }
        case .struct, .class: return PageValues(field, watch)
        default: return field
        }
    }
}
