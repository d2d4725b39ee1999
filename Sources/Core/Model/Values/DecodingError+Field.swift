import Foundation
import NoroshiWire
import Reasons

extension DecodingError {
    /// The path of the invalid field, separated by dots.
    package var path: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            Self.text(context.codingPath)
        case .keyNotFound(let key, let context): Self.text(context.codingPath + [key])
        @unknown default: ""
        }
    }

    /// What is wrong with the field.
    package var problem: FieldProblem {
        switch self {
        case .typeMismatch(let type, _):
            FieldProblem(path, .wrongType, ["type": Self.name(of: type)])
        case .valueNotFound(let type, _):
            FieldProblem(path, .notNull, ["type": Self.name(of: type)])
        case .keyNotFound: FieldProblem(path, .isMissing)
        case .dataCorrupted: FieldProblem(path, .noSuchValue)
        @unknown default: FieldProblem(path, .unreadable)
        }
    }

    /// What is wrong with the field of a value that was decoded. Of a number that no integer holds the decoder
    /// does not say where it stands.
    package func problem(in value: JSONValue) -> FieldProblem {
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty,
            let place = Self.placeOfHugeNumber(in: value)
        else { return problem }
        return FieldProblem(
            place.joined(separator: "."),
            .wrongType,
            ["type": Self.name(of: Int.self)]
        )
    }

    private static func placeOfHugeNumber(in value: JSONValue) -> [String]? {
        switch value {
        case .number(let number): abs(number) >= 0x1p63 ? [] : nil
        case .array(let elements):
            elements.enumerated().lazy.compactMap { index, element in
                placeOfHugeNumber(in: element).map { [String(index)] + $0 }
            }.first
        case .object(let members):
            members.sorted { $0.key < $1.key }.lazy.compactMap { name, member in
                placeOfHugeNumber(in: member).map { [name] + $0 }
            }.first
        case .null, .bool, .integer, .string: nil
        }
    }

    /// What JSON calls a type. What has no name of its own there is written as a string, such as
    /// times and ids.
    private static func name(of type: Any.Type) -> Reason.Argument {
        switch type {
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any JSONObject.Type: "an object"
        case is any JSONArray.Type: "an array"
        default: "a string"
        }
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

/// What the decoder expects an object for.
private protocol JSONObject {}
extension Dictionary: JSONObject {}

/// What the decoder expects an array for.
private protocol JSONArray {}
extension Array: JSONArray {}
