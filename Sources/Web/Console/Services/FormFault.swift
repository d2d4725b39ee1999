/// A field of a form that has to be changed first.
package struct FormFault: Sendable, Hashable {
    /// The name in the form; empty for the whole.
    package var field: String
    package var text: String

    package init(field: String, text: String) {
        self.field = field
        self.text = text
    }

    /// The same fault of the composer where it is a part of this form.
    ///
    /// - Parameter prefix: What stands before the composer's names of fields.
    package init(_ fault: FieldFault, prefix: String = "") {
        field = prefix + fault.field.rawValue
        text = fault.text
    }
}

extension FieldFault {
    /// The fault of a form's field that the composer has too.
    package init?(_ fault: FormFault) {
        guard let field = PushField(rawValue: fault.field) else { return nil }
        self.init(field: field, text: fault.text)
    }
}
