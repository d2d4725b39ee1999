import Foundation
import NoroshiWire

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

    init(_ operation: [String: JSONValue], _ name: String) throws {
        self.name = name
        additions = try Self.list(operation["$add"], "$add", name).map {
            guard $0.objectValue != nil else {
                throw FieldProblem(name, "$add takes objects")
            }
            return try CustomAttributeValidator.accepted($0, name, depth: 1)
        }
        updates = try Self.list(operation["$update"], "$update", name).map {
            guard let change = $0["$new_object"], change.objectValue != nil else {
                throw FieldProblem(
                    name,
                    "$update needs an object under $new_object"
                )
            }
            return Update(
                match: try Self.match($0, "$update", name),
                change: try CustomAttributeValidator.accepted(change, name, depth: 1)
            )
        }
        removals = try Self.list(operation["$remove"], "$remove", name).map {
            try Self.match($0, "$remove", name)
        }
    }

    func apply(to stored: JSONValue?) throws -> JSONValue {
        guard stored == nil || stored?.arrayValue != nil else {
            throw FieldProblem(
                name,
                "needs an array of objects; the stored value is none"
            )
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
    ) throws -> [JSONValue] {
        guard let value else { return [] }
        guard let list = value.arrayValue else {
            throw FieldProblem(name, "\(operation) takes an array")
        }
        return list
    }

    private static func match(
        _ value: JSONValue,
        _ operation: String,
        _ name: String
    ) throws -> Match {
        guard let key = value["$identifier_key"]?.stringValue,
            let wanted = value["$identifier_value"]
        else {
            throw FieldProblem(
                name,
                "\(operation) needs $identifier_key and $identifier_value"
            )
        }
        return Match(key: key, value: wanted)
    }
}
