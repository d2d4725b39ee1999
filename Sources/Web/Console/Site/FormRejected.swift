/// What a member has written has to be changed first.
struct FormRejected: Error, Sendable, Hashable {
    var faults: [FormFault]
}
