import Foundation
import JSON
import Model
import NoroshiWire
import Reasons

/// Typed access to the members of an object on the SDK's wire; errors contain the path of the
/// field.
struct SDKObject {
    let node: JSONNode
    private let path: String

    init(_ node: JSONNode, at path: String) throws(FieldProblem) {
        guard node.kind == .object else {
            throw FieldProblem(path.isEmpty ? "body" : path, .mustBeObject)
        }
        self.node = node
        self.path = path
    }

    func object(_ key: String) throws(FieldProblem) -> SDKObject {
        guard let member = node.present(key) else { throw problem(key, .requiredObject) }
        return try SDKObject(member, at: name(key))
    }

    func text(_ key: String) throws(FieldProblem) -> String {
        guard let text = try optionalText(key) else { throw problem(key, .requiredString) }
        return text
    }

    func optionalText(_ key: String) throws(FieldProblem) -> String? {
        guard let member = node.present(key) else { return nil }
        guard let text = member.string else { throw problem(key, .mustBeString) }
        return text
    }

    func uuid(_ key: String) throws(FieldProblem) -> UUID {
        guard let id = try optionalUUID(key) else { throw problem(key, .requiredUUID) }
        return id
    }

    func optionalUUID(_ key: String) throws(FieldProblem) -> UUID? {
        guard let member = node.present(key) else { return nil }
        guard let id = member.string.flatMap(UUID.init(uuidString:)) else {
            throw problem(key, .mustBeUUID)
        }
        return id
    }

    func integer(_ key: String) throws(FieldProblem) -> Int64 {
        guard let integer = try optionalInteger(key) else {
            throw problem(key, .requiredWholeNumber)
        }
        return integer
    }

    func optionalInteger(_ key: String) throws(FieldProblem) -> Int64? {
        guard let member = node.present(key) else { return nil }
        guard let integer = member.number?.integerValue else {
            throw problem(key, .mustBe64Bits)
        }
        return integer
    }

    /// A whole number that counts up from zero.
    func sequence(_ key: String) throws(FieldProblem) -> UInt64 {
        guard let number = node.present(key)?.number else {
            throw problem(key, .requiredWholeNumber)
        }
        let sequence: UInt64? =
            if case .integer(let integer) = number { UInt64(exactly: integer) } else {
                number.doubleValue.flatMap(UInt64.init(exactly:))
            }
        guard let sequence else { throw problem(key, .mustBeFromZero) }
        return sequence
    }

    func number(_ key: String) throws(FieldProblem) -> Double {
        guard let number = node.present(key)?.number?.doubleValue else {
            throw problem(key, .requiredNumber)
        }
        return number
    }

    func optionalFlag(_ key: String) throws(FieldProblem) -> Bool? {
        guard let member = node.present(key) else { return nil }
        guard let flag = member.bool else { throw problem(key, .mustBeFlag) }
        return flag
    }

    func members(_ key: String) throws(FieldProblem) -> [String: JSONValue] {
        guard let members = try optionalMembers(key) else { throw problem(key, .requiredObject) }
        return members
    }

    func optionalMembers(_ key: String) throws(FieldProblem) -> [String: JSONValue]? {
        guard let member = node.present(key) else { return nil }
        guard let members = member.value.objectValue else {
            throw problem(key, .mustBeObject)
        }
        return members
    }

    func choice<Choice: RawRepresentable<String>>(
        _ key: String
    ) throws(FieldProblem) -> Choice {
        let text = try text(key)
        guard let choice = Choice(rawValue: text) else {
            throw problem(key, .noValue, ["text": "\(text.prefix(40))"])
        }
        return choice
    }

    private func problem(
        _ key: String,
        _ code: RequestReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        FieldProblem(name(key), code, arguments)
    }

    private func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
