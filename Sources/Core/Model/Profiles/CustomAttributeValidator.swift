import Foundation
import NoroshiWire
import Reasons

/// The values that a custom attribute may have, and its operations.
package enum CustomAttributeValidator {
    /// Maximum length of the name of an attribute or event, in characters.
    package static let nameLimit = 255
    /// Maximum length of a string in an attribute, in characters; a longer one is truncated.
    package static let stringLimit = 255
    /// Maximum number of elements of an array of strings; the oldest are removed first.
    package static let arrayLimit = 500
    /// Maximum size of an object or a list as JSON, in bytes.
    package static let sizeLimit = 102_400
    /// Maximum nesting depth of objects and arrays.
    package static let depthLimit = 20

    static func apply(
        _ value: JSONValue,
        to name: String,
        of custom: inout [String: JSONValue],
        mergesObjects: Bool
    ) throws(FieldProblem) {
        try check(name: name)
        switch value {
        case .null:
            custom[name] = nil
        case .object(let object):
            let result = try result(of: object, on: custom[name], name, mergesObjects)
            try checkSize(of: result, name)
            custom[name] = result
        default:
            let kept = try accepted(value, name, depth: 0)
            try checkSize(of: kept, name)
            custom[name] = kept
        }
    }

    /// Rejects an object or a list that is too large to be read and written with its user each
    /// time.
    static func checkSize(of value: JSONValue, _ name: String) throws(FieldProblem) {
        let size = size(of: value)
        guard size <= sizeLimit else {
            throw FieldProblem(
                name,
                .attributeTooLarge,
                ["size": "\(size)", "count": "\(sizeLimit)"]
            )
        }
    }

    /// Size of a value as JSON in bytes, without escapes.
    private static func size(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool: 5
        case .integer(let number): String(number).utf8.count
        case .number(let number): String(number).utf8.count
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(1) { $0 + size(of: $1) + 1 }
        case .object(let members):
            members.reduce(1) { $0 + $1.key.utf8.count + 4 + size(of: $1.value) }
        }
    }

    /// Whether a value contains a text that will be truncated.
    static func hasLongText(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.count > stringLimit && text.count > stringLimit
        case .array(let elements): elements.contains(where: hasLongText)
        case .object(let members): members.values.contains(where: hasLongText)
        case .null, .bool, .integer, .number: false
        }
    }

    package static func check(name: String) throws(FieldProblem) {
        guard !name.isEmpty, name.count <= nameLimit, !name.hasPrefix("$") else {
            throw FieldProblem(name, .attributeName, ["count": "\(nameLimit)"])
        }
    }

    private static func result(
        of operation: [String: JSONValue],
        on stored: JSONValue?,
        _ name: String,
        _ mergesObjects: Bool
    ) throws(FieldProblem) -> JSONValue {
        if operation.count == 1, let step = operation["inc"] {
            return try incremented(stored, by: step, name)
        }
        if Set(operation.keys).isSubset(of: ["add", "remove"]), !operation.isEmpty,
            operation.values.allSatisfy({ $0.arrayValue != nil })
        {
            return try changedStrings(
                stored,
                adding: operation["add"]?.arrayValue ?? [],
                removing: operation["remove"]?.arrayValue ?? [],
                name
            )
        }
        if Set(operation.keys).isSubset(of: ["$add", "$update", "$remove"]), !operation.isEmpty {
            return try ObjectArrayOperation(operation, name).apply(to: stored)
        }
        let object = try accepted(.object(operation), name, depth: 0)
        if mergesObjects, case .object = stored ?? .object([:]) {
            return merged(stored ?? .object([:]), with: object)
        }
        return object
    }

    private static func incremented(
        _ stored: JSONValue?,
        by step: JSONValue,
        _ name: String
    ) throws(FieldProblem) -> JSONValue {
        guard let number = step.doubleValue else {
            throw FieldProblem(name, .incTakesNumber)
        }
        switch (stored ?? 0, step) {
        case (.integer(let before), .integer(let change)):
            let (sum, overflows) = before.addingReportingOverflow(change)
            return overflows ? .number(Double(before) + number) : .integer(sum)
        case (let before, _):
            guard let base = before.doubleValue else {
                throw FieldProblem(name, .storedNoNumber)
            }
            guard (base + number).isFinite else {
                throw FieldProblem(name, .incTooLarge)
            }
            return .number(base + number)
        }
    }

    private static func changedStrings(
        _ stored: JSONValue?,
        adding: [JSONValue],
        removing: [JSONValue],
        _ name: String
    ) throws(FieldProblem) -> JSONValue {
        guard stored == nil || stored?.arrayValue != nil else {
            throw FieldProblem(name, .storedNoArray)
        }
        let additions = try adding.map { value throws(FieldProblem) in
            try accepted(value, name, depth: 1)
        }
        let gone = Set(removing).union(additions)
        let kept = (stored?.arrayValue ?? []).filter { !gone.contains($0) }
        return .array(unique(kept + additions))
    }

    /// The value with long strings truncated. Throws the reason if it cannot be stored.
    static func accepted(_ value: JSONValue, _ name: String, depth: Int) throws(FieldProblem)
        -> JSONValue
    {
        guard depth <= depthLimit else {
            throw FieldProblem(name, .tooDeep, ["count": "\(depthLimit)"])
        }
        switch value {
        case .string(let text):
            return hasLongText(value) ? .string(String(text.prefix(stringLimit))) : value
        case .array(let elements):
            let kept = try elements.map { element throws(FieldProblem) in
                try accepted(element, name, depth: depth + 1)
            }
            let areStrings = kept.allSatisfy { $0.stringValue != nil }
            return .array(areStrings ? unique(kept) : kept)
        case .object(let members):
            if let time = members["$time"], members.count == 1 {
                guard let text = time.stringValue, Timestamp.parse(text) != nil else {
                    throw FieldProblem(name, .timeOperation)
                }
                return time
            }
            var kept: [String: JSONValue] = [:]
            for (key, member) in members {
                guard !key.isEmpty, key.count <= nameLimit, !key.contains("$") else {
                    throw FieldProblem(name, .noKey, ["key": .text(key), "count": "\(nameLimit)"])
                }
                kept[key] = try accepted(member, name, depth: depth + 1)
            }
            return .object(kept)
        case .null, .bool, .integer, .number:
            return value
        }
    }

    /// Each element once, at its last position; the oldest are removed if there are too many.
    private static func unique(_ elements: [JSONValue]) -> [JSONValue] {
        var seen: Set<JSONValue> = []
        let last = elements.reversed().filter { seen.insert($0).inserted }
        return Array(last.prefix(arrayLimit).reversed())
    }

    /// Merges objects key by key: `null` removes a key, other values replace the stored ones.
    static func merged(_ stored: JSONValue, with change: JSONValue) -> JSONValue {
        guard case .object(var members) = stored, case .object(let changes) = change else {
            return change
        }
        for (key, value) in changes {
            if value == .null {
                members[key] = nil
            } else if let before = members[key] {
                members[key] = merged(before, with: value)
            } else {
                members[key] = value
            }
        }
        return .object(members)
    }
}
