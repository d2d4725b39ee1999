/// An error that says why by a code, so that it can be put into any language. It describes itself in
/// English.
package protocol ReasonedError: Error, CustomStringConvertible {
    var reason: Reason { get }
}
