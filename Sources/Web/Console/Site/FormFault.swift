/// A field of a form that has to be changed first.
package struct FormFault: Error, Sendable, Hashable {
    /// The name in the form; empty for the whole.
    package var field: String
    package var text: String

    package init(field: String, text: String) {
        self.field = field
        self.text = text
    }
}
