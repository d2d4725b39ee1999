import JSON
import NoroshiWire

/// What is different between two values, a line for each place.
struct ContentDifference {
    /// Places of one row that are named; how many more there are is said.
    private static let limit = 40
    private static let textLimit = 60

    private(set) var lines: [String] = []

    /// - Parameter name: What to show instead of a text, such as a name instead of an identifier.
    init(_ before: JSONValue, _ after: JSONValue, name: (String) -> String) {
        compare(before, after, at: "", name)
        if lines.count > Self.limit {
            let more = lines.count - Self.limit
            lines = lines.prefix(Self.limit) + ["and \(more) more"]
        }
    }

    private mutating func compare(
        _ before: JSONValue,
        _ after: JSONValue,
        at path: String,
        _ name: (String) -> String
    ) {
        guard before != after else { return }
        func inner(_ member: String) -> String { path.isEmpty ? member : path + "." + member }
        switch (before, after) {
        case (.object(let old), .object(let new)):
            for key in Set(old.keys).union(new.keys).sorted() {
                compare(old[key] ?? .null, new[key] ?? .null, at: inner(key), name)
            }
        case (.array(let old), .array(let new)):
            compare(elements: old, new, at: path, name)
        default:
            lines.append("\(path): \(shown(before, name)) → \(shown(after, name))")
        }
    }

    /// Elements with names or identifiers are compared with those of the same one, others by place.
    private mutating func compare(
        elements old: [JSONValue],
        _ new: [JSONValue],
        at path: String,
        _ name: (String) -> String
    ) {
        func key(_ element: JSONValue) -> String? {
            let members = element.objectValue ?? [:]
            return (members["api_id"] ?? members["id"] ?? members["name"])?.stringValue
        }
        func label(_ element: JSONValue, _ place: Int) -> String {
            let called = element.objectValue?["name"]?.stringValue ?? ""
            return "\(path).\(called.isEmpty ? String(place) : called)"
        }
        let oldKeys = old.compactMap(key)
        let newKeys = new.compactMap(key)
        guard oldKeys.count == old.count, newKeys.count == new.count,
            Set(oldKeys).count == old.count, Set(newKeys).count == new.count
        else {
            for place in 0..<max(old.count, new.count) {
                compare(
                    place < old.count ? old[place] : .null,
                    place < new.count ? new[place] : .null,
                    at: "\(path).\(place)",
                    name
                )
            }
            return
        }
        for (place, element) in new.enumerated() {
            let former = oldKeys.firstIndex(of: newKeys[place])
            compare(former.map { old[$0] } ?? .null, element, at: label(element, place), name)
        }
        for (place, element) in old.enumerated() where !newKeys.contains(oldKeys[place]) {
            compare(element, .null, at: label(element, place), name)
        }
        let kept = oldKeys.filter(newKeys.contains)
        if kept != newKeys.filter(oldKeys.contains) { lines.append("\(path): in another order") }
    }

    private func shown(_ value: JSONValue, _ name: (String) -> String) -> String {
        if value == .null { return "nothing" }
        let text = JSONWriter.text(Self.named(value, name))
        return text.count > Self.textLimit ? text.prefix(Self.textLimit - 1) + "…" : text
    }

    private static func named(_ value: JSONValue, _ name: (String) -> String) -> JSONValue {
        switch value {
        case .string(let text): .string(name(text))
        case .array(let elements): .array(elements.map { named($0, name) })
        case .object(let members): .object(members.mapValues { named($0, name) })
        default: value
        }
    }
}
