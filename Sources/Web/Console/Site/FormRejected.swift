/// A member's form has errors.
struct FormRejected: Error, Sendable, Hashable {
    var faults: [FormFault]
}
