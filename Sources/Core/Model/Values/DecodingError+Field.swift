import Foundation
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
        case .typeMismatch(let type, _): FieldProblem(path, .wrongType, ["type": "\(type)"])
        case .valueNotFound(let type, _): FieldProblem(path, .notNull, ["type": "\(type)"])
        case .keyNotFound: FieldProblem(path, .isMissing)
        case .dataCorrupted: FieldProblem(path, .noSuchValue)
        @unknown default: FieldProblem(path, .unreadable)
        }
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
