import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons

/// The form in a file of values stored as JSON: keys in the style of the REST API, an enumeration
/// case as its name or an object with the name, times as texts.
enum ReadableForm {
    /// Fields whose values are defined by users and are kept unchanged.
    private static let opaque: Set<String> = ["keyValuePairs", "value", "translations"]
    /// Fields whose value is one of several cases.
    private static let choices: Set<String> = [
        "delivery", "clock", "pattern", "reeligibility", "badge", "kind",
    ]
    /// Cases with one unnamed value.
    private static let wrapped: Set<String> = [
        "scheduled", "actionBased", "zone", "afterCount", "onDay", "after", "set",
    ]
    /// Sets, which are unordered.
    private static let sets: Set<String> = ["weekdays", "days"]

    static func value(of value: some Encodable) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.format(date))
        }
        return shown(try JSONReader.read(encoder.encode(value)), "", in: "")
    }

    /// - Parameter field: The prefix of the names of invalid fields.
    /// - Throws: `FieldProblem` for a value of the wrong type, a missing one or an unknown field.
    static func read<Value: Codable>(
        _ form: JSONValue,
        as type: Value.Type,
        field: String = ""
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = Timestamp.parse(try container.decode(String.self)) else {
                let path = DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "")
                ).path
                throw FieldProblem(joined(field, snake(path: path)), .noTime)
            }
            return date
        }
        let value: Value
        do {
            let text = JSONWriter.text(stored(form, "", in: ""))
            value = try decoder.decode(type, from: Data(text.utf8))
        } catch let error as DecodingError {
            let problem = error.problem(in: form)
            throw FieldProblem(
                .request(joined(field, snake(path: problem.field))),
                problem.reason
            )
        }
        try requireKnown(form, in: try self.value(of: value), field)
        return value
    }

    /// Rejects unknown fields: a misspelled name of an optional field would go unnoticed otherwise.
    static func requireKnown(
        _ form: JSONValue,
        in known: JSONValue,
        _ field: String
    ) throws(FieldProblem) {
        switch (form, known) {
        case (.object(let members), .object(let others)):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
                guard let other = others[name] else {
                    throw unknown(joined(field, name), among: others.keys)
                }
                try requireKnown(value, in: other, joined(field, name))
            }
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            for (index, element) in elements.enumerated() {
                try requireKnown(element, in: others[index], joined(field, String(index)))
            }
        default: break
        }
    }

    static func unknown(
        _ field: String,
        among names: some Sequence<String>
    ) -> FieldProblem {
        let name = field.split(separator: ".").last.map(String.init) ?? field
        let nearest = NearestName.of(name, among: names.sorted())
        return nearest.map { FieldProblem(field, .unknownFieldNear, ["name": .text($0)]) }
            ?? FieldProblem(field, .unknownField)
    }

    static func joined(_ field: String, _ rest: String) -> String {
        field.isEmpty || rest.isEmpty ? field + rest : field + "." + rest
    }

    // MARK: Cases and keys

    private static func isChoice(_ key: String, in parent: String) -> Bool {
        choices.contains(key) || key == "end" && parent == "recurrence"
    }

    private static func shown(_ value: JSONValue, _ key: String, in parent: String) -> JSONValue {
        guard !opaque.contains(key) else { return value }
        switch value {
        case .object(let members):
            if isChoice(key, in: parent), members.count == 1, let (name, inner) = members.first {
                guard inner != .object([:]) else { return .string(snake(name)) }
                return .object([snake(name): shown(inner["_0"] ?? inner, name, in: key)])
            }
            return .object(
                Dictionary(
                    uniqueKeysWithValues: members.map {
                        (snake($0.key), shown($0.value, $0.key, in: key))
                    }
                )
            )
        case .array(let elements):
            let elements = elements.map { shown($0, key, in: parent) }
            return .array(
                sets.contains(key)
                    ? elements.sorted { ($0.integerValue ?? 0) < ($1.integerValue ?? 0) } : elements
            )
        default: return value
        }
    }

    private static func stored(_ value: JSONValue, _ key: String, in parent: String) -> JSONValue {
        guard !opaque.contains(key) else { return value }
        switch value {
        case .string(let name) where isChoice(key, in: parent):
            return .object([camel(name): .object([:])])
        case .object(let members):
            if isChoice(key, in: parent), members.count == 1, let member = members.first {
                let name = camel(member.key)
                let inner = stored(member.value, name, in: key)
                return .object([name: wrapped.contains(name) ? ["_0": inner] : inner])
            }
            return .object(
                Dictionary(
                    members.map { (camel($0.key), stored($0.value, camel($0.key), in: key)) },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        case .array(let elements): return .array(elements.map { stored($0, key, in: parent) })
        default: return value
        }
    }

    /// Converts `apiID` to `api_id`.
    private static func snake(_ name: String) -> String {
        var result = ""
        var wasUpper = true
        for character in name {
            if character.isUppercase, !wasUpper { result += "_" }
            wasUpper = character.isUppercase
            result += character.lowercased()
        }
        return result
    }

    private static func snake(path: String) -> String {
        path.split(separator: ".").filter { $0 != "_0" }.map { snake(String($0)) }
            .joined(separator: ".")
    }

    private static func camel(_ name: String) -> String {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words.enumerated().map { index, word in
            if index == 0 { return String(word) }
            return ["id", "url"].contains(word) ? word.uppercased() : word.capitalized
        }.joined()
    }
}
