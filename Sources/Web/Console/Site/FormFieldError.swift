import Model
import WebPages

/// A field of a form that has to be changed first.
package struct FormFieldError: Error, Sendable, Hashable {
    /// The name in the form; empty for the whole.
    package var field: String
    /// In the member's language.
    package var text: String

    package init(field: String, text: String) {
        self.field = field
        self.text = text
    }

    /// A problem of the services, at the form's field for its path.
    init(_ problem: FieldProblem, at name: (FieldPath) -> String, _ words: Words) {
        self.init(field: name(problem.path), text: words(problem.reason))
    }
}
