/// An object whose properties are worked out when a template asks for them.
package protocol LiquidDrop: AnyObject, Sendable {
    /// The property of that name; `nil` when there is none.
    func value(named name: LiquidName) -> LiquidValue?
    /// The elements, when the object can be looped over; `nil` when it cannot.
    var elements: [LiquidValue]? { get }
    /// What `{{ drop }}` prints.
    var text: String { get }
}

extension LiquidDrop {
    package var elements: [LiquidValue]? { nil }
    package var text: String { "" }
}

/// Where a template's variables come from. Every call names one value, so that a source may read
/// it from a profile without building a dictionary of the whole user.
package protocol LiquidVariables: Sendable {
    /// The variable of that name, as in `{{ name }}`.
    func value(named name: LiquidName) -> LiquidValue?
    /// The standard attribute of that name, as in `{{${name}}}`.
    func attribute(named name: LiquidName) -> LiquidValue?
    /// A member of a group, as in `{{custom_attribute.${name}}}`. Returning `nil` makes the
    /// engine read the group as a variable instead.
    func member(named name: LiquidName, of group: LiquidName) -> LiquidValue?
}

extension LiquidVariables {
    package func attribute(named name: LiquidName) -> LiquidValue? { value(named: name) }
    package func member(named name: LiquidName, of group: LiquidName) -> LiquidValue? { nil }
}

extension LiquidObject: LiquidVariables {
    package func value(named name: LiquidName) -> LiquidValue? { self[name] }
}

/// Where `include`, `render` and `content_blocks` find the templates they name.
package protocol LiquidTemplateLoader: Sendable {
    /// The template of that name, parsed; `nil` when there is none.
    func template(named name: String) throws(LiquidError) -> Template?
    /// The content block of that name, parsed; `nil` when there is none.
    func contentBlock(named name: String) throws(LiquidError) -> Template?
}

extension LiquidTemplateLoader {
    package func contentBlock(named name: String) throws(LiquidError) -> Template? {
        try template(named: name)
    }
}
