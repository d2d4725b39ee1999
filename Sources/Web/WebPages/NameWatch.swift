/// Detects undefined names of a template while one page is rendered: the page leaves them out
/// silently.
///
/// The template library queries the objects around a name one by one, from the innermost one to the
/// page itself; for a name with dots each part after the first is looked up only in the value of
/// the previous part. A name is defined if one of the objects has such a field, even an empty one.
final class NameWatch {
    private let report: (TemplateFlaw) -> Void
    /// A name that was not found so far, and whether an object has an empty field with that name.
    private var open: (name: String, isEmpty: Bool)?

    init(_ report: @escaping (TemplateFlaw) -> Void) {
        self.report = report
    }

    func asked(_ name: String, isEmpty: Bool, isFound: Bool, isPage: Bool) {
        if let open, open.name != name { end() }
        if isFound {
            if open?.isEmpty == true { report(.covered(name)) }
            open = nil
        } else {
            open = (name, isEmpty || open?.isEmpty == true)
            if isPage { end() }
        }
    }

    /// Called when no further object is queried for the name.
    func end() {
        if let open, !open.isEmpty { report(.unknown(open.name)) }
        open = nil
    }
}

/// The error of a name in a template.
package enum TemplateFlaw: Sendable, Hashable {
    /// No object has a field with this name.
    case unknown(String)
    /// The field is empty in an inner object, so an outer object's value was shown instead.
    case covered(String)
}
