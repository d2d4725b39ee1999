import Foundation
import NoroshiWire
import Reasons

/// Reads the members of an object in a request; errors contain the path of the field.
package struct RequestReader {
    private let object: [String: JSONValue]
    private let path: String

    /// `path` is the prefix of names in messages.
    package init(_ value: JSONValue, path: String = "") throws(FieldProblem) {
        guard let object = value.objectValue else {
            throw FieldProblem(path.isEmpty ? "body" : path, .mustBeObject)
        }
        self.object = object
        self.path = path
    }

    package var fields: Set<String> { Set(object.filter { $0.value != .null }.keys) }

    package func value(_ field: String) -> JSONValue? {
        // Not `nil` literally: a JSON value can be created from that literal, and is then `null`.
        guard let value = object[field], value != .null else { return nil }
        return value
    }

    /// Whether the field is present and `null`.
    package func isNull(_ field: String) -> Bool { object[field] == .some(.null) }

    package func string(_ field: String) throws(FieldProblem) -> String? {
        guard let value = value(field) else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw problem(field, .mustBeFilled)
        }
        return text
    }

    package func requiredString(_ field: String) throws(FieldProblem) -> String {
        guard let text = try string(field) else { throw problem(field, .required) }
        return text
    }

    package func flag(_ field: String) throws(FieldProblem) -> Bool? {
        guard let value = value(field) else { return nil }
        guard let flag = value.boolValue else { throw problem(field, .mustBeFlag) }
        return flag
    }

    /// A text that is one of several.
    package func choice<Choice: RawRepresentable<String>>(
        _ field: String,
        _ choices: [Choice]
    ) throws(FieldProblem) -> Choice? {
        guard let text = try string(field) else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let names = choices.map(\.rawValue).joined(separator: ", ")
            throw problem(field, .isOneOf, ["known": .text(names)])
        }
        return choice
    }

    package func time(_ field: String) throws(FieldProblem) -> Date? {
        guard let text = try string(field) else { return nil }
        guard let time = Timestamp.parse(Self.withPlusSign(text)) else {
            throw problem(field, .isTimeSuchAs)
        }
        return time
    }

    /// Restores the plus sign of an offset in a time that was sent in a query, where a plain plus
    /// sign means a space.
    package static func withPlusSign(_ text: String) -> String {
        guard let place = text.lastIndex(of: " "), (3...6).contains(text[place...].utf8.count),
            text[..<place].contains(":")
        else { return text }
        return String(text[..<place]) + "+" + text[text.index(after: place)...]
    }

    /// The elements of a list; empty if it is missing.
    package func list(_ field: String, limit: Int) throws(FieldProblem) -> [JSONValue] {
        guard let value = value(field) else { return [] }
        guard let list = value.arrayValue else { throw problem(field, .mustBeArray) }
        guard list.count <= limit else {
            throw problem(field, .mostIDs, ["count": "\(limit)"])
        }
        return list
    }

    package func strings(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
        var strings: [String] = []
        for (index, value) in try list(field, limit: limit).enumerated() {
            guard let text = value.stringValue else {
                throw problem("\(field).\(index)", .mustBeString)
            }
            strings.append(text)
        }
        return strings
    }

    /// An object with any members; empty if it is missing.
    package func object(_ field: String) throws(FieldProblem) -> [String: JSONValue] {
        guard let value = value(field) else { return [:] }
        guard let object = value.objectValue else { throw problem(field, .mustBeObject) }
        return object
    }

    /// The elements of a list, each as a reader with its path.
    package func objects(_ field: String, limit: Int) throws(FieldProblem) -> [RequestReader] {
        var readers: [RequestReader] = []
        for (index, value) in try list(field, limit: limit).enumerated() {
            readers.append(try RequestReader(value, path: name("\(field).\(index)")))
        }
        return readers
    }

    /// A whole number, which is text in the parameters of a GET.
    package func wholeNumber(
        _ field: String,
        _ range: ClosedRange<Int>
    ) throws(FieldProblem) -> Int? {
        guard let value = value(field) else { return nil }
        let number =
            value.integerValue.flatMap(Int.init(exactly:))
            ?? value.stringValue.flatMap { Int($0) }
        guard let number, range.contains(number) else {
            throw problem(
                field,
                .wholeNumberFrom,
                ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"]
            )
        }
        return number
    }

    /// One string or a list of them.
    package func oneOrMore(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
        if value(field)?.arrayValue != nil { return try strings(field, limit: limit) }
        return try string(field).map { [$0] } ?? []
    }

    package func problem(
        _ field: String,
        _ code: RequestReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        problem(field, Reason(code, arguments))
    }

    package func problem(
        _ field: String,
        _ code: EndpointReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        problem(field, Reason(code, arguments))
    }

    package func problem(_ field: String, _ reason: Reason) -> FieldProblem {
        FieldProblem(.request(name(field)), reason)
    }

    package func name(_ field: String) -> String { path.isEmpty ? field : "\(path).\(field)" }
}
