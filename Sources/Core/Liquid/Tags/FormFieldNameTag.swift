import Reasons

/// `{% form_field_name :subscription_group id %}` and `{% form_field_name :email_global_state %}`:
/// the name of a form field on the page where users choose their messages.
final class FormFieldNameTag: TagNode {
    let offset: Int
    let isBlank = false
    private let name: String
    private let group: Interpolation?

    private init(offset: Int, name: String, group: Interpolation?) {
        self.offset = offset
        self.name = name
        self.group = group
    }

    static func parse(
        _ tag: TagMarkup,
        _ parser: inout TemplateParser
    ) throws(LiquidError) -> (any TagNode)? {
        let words = TagAttributes(tag.markup, parser.context)
        let option = words.optionNames.first ?? ""
        var group: Interpolation?
        if option == "subscription_group" { group = try words.option(option) }
        let isGood =
            option == "email_global_state"
            || option == "subscription_group" && group?.pieces.isEmpty == false
        guard words.leading.isEmpty, words.optionNames.count == 1, isGood else {
            throw LiquidError(
                .syntax,
                .notWellFormed,
                [
                    "tag": "form_field_name",
                    "form":
                        "form_field_name :email_global_state, or form_field_name :subscription_group [id]",
                ]
            )
        }
        return FormFieldNameTag(offset: tag.offset, name: option, group: group)
    }

    func render(_ renderer: inout Renderer) throws(LiquidError) {
        var text = name
        if let group { text += ":" + (try renderer.text(of: group)) }
        try renderer.write(.string(text))
    }
}
