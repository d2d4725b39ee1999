import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Selects one of several users with the same e-mail address or phone number.
struct UserPrioritization {
    private enum Step: String, CaseIterable {
        case identified, unidentified
        case mostRecentlyUpdated = "most_recently_updated"
        case leastRecentlyUpdated = "least_recently_updated"
    }

    private var steps: [Step] = []

    /// Reads the field `prioritization`.
    init(_ reader: RequestReader) throws(FieldProblem) {
        for text in try reader.strings("prioritization", limit: 4) {
            guard let step = Step(rawValue: text) else {
                throw reader.problem(
                    "prioritization",
                    .noStep,
                    [
                        "text": .text(text),
                        "known": .text(Step.allCases.map(\.rawValue).joined(separator: ", ")),
                    ]
                )
            }
            steps.append(step)
        }
        guard !(steps.contains(.identified) && steps.contains(.unidentified)) else {
            throw reader.problem("prioritization", .oneIdentification)
        }
    }

    /// The selected user; `nil` if several are left.
    func choose(from users: [Profile]) -> Profile? {
        var left = users
        for step in steps {
            switch step {
            case .identified: left = left.filter { $0.externalID != nil }
            case .unidentified: left = left.filter { $0.externalID == nil }
            case .mostRecentlyUpdated:
                left = left.max { $0.updatedAt < $1.updatedAt }.map { [$0] } ?? []
            case .leastRecentlyUpdated:
                left = left.min { $0.updatedAt < $1.updatedAt }.map { [$0] } ?? []
            }
        }
        return left.count == 1 ? left.first : nil
    }
}
