import Model
import WebPages

/// What a member has written has to be changed first.
struct FormError: Error, Sendable, Hashable {
    var faults: [FormFieldError]
}

extension FormError {
    /// Names a form's fields in what the services refuse.
    ///
    /// - Parameter name: Of the form's field for a path.
    /// - Throws: ``FormError`` and whatever else the work throws.
    static func naming<Value>(
        _ words: Words,
        _ name: (FieldPath) -> String,
        _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as ValidationError {
            throw FormError(faults: error.problems.map { FormFieldError($0, at: name, words) })
        } catch let problem as AudienceError {
            // Another filter, or another moment: nothing is wrong with the server.
            throw FormError(
                faults: [FormFieldError(field: "segment", text: words(problem.reason))]
            )
        }
    }
}
