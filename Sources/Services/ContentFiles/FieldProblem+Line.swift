import Model

extension FieldProblem {
    /// The same problem, in a line of a file.
    func inLine(_ number: Int) -> FieldProblem {
        FieldProblem(.line(number, field: field), reason)
    }

    /// 0 where it is none of a line.
    package var line: Int {
        if case .line(let number, _) = path { number } else { 0 }
    }
}

extension ValidationError {
    /// What is wrong with a content file, a line for each problem.
    package var linesOfFile: String {
        problems.map { problem in
            guard case .line(let number, let field) = problem.path else { return problem.message }
            return "line \(number): \(field) \(problem.message)"
        }
        .joined(separator: "\n")
    }
}
