import Reasons

/// A field that breaks a rule, and why.
package struct FieldProblem: Error, Sendable, Hashable {
    package var path: FieldPath
    package var reason: Reason

    package init(_ path: FieldPath, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    package init(
        _ path: FieldPath,
        _ code: FieldReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(path, Reason(code, arguments))
    }

    /// Of what a program sends: the name of the field there, and what to send instead.
    package init(_ field: String, _ message: String) {
        self.init(.request(field), .verbatim, ["text": .text(message)])
    }

    /// The field's name in the REST API.
    package var field: String { path.description }

    /// In English.
    package var message: String { reason.description }
}
