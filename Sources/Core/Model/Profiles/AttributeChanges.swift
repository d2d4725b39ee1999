import Foundation
import NoroshiWire
import Reasons

/// Changes of one profile in the form of an element of `attributes` in `/users/track`, without the
/// identifiers.
///
/// A literal sets, `null` removes, `{"inc": n}` adds to a number, `{"add": […]}` and
/// `{"remove": […]}` change an array of strings, `$add`, `$update` and `$remove` an array of
/// objects; with `mergesObjects` an object is merged into the stored one.
package struct AttributeChanges: Sendable, Hashable {
    package var values: [String: JSONValue]
    package var mergesObjects: Bool
    /// Whether the changes include the times of consent to a channel, as an export does.
    package var keepsStamps = false

    package init(_ values: [String: JSONValue], mergesObjects: Bool = false) {
        self.values = values
        self.mergesObjects = mergesObjects
    }
}

extension Profile {
    /// Applies `changes` and returns those that could not be applied.
    ///
    /// - Parameter time: When the changes were made; recorded as the time of consent.
    package mutating func apply(
        _ changes: AttributeChanges,
        at time: Date? = nil
    ) -> [FieldProblem] {
        let before = time == nil || changes.keepsStamps ? nil : self
        defer {
            if let before, let time { noteSubscriptions(since: before, at: time) }
        }
        var problems: [FieldProblem] = []
        for (name, value) in changes.values.sorted(by: { $0.key < $1.key }) {
            do throws(FieldProblem) {
                if let attribute = StandardAttribute(rawValue: name) {
                    try StandardAttributeValidator.apply(value, to: attribute, of: &self)
                } else {
                    try CustomAttributeValidator.apply(
                        value,
                        to: name,
                        of: &custom,
                        mergesObjects: changes.mergesObjects
                    )
                    if CustomAttributeValidator.hasLongText(value) {
                        let limit = CustomAttributeValidator.stringLimit
                        problems.append(
                            FieldProblem(name, .storedCut, ["count": "\(limit)"])
                        )
                    }
                }
            } catch {
                problems.append(error)
            }
        }
        return problems
    }
}
