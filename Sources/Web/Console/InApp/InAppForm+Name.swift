import Model

extension InAppForm {
    /// The name of the field that shows what a path leads to; empty for what no field shows.
    static func name(of path: FieldPath) -> String {
        switch path {
        case .inApp(let field): name(of: field)
        case .audience(let field): AudienceForm.name(of: field)
        default: ""
        }
    }

    private static func name(of field: FieldPath.InApp) -> String {
        switch field {
        case .name: "name"
        case .state: ""
        case .controlShare: "controlShare"
        case .goal: "goalEvent"
        case .goalWindow: "goalDays"
        case .others, .weights: "v0.weight"
        case .content(_, .extras), .content(_, .extra): "pairs"
        case .content(let variant, let field): "v\(variant)." + (field.map(name) ?? "text")
        case .rules(let field): name(of: field)
        }
    }

    private static func name(of field: FieldPath.InApp.Content) -> String {
        switch field {
        case .text: "text"
        case .header: "header"
        case .imageURL: "image"
        case .imageAlt: "imageAlt"
        case .clickURL: "body.url"
        case .closesAfter: "closesAfter"
        case .buttons: "b0.text"
        case .buttonText(let index): "b\(index).text"
        case .buttonURL(let index): "b\(index).url"
        case .extras, .extra: "pairs"
        case .translations: "text"
        case .translated(let language, let field): "lang.\(language)." + name(of: field)
        }
    }

    private static func name(of field: FieldPath.InApp.Rules) -> String {
        switch field {
        case .triggers: "triggers"
        case .triggerName(let index), .triggerFilters(let index): "t\(index).name"
        case .delay: "delay"
        case .impressionLimit: "times"
        case .interval: "interval"
        case .end: "endsAt"
        }
    }
}
