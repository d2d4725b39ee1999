import Segments

/// The reason why a segment cannot be evaluated.
package enum AudienceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A filter needs data that only rows have, and no rows were given.
    case needsRows(String)
    case invalidPattern(String, PatternError)
    /// Segments refer to each other in a cycle or too deeply.
    case nestedTooDeeply(String)

    package var description: String {
        switch self {
        case .needsRows(let text): "“\(text)” can be answered from stored rows only"
        case .invalidPattern(let text, let error):
            "“\(text)”: character \(error.offset) of the pattern: \(error.message)"
        case .nestedTooDeeply(let id): "segment “\(id)” refers to itself or too deeply"
        }
    }
}
