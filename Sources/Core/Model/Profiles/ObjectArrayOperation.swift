import Foundation
import NoroshiWire
import Reasons

/// `$add`, `$update` and `$remove` on a custom attribute that is an array of objects.
struct ObjectArrayOperation {
    private let name: String
    private let additions: [JSONValue]
    private let updates: [Update]
    private let removals: [Match]

    private struct Match {
        var key: String
        var value: JSONValue
    }

    private struct Update {
        var match: Match
        var change: JSONValue
    }

    init(_ operation: [String: JSONValue], _ name: String) throws(FieldProblem) {
        self.name = name
        additions = try Self.list(operation["$add"], "$add", name).map {
            value throws(FieldProblem) in
            guard value.objectValue != nil else {
                throw FieldProblem(name, .addTakesObjects)
            }
            return try CustomAttributeValidator.accepted(value, name, depth: 1)
        }
        updates = try Self.list(operation["$update"], "$update", name).map {
            value throws(FieldProblem) in
            guard let change = value["$new_object"], change.objectValue != nil else {
                throw FieldProblem(name, .updateNeedsObject)
            }
            return Update(
                match: try Self.match(value, "$update", name),
                change: try CustomAttributeValidator.accepted(change, name, depth: 1)
            )
        }
        removals = try Self.list(operation["$remove"], "$remove", name).map {
            value throws(FieldProblem) in
            try Self.match(value, "$remove", name)
        }
    }

    func apply(to stored: JSONValue?) throws(FieldProblem) -> JSONValue {
        guard stored == nil || stored?.arrayValue != nil else {
            throw FieldProblem(name, .storedNoObjects)
        }
        var elements = stored?.arrayValue ?? []
        for removal in removals {
            elements.removeAll { $0[removal.key] == removal.value }
        }
        for update in updates {
            elements = elements.map {
                $0[update.match.key] == update.match.value
                    ? CustomAttributeValidator.merged($0, with: update.change) : $0
            }
        }
        return .array(elements + additions)
    }

    private static func list(
        _ value: JSONValue?,
        _ operation: String,
        _ name: String
    ) throws(FieldProblem) -> [JSONValue] {
        guard let value else { return [] }
        guard let list = value.arrayValue else {
            throw FieldProblem(name, .takesArray, ["operation": .text(operation)])
        }
        return list
    }

    private static func match(
        _ value: JSONValue,
        _ operation: String,
        _ name: String
    ) throws(FieldProblem) -> Match {
        guard let key = value["$identifier_key"]?.stringValue,
            let wanted = value["$identifier_value"]
        else {
            throw FieldProblem(name, .needsIdentifier, ["operation": .text(operation)])
        }
        return Match(key: key, value: wanted)
    }
}
