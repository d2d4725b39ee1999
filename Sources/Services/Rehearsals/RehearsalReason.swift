import Model
import Reasons

/// Why there is nothing to rehearse.
///
/// Only who rehearses on the command line reads it: it is said in English.
package enum RehearsalReason: String, ReasonCode {
    package static let family = ReasonFamily.rehearsal

    case emptyFile = "{path} is empty"
    case noFile = "there is no file {path}"
    case noSource = "there is no campaign or journey '{name}'"
    case person = "{place}: {field} {reason}"
    case severalSources =
        "several campaigns or journeys are called '{name}'; name one by its identifier"
    case unreadableFile = "{path} cannot be read: {reason}"
}

package typealias RehearsalProblem = CodedError<RehearsalReason>

extension RehearsalProblem {
    /// - Parameter place: The file, or its line.
    static func person(_ place: String, _ problem: FieldProblem) -> RehearsalProblem {
        RehearsalProblem(
            .person,
            [
                "place": .text(place), "field": .text(problem.field),
                "reason": .reason(problem.reason),
            ]
        )
    }
}
