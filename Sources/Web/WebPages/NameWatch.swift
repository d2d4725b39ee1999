/// Sees which names of a template nothing has, while one page is drawn: the page leaves them out
/// without a word.
///
/// The template library asks the objects around a name one by one, the innermost first and the page
/// itself last, and of a name with dots each part after the first only of what the part before is.
/// A name is known when one of them has such a field, even an empty one.
final class NameWatch {
    private let report: (TemplateFlaw) -> Void
    /// A name that was not found so far, and whether an object had an empty field of it.
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

    /// Nothing else is asked for the name.
    func end() {
        if let open, !open.isEmpty { report(.unknown(open.name)) }
        open = nil
    }
}

/// What is wrong with a name in a template.
package enum TemplateFlaw: Sendable, Hashable {
    /// Nothing has a field of this name.
    case unknown(String)
    /// It is empty in an inner object, and an outer one's value was shown in its place.
    case covered(String)
}
