import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons

/// One line of a content file, with access to its fields by name.
struct ContentLine {
    let number: Int
    let kind: ContentKind
    private(set) var members: [String: JSONValue]

    /// - Throws: `FieldProblem` if the line is not a JSON object, has no known kind, or has an
    ///   unknown field.
    init(_ bytes: [UInt8], number: Int) throws(FieldProblem) {
        self.number = number
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes)
        } catch {
            throw FieldProblem("line", .noJSON, ["reason": .reason(error.reason)])
        }
        guard case .object(var members) = value else {
            throw FieldProblem("line", .noJSONObject)
        }
        let name = members.removeValue(forKey: "kind")
        let names = ContentKind.allCases.map(\.rawValue)
        guard let kind = name?.stringValue.flatMap(ContentKind.init) else {
            let nearest = NearestName.of(name?.stringValue ?? "", among: names)
            throw nearest.map { FieldProblem("kind", .unknownKind, ["name": .text($0)]) }
                ?? FieldProblem(
                    "kind",
                    .isOneOf,
                    ["known": .text(names.joined(separator: ", "))]
                )
        }
        self.kind = kind
        self.members = members
        if let name = members.keys.sorted().first(where: { !kind.fields.contains($0) }) {
            throw ReadableForm.unknown(name, among: kind.fields)
        }
    }

    /// Replaces identifiers everywhere in the line.
    mutating func replace(_ identifiers: [String: String]) {
        guard !identifiers.isEmpty else { return }
        members = members.mapValues { Self.replaced(identifiers, in: $0) }
    }

    private static func replaced(
        _ identifiers: [String: String],
        in value: JSONValue
    ) -> JSONValue {
        switch value {
        case .string(var text):
            for (old, new) in identifiers {
                text = text.replacing(old, with: new).replacing(old.uppercased(), with: new)
            }
            return .string(text)
        case .array(let elements): return .array(elements.map { replaced(identifiers, in: $0) })
        case .object(let members):
            return .object(members.mapValues { replaced(identifiers, in: $0) })
        default: return value
        }
    }

    // MARK: Fields

    /// `nil` if the field is missing or null.
    subscript(name: String) -> JSONValue? {
        let value = members[name]
        return value == .null ? nil : value
    }

    func text(_ name: String) throws(FieldProblem) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw FieldProblem(name, .isText) }
        return text
    }

    func text(_ name: String, or text: String) throws(FieldProblem) -> String {
        try self.text(name) ?? text
    }

    func requiredText(_ name: String) throws(FieldProblem) -> String {
        guard let text = try text(name) else { throw FieldProblem(name, .isMissing) }
        return text
    }

    func texts(_ name: String) throws(FieldProblem) -> [String] {
        guard let value = self[name] else { return [] }
        let texts = value.arrayValue?.compactMap(\.stringValue)
        guard let texts, texts.count == value.arrayValue?.count else {
            throw FieldProblem(name, .texts)
        }
        return texts
    }

    func object(_ name: String) throws(FieldProblem) -> [String: JSONValue] {
        guard let value = self[name] else { return [:] }
        guard case .object(let members) = value else { throw FieldProblem(name, .isObject) }
        return members
    }

    func flag(_ name: String) throws(FieldProblem) -> Bool {
        switch self[name] {
        case nil: return false
        case .bool(let flag)?: return flag
        default: throw FieldProblem(name, .isFlag)
        }
    }

    func time(_ name: String) throws(FieldProblem) -> Date? {
        guard let text = try text(name) else { return nil }
        guard let time = Timestamp.parse(text) else {
            throw FieldProblem(name, .noTime)
        }
        return time
    }

    func id() throws(FieldProblem) -> UUID {
        guard let id = UUID(uuidString: try requiredText("id")) else {
            throw FieldProblem("id", .noIdentifier)
        }
        return id
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        or choice: Choice
    ) throws(FieldProblem) -> Choice where Choice.RawValue == String {
        guard let text = try text(name) else { return choice }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw FieldProblem(name, .isOneOf, ["known": .text(names)])
        }
        return choice
    }
}
