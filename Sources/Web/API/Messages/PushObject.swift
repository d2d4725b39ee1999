import Foundation
import Ingestion
import Model
import NoroshiWire

/// The members of a push object (`apple_push`, `android_push`, `web_push`); errors contain the path
/// of the field.
struct PushObject {
    private let object: [String: JSONValue]
    private let path: String

    /// `name` is the name of the object in `messages`.
    init(_ value: JSONValue, name: String) throws(FieldProblem) {
        path = "messages.\(name)"
        guard let object = value.objectValue else {
            throw FieldProblem(path, "must be an object")
        }
        self.object = object
    }

    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    /// `nil` also for an empty text.
    func text(_ key: String) throws(FieldProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.stringValue else { throw problem(key, "must be a string") }
        return text.isEmpty ? nil : text
    }

    func requiredText(_ key: String) throws(FieldProblem) -> String {
        guard let text = try text(key) else { throw problem(key, "is required") }
        return text
    }

    /// True, false, or the numbers 1 and 0.
    func flag(_ key: String) throws(FieldProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        if let flag = value.boolValue { return flag }
        if let number = value.integerValue, number == 0 || number == 1 { return number == 1 }
        throw problem(key, "must be true or false")
    }

    func wholeNumber(
        _ key: String,
        _ range: ClosedRange<Int64>
    ) throws(FieldProblem) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.integerValue, range.contains(number) else {
            throw problem(
                key,
                "is a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// Custom pairs; values that are not strings become JSON text.
    func extra() throws(FieldProblem) -> [String: String] {
        guard let value = value("extra") else { return [:] }
        guard let extra = value.objectValue else { throw problem("extra", "must be an object") }
        var pairs: [String: String] = [:]
        for (key, value) in extra {
            switch value {
            case .string(let text): pairs[key] = text
            case .null: continue
            default:
                do {
                    pairs[key] = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
                } catch {
                    throw problem("extra.\(key)", "cannot be written as JSON: \(error)")
                }
            }
        }
        return pairs
    }

    /// The buttons with their indices.
    func buttons() throws(FieldProblem) -> [(place: String, button: JSONValue)] {
        guard let value = value("buttons") else { return [] }
        guard let list = value.arrayValue else { throw problem("buttons", "must be an array") }
        return list.enumerated().map { ("buttons.\($0)", $1) }
    }

    /// The paths of those of the given members that are present.
    func paths(of keys: [String]) -> [String] {
        keys.filter { value($0) != nil }.map { "\(path).\($0)" }
    }

    func problem(_ key: String, _ message: String) -> FieldProblem {
        FieldProblem("\(path).\(key)", message)
    }
}
