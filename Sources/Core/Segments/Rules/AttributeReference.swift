/// The attribute that a filter tests.
package enum AttributeReference: Sendable, Hashable {
    case standard(StandardAttribute)
    case custom(AttributePath)
}

/// A path in a custom attribute: `address.city`, or `orders[].total` for any element of a list.
package struct AttributePath: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case key(String)
        /// Every element of a list.
        case each
    }

    package let steps: [Step]
    /// The top-level name with which it begins.
    package let name: String

    /// `nil` if the path is empty, its first step is not a name, or a name is empty.
    package init?(_ steps: [Step]) {
        guard case .key(let name)? = steps.first else { return nil }
        guard !steps.contains(.key("")) else { return nil }
        self.steps = steps
        self.name = name
    }

    /// A top-level attribute.
    package init?(_ name: String) {
        self.init([.key(name)])
    }

    /// Whether the path passes through a list and so can reach many values.
    package var reachesMany: Bool { steps.contains(.each) }

    /// Every value the path reaches.
    package func values(in attributes: [String: AttributeValue]) -> [AttributeValue] {
        var reached: [AttributeValue] = [.object(attributes)]
        for step in steps {
            var next: [AttributeValue] = []
            for value in reached {
                switch (step, value) {
                case (.key(let name), .object(let members)):
                    if let member = members[name] { next.append(member) }
                case (.each, .array(let elements)):
                    next.append(contentsOf: elements)
                default:
                    break
                }
            }
            reached = next
        }
        return reached
    }
}
