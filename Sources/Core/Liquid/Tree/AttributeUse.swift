/// An attribute of a user that a template names.
package struct AttributeUse: Sendable, Hashable {
    package var name: String
    /// Written `custom_attribute.${name}`, not `${name}`.
    package var isCustom: Bool
    /// Whether the attribute is printed as it is, so that a missing value leaves a gap in the text.
    /// An attribute in a condition, or with a default, needs no default.
    package var needsDefault: Bool

    package init(name: String, isCustom: Bool, needsDefault: Bool) {
        self.name = name
        self.isCustom = isCustom
        self.needsDefault = needsDefault
    }

    /// Whether both name the same attribute.
    package func isSame(as other: AttributeUse) -> Bool {
        name == other.name && isCustom == other.isCustom
    }
}

extension TemplateTree {
    /// The attributes that would leave a gap: those that are printed outside of any condition and
    /// without a default.
    var printedAttributes: [AttributeUse] {
        body.nodes.compactMap { node in
            guard case .output(let output) = node,
                !output.filters.contains(where: { $0.name == "default" })
            else { return nil }
            return Self.printed(output.expression)
        }
    }

    private static func printed(_ expression: Expression) -> AttributeUse? {
        guard case .variable(let path) = expression else { return nil }
        switch path.root {
        case .attribute(let name):
            return AttributeUse(name: name.text, isCustom: false, needsDefault: true)
        case .member(let name, let group) where group.text == "custom_attribute":
            return AttributeUse(name: name.text, isCustom: true, needsDefault: true)
        case .name, .member, .contentBlock, .computed, .nested: return nil
        }
    }
}
