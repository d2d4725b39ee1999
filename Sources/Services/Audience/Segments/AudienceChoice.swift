import Segments

/// The recipients chosen in a form: a readable ``Model/Audience``.
package enum AudienceChoice: Sendable, Hashable {
    case everyone
    /// One user by external id. For an audience of several users, which a form cannot express,
    /// their names.
    case user(externalID: String)
    /// A saved segment.
    case segment(id: Int64, name: String)
    /// An unsaved filter in the segment language.
    case filter(String)
}

/// The reason why a choice does not define an audience.
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
