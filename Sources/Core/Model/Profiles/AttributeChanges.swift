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
    /// What the values were when somebody looked at them, by name; `.null` for none. Changes with a
    /// basis are made together or not at all, and only where nothing has changed since.
    package var basis: [String: JSONValue]?

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
        let isStamped = time != nil && !changes.keepsStamps
        let before = isStamped || changes.basis != nil ? self : nil
        let problems = applyEach(changes)
        if let before, changes.basis != nil, !problems.isEmpty {
            self = before
        } else if let before, let time, isStamped {
            noteSubscriptions(since: before, at: time)
        }
        return problems
    }

    private mutating func applyEach(_ changes: AttributeChanges) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        for (name, value) in changes.values.sorted(by: { $0.key < $1.key }) {
            do throws(FieldProblem) {
                if let expected = changes.basis?[name], expected != self[attribute: name] {
                    throw FieldProblem(name, .changedMeanwhile)
                }
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

    /// The value of a standard or custom attribute by its name; `.null` for none.
    package subscript(attribute name: String) -> JSONValue {
        StandardAttribute(rawValue: name).map { standard[$0] ?? .null } ?? custom[name] ?? .null
    }
}
