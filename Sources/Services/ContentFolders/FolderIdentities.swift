import Foundation
import Model
import NoroshiWire

/// The identifiers inside a row. People call rows, variants and steps by their names; which identifier
/// each has is noted in the lock file.
enum FolderIdentities {
    /// Elements of lists with identifiers of their own, and the field that has them.
    private static let fields = ["variants": "api_id", "steps": "id"]

    /// A row without the identifiers of elements that a name finds, and these by the paths of the names, such
    /// as `steps.Reminder.variants.A`.
    static func removed(from value: JSONValue) -> (value: JSONValue, parts: [String: String]) {
        var parts: [String: String] = [:]
        let value = walked(value, at: "") { element, field, name, path in
            guard !name.isEmpty, let id = element[field]?.stringValue else { return }
            parts[path] = id
            element[field] = nil
        }
        return (value, parts)
    }

    /// A row with the identifiers that it has by the lock file; new elements get ones that are always the
    /// same for the same names, so that a plan stays what it is.
    static func added(to value: JSONValue, parts: [String: String], seed: String) -> JSONValue {
        walked(value, at: "") { element, field, _, path in
            guard element[field] == nil else { return }
            element[field] = .string(parts[path] ?? identifier(seed + "/" + path))
        }
    }

    /// An identifier that follows from names.
    static func identifier(_ names: String) -> String {
        UUID(named: "noroshi folder/\(names)".utf8).uuidString.lowercased()
    }

    /// Visits the elements that may have identifiers. A name that several elements of a list have finds none
    /// of them: `name` is empty then, and the path has the element's place.
    private static func walked(
        _ value: JSONValue,
        at path: String,
        _ visit: (inout [String: JSONValue], _ field: String, _ name: String, _ path: String) ->
            Void
    ) -> JSONValue {
        guard case .object(var members) = value else { return value }
        for (key, member) in members {
            guard case .array(let elements) = member else {
                members[key] = walked(member, at: joined(path, key), visit)
                continue
            }
            let names = elements.map { $0.objectValue?["name"]?.stringValue ?? "" }
            let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
            members[key] = .array(
                zip(elements, names).enumerated().map { place, pair in
                    let isFound = counts[pair.1] == 1 && !pair.1.isEmpty
                    let inner = joined(joined(path, key), isFound ? pair.1 : "#\(place)")
                    guard let field = fields[key], case .object(var element) = pair.0 else {
                        return walked(pair.0, at: inner, visit)
                    }
                    visit(&element, field, isFound ? pair.1 : "", inner)
                    return walked(.object(element), at: inner, visit)
                }
            )
        }
        return .object(members)
    }

    private static func joined(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : path + "." + name
    }
}
