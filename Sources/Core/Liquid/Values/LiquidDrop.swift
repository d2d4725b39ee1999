/// An object whose properties are computed when a template reads them.
package protocol LiquidDrop: AnyObject, Sendable {
    /// The property of that name; `nil` when there is none.
    func value(named name: LiquidName) -> LiquidValue?
    /// The elements, if the object can be iterated; otherwise `nil`.
    var elements: [LiquidValue]? { get }
    /// The output of `{{ drop }}`.
    var text: String { get }
}

extension LiquidDrop {
    package var elements: [LiquidValue]? { nil }
    package var text: String { "" }
}

/// The source of a template's variables. Every call names one value, so that a source can read it
/// from a profile without building a dictionary of the whole user.
package protocol LiquidVariables: Sendable {
    /// The variable of that name, as in `{{ name }}`.
    func value(named name: LiquidName) -> LiquidValue?
    /// The standard attribute of that name, as in `{{${name}}}`.
    func attribute(named name: LiquidName) -> LiquidValue?
    /// A member of a group, as in `{{custom_attribute.${name}}}`. If it returns `nil`, the engine
    /// reads the group as a variable instead.
    func member(named name: LiquidName, of group: LiquidName) -> LiquidValue?
}

extension LiquidVariables {
    package func attribute(named name: LiquidName) -> LiquidValue? { value(named: name) }
    package func member(named name: LiquidName, of group: LiquidName) -> LiquidValue? { nil }
}

extension LiquidObject: LiquidVariables {
    package func value(named name: LiquidName) -> LiquidValue? { self[name] }
}

/// Loads the templates that `include`, `render` and `content_blocks` name.
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
