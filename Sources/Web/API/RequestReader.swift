import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Reads the members of an object in a request; errors contain the path of the field.
struct RequestReader {
    private let object: [String: JSONValue]
    private let path: String

    /// `path` is the prefix of names in messages.
    init(_ value: JSONValue, path: String = "") throws(FieldProblem) {
        guard let object = value.objectValue else {
            throw FieldProblem(path.isEmpty ? "body" : path, .mustBeObject)
        }
        self.object = object
        self.path = path
    }

    var fields: Set<String> { Set(object.filter { $0.value != .null }.keys) }

    func value(_ field: String) -> JSONValue? {
        // Not `nil` literally: a JSON value can be created from that literal, and is then `null`.
        guard let value = object[field], value != .null else { return nil }
        return value
    }

    /// Whether the field is present and `null`.
    func isNull(_ field: String) -> Bool { object[field] == .some(.null) }

    func string(_ field: String) throws(FieldProblem) -> String? {
        guard let value = value(field) else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw problem(field, .mustBeFilled)
        }
        return text
    }

    func requiredString(_ field: String) throws(FieldProblem) -> String {
        guard let text = try string(field) else { throw problem(field, .required) }
        return text
    }

    /// The app's own identifier of a user: a text, or a whole number as its digits.
    func externalID(_ field: String) throws(FieldProblem) -> String? {
        guard let value = value(field) else { return nil }
        return try UserIdentifier.externalID(value, name(field))
    }

    func requiredExternalID(_ field: String) throws(FieldProblem) -> String {
        guard let id = try externalID(field) else { throw problem(field, .required) }
        return id
    }

    /// The app's own identifier of a user, or a list of them.
    func oneOrMoreExternalIDs(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
        if value(field)?.arrayValue != nil { return try externalIDs(field, limit: limit) }
        return try externalID(field).map { [$0] } ?? []
    }

    /// A list of the app's own identifiers of users; empty if it is missing.
    func externalIDs(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
        var ids: [String] = []
        for (index, value) in try list(field, limit: limit).enumerated() {
            ids.append(try UserIdentifier.externalID(value, name("\(field).\(index)")))
        }
        return ids
    }

    func flag(_ field: String) throws(FieldProblem) -> Bool? {
        guard let value = value(field) else { return nil }
        guard let flag = value.boolValue else { throw problem(field, .mustBeFlag) }
        return flag
    }

    func time(_ field: String) throws(FieldProblem) -> Date? {
        guard let text = try string(field) else { return nil }
        guard let time = Timestamp.parse(Self.withPlusSign(text)) else {
            throw problem(field, .isTimeSuchAs)
        }
        return time
    }

    /// Restores the plus sign of an offset in a time that was sent in a query, where a plain plus
    /// sign means a space.
    static func withPlusSign(_ text: String) -> String {
        guard let place = text.lastIndex(of: " "), (3...6).contains(text[place...].utf8.count),
            text[..<place].contains(":")
        else { return text }
        return String(text[..<place]) + "+" + text[text.index(after: place)...]
    }

    /// The elements of a list; empty if it is missing.
    func list(_ field: String, limit: Int) throws(FieldProblem) -> [JSONValue] {
        guard let value = value(field) else { return [] }
        guard let list = value.arrayValue else { throw problem(field, .mustBeArray) }
        guard list.count <= limit else {
            throw problem(field, .mostIDs, ["count": "\(limit)"])
        }
        return list
    }

    func strings(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
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
    func object(_ field: String) throws(FieldProblem) -> [String: JSONValue] {
        guard let value = value(field) else { return [:] }
        guard let object = value.objectValue else { throw problem(field, .mustBeObject) }
        return object
    }

    /// The elements of a list, each as a reader with its path.
    func objects(_ field: String, limit: Int) throws(FieldProblem) -> [RequestReader] {
        var readers: [RequestReader] = []
        for (index, value) in try list(field, limit: limit).enumerated() {
            readers.append(try RequestReader(value, path: name("\(field).\(index)")))
        }
        return readers
    }

    /// A whole number, which is text in the parameters of a GET.
    func wholeNumber(
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

    /// The number of a page of a list, from 0 on.
    func page() throws(FieldProblem) -> Int {
        try wholeNumber("page", RESTEndpoint.Parameter.pages) ?? 0
    }

    /// One string or a list of them.
    func oneOrMore(_ field: String, limit: Int) throws(FieldProblem) -> [String] {
        if value(field)?.arrayValue != nil { return try strings(field, limit: limit) }
        return try string(field).map { [$0] } ?? []
    }

    func problem(
        _ field: String,
        _ code: RequestReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        problem(field, Reason(code, arguments))
    }

    func problem(
        _ field: String,
        _ code: EndpointReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> FieldProblem {
        problem(field, Reason(code, arguments))
    }

    func problem(_ field: String, _ reason: Reason) -> FieldProblem {
        FieldProblem(.request(name(field)), reason)
    }

    private func name(_ field: String) -> String { path.isEmpty ? field : "\(path).\(field)" }
}
