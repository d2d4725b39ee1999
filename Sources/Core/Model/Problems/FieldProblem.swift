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

    /// - Parameter field: The name that the field has in what a program sends.
    package init(
        _ field: String,
        _ code: RequestReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(.request(field), Reason(code, arguments))
    }

    /// - Parameter field: The name that the field has in what a program sends.
    package init(
        _ field: String,
        _ code: UserDataReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(.request(field), Reason(code, arguments))
    }

    /// The same problem, of a field within `object`.
    package func within(_ object: String) -> FieldProblem {
        FieldProblem(.request("\(object).\(field)"), reason)
    }

    /// The field's name in the REST API.
    package var field: String { path.description }

    /// In English.
    package var message: String { reason.description }
}
