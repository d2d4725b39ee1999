import Foundation
import NoroshiWire

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

/// An attribute that could not be changed, with the reason. The other changes of the request apply.
package struct AttributeProblem: Error, Sendable, Hashable {
    package var attribute: String
    package var message: String

    package init(attribute: String, message: String) {
        self.attribute = attribute
        self.message = message
    }
}

extension Profile {
    /// Applies `changes` and returns those that could not be applied.
    ///
    /// - Parameter time: When the changes were made; recorded as the time of consent.
    package mutating func apply(
        _ changes: AttributeChanges,
        at time: Date? = nil
    ) -> [AttributeProblem] {
        let before = time == nil || changes.keepsStamps ? nil : self
        defer {
            if let before, let time { noteSubscriptions(since: before, at: time) }
        }
        var problems: [AttributeProblem] = []
        for (name, value) in changes.values.sorted(by: { $0.key < $1.key }) {
            do {
                if let attribute = StandardAttribute(rawValue: name) {
                    try StandardAttributeRule.apply(value, to: attribute, of: &self)
                } else {
                    try CustomAttributeRule.apply(
                        value,
                        to: name,
                        of: &custom,
                        mergesObjects: changes.mergesObjects
                    )
                    if CustomAttributeRule.hasLongText(value) {
                        let limit = CustomAttributeRule.stringLimit
                        problems.append(
                            AttributeProblem(
                                attribute: name,
                                message:
                                    "is stored, but cut: a text has at most \(limit) characters"
                            )
                        )
                    }
                }
            } catch let problem as AttributeProblem {
                problems.append(problem)
            } catch {
                problems.append(AttributeProblem(attribute: name, message: "\(error)"))
            }
        }
        return problems
    }
}
