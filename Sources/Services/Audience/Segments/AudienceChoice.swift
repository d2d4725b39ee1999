import Segments

/// Whom a person chooses in a form: an ``Model/Audience`` in words.
package enum AudienceChoice: Sendable, Hashable {
    case everyone
    /// One user by external id. Where an audience names several, as a form cannot, their names.
    case user(externalID: String)
    /// A saved segment.
    case segment(id: Int64, name: String)
    /// A filter in the segment language, not saved.
    case filter(String)
}

/// Why a choice is nobody's audience.
package enum AudienceChoiceProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case noSuchUser
    case noSuchSegment
    case filter(SegmentProblem, text: String)

    package var description: String {
        switch self {
        case .noSuchUser: return "There is no user with this id."
        case .noSuchSegment: return "There is no such segment."
        case .filter(let problem, let text):
            let place = problem.lineAndColumn(in: text)
                .map { "line \($0.line), column \($0.column): " }
            return (place ?? "") + problem.message
        }
    }
}
