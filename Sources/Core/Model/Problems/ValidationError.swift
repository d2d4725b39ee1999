import Reasons

/// What somebody has written breaks rules: every field at fault.
package struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    package var problems: [FieldProblem]

    package init(_ problems: [FieldProblem]) {
        self.problems = problems
    }

    package init(
        _ path: FieldPath,
        _ code: FieldReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init([FieldProblem(path, code, arguments)])
    }

    package var description: String {
        problems.map { "'\($0.field)' \($0.message)" }.joined(separator: "; ")
    }
}
