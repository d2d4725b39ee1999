import Model
import NoroshiWire
import WebPages

/// The raw fields of an event and of what its properties must be.
struct JourneyEventForm: Hashable {
    enum Kind: String, CaseIterable {
        case custom, purchase, session

        var wordKey: String {
            switch self {
            case .custom: "campaigns.custom_event"
            case .purchase: "timeline.purchase"
            case .session: "journeys.session_start"
            }
        }
    }

    var kind = Kind.custom
    var name = ""
    var product = ""
    var rows: [JourneyPropertyRow] = []

    init() {}

    init(fields: FormFields, prefix: String = "") {
        kind = Kind(rawValue: fields[prefix + "trigger"]) ?? .custom
        name = fields.trimmed(prefix + "triggerName")
        product = fields.trimmed(prefix + "product")
        rows = JourneyPropertyRow.all(fields, prefix: prefix)
    }

    init(_ match: EventMatch) {
        switch match.kind {
        case .custom(let name): self.name = name
        case .purchase(let product):
            kind = .purchase
            self.product = product ?? ""
        case .sessionStart: kind = .session
        }
        rows = match.conditions.map(JourneyPropertyRow.init)
    }

    /// Whether nothing was chosen: a rule that is left out.
    var isBlank: Bool { kind == .custom && name.isEmpty }

    /// - Parameter known: What is kept where the form says the same.
    func match(changing known: EventMatch?) -> EventMatch {
        if let known, JourneyEventForm(known) == self { return known }
        let kind: EventMatch.Kind =
            switch kind {
            case .custom: .custom(name: name)
            case .purchase: .purchase(product: product.isEmpty ? nil : product)
            case .session: .sessionStart
            }
        return EventMatch(
            kind,
            conditions: JourneyPropertyRow.conditions(rows, changing: known?.conditions ?? [])
        )
    }
}

/// The fields of an event, drawn.
struct JourneyEventPart {
    let prefix: String
    let triggerLabel: String
    let triggers: [FormChoice]
    let name: String
    let product: String
    let eventFault: String?
    let properties: JourneyPropertyPart

    init(
        _ form: JourneyEventForm,
        prefix: String = "",
        label: String,
        fault: String?,
        words: Words
    ) {
        self.prefix = prefix
        triggerLabel = label
        triggers = JourneyEventForm.Kind.allCases.map {
            FormChoice(value: $0.rawValue, label: words($0.wordKey), isChosen: $0 == form.kind)
        }
        name = form.name
        product = form.product
        eventFault = fault
        properties = JourneyPropertyPart(form.rows, prefix: prefix, fault: nil, words: words)
    }
}
