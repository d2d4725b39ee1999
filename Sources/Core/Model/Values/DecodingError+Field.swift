import Foundation

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

    /// The problem of the field.
    package var explanation: String {
        switch self {
        case .typeMismatch(let type, _): "has the wrong type; \(type) is expected"
        case .valueNotFound(let type, _): "may not be null; \(type) is expected"
        case .keyNotFound: "is missing"
        case .dataCorrupted(let context): context.debugDescription
        @unknown default: "cannot be read"
        }
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
