/// What is wrong with a content file; nothing of it is stored.
package struct ContentFileProblems: Error, Sendable, CustomStringConvertible {
    package struct Problem: Sendable, Hashable {
        /// From 1; 0 for the file as a whole.
        package var line: Int
        package var field: String
        package var message: String

        package init(line: Int, field: String, message: String) {
            self.line = line
            self.field = field
            self.message = message
        }
    }

    /// In the order of the lines.
    package var problems: [Problem]

    package init(_ problems: [Problem]) {
        self.problems = problems
    }

    package var description: String {
        problems.map { "line \($0.line): \($0.field) \($0.message)" }.joined(separator: "\n")
    }
}
