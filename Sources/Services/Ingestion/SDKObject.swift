import Foundation
import JSON
import Model
import NoroshiWire

/// Typed access to the members of an object on the SDK's wire; errors contain the path of the
/// field.
struct SDKObject {
    let node: JSONNode
    private let path: String

    init(_ node: JSONNode, at path: String) throws(FieldProblem) {
        guard node.kind == .object else {
            throw FieldProblem(path.isEmpty ? "body" : path, "must be an object")
        }
        self.node = node
        self.path = path
    }

    func object(_ key: String) throws(FieldProblem) -> SDKObject {
        guard let member = node.present(key) else { throw missing(key, "an object") }
        return try SDKObject(member, at: name(key))
    }

    func text(_ key: String) throws(FieldProblem) -> String {
        guard let text = try optionalText(key) else { throw missing(key, "a string") }
        return text
    }

    func optionalText(_ key: String) throws(FieldProblem) -> String? {
        guard let member = node.present(key) else { return nil }
        guard let text = member.string else { throw problem(key, "must be a string") }
        return text
    }

    func uuid(_ key: String) throws(FieldProblem) -> UUID {
        guard let id = try optionalUUID(key) else { throw missing(key, "a UUID") }
        return id
    }

    func optionalUUID(_ key: String) throws(FieldProblem) -> UUID? {
        guard let member = node.present(key) else { return nil }
        guard let id = member.string.flatMap(UUID.init(uuidString:)) else {
            throw problem(key, "must be a UUID")
        }
        return id
    }

    func integer(_ key: String) throws(FieldProblem) -> Int64 {
        guard let integer = try optionalInteger(key) else { throw missing(key, "a whole number") }
        return integer
    }

    func optionalInteger(_ key: String) throws(FieldProblem) -> Int64? {
        guard let member = node.present(key) else { return nil }
        guard let integer = member.number?.integerValue else {
            throw problem(key, "must be a whole number of 64 bits")
        }
        return integer
    }

    /// A whole number that counts up from zero.
    func sequence(_ key: String) throws(FieldProblem) -> UInt64 {
        guard let number = node.present(key)?.number else { throw missing(key, "a whole number") }
        let sequence: UInt64? =
            if case .integer(let integer) = number { UInt64(exactly: integer) } else {
                number.doubleValue.flatMap(UInt64.init(exactly:))
            }
        guard let sequence else { throw problem(key, "must be a whole number from 0 on") }
        return sequence
    }

    func number(_ key: String) throws(FieldProblem) -> Double {
        guard let number = node.present(key)?.number?.doubleValue else {
            throw missing(key, "a number")
        }
        return number
    }

    func optionalFlag(_ key: String) throws(FieldProblem) -> Bool? {
        guard let member = node.present(key) else { return nil }
        guard let flag = member.bool else { throw problem(key, "must be true or false") }
        return flag
    }

    func members(_ key: String) throws(FieldProblem) -> [String: JSONValue] {
        guard let members = try optionalMembers(key) else { throw missing(key, "an object") }
        return members
    }

    func optionalMembers(_ key: String) throws(FieldProblem) -> [String: JSONValue]? {
        guard let member = node.present(key) else { return nil }
        guard let members = member.value.objectValue else {
            throw problem(key, "must be an object")
        }
        return members
    }

    func choice<Choice: RawRepresentable<String>>(
        _ key: String
    ) throws(FieldProblem) -> Choice {
        let text = try text(key)
        guard let choice = Choice(rawValue: text) else {
            throw problem(key, "'\(text.prefix(40))' is not one of its values")
        }
        return choice
    }

    private func missing(_ key: String, _ kind: String) -> FieldProblem {
        problem(key, "is required and must be \(kind)")
    }

    private func problem(_ key: String, _ message: String) -> FieldProblem {
        FieldProblem(name(key), message)
    }

    private func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
