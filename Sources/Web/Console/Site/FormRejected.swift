import Model
import WebPages

/// What a member has written has to be changed first.
struct FormRejected: Error, Sendable, Hashable {
    var faults: [FormFault]
}

extension FormRejected {
    /// Names a form's fields in what the services refuse.
    ///
    /// - Parameter name: Of the form's field for a path.
    /// - Throws: ``FormRejected`` and whatever else the work throws.
    static func naming<Value>(
        _ words: Words,
        _ name: (FieldPath) -> String,
        _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as ValidationError {
            throw FormRejected(faults: error.problems.map { FormFault($0, at: name, words) })
        } catch let problem as AudienceProblem {
            // Another filter, or another moment: nothing is wrong with the server.
            throw FormRejected(
                faults: [FormFault(field: "segment", text: words(problem.reason))]
            )
        }
    }
}
