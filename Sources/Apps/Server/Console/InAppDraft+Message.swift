import Audience
import Console
import Foundation
import Model
import NoroshiWire

extension InAppDraft {
    /// What devices get, with the Liquid in its texts.
    func message(id: UUID, variant: Int = 0) -> InAppMessage {
        var rules = InAppMessageRules(triggers: triggers.map(InAppMessageRules.Trigger.init))
        rules.priority = priority
        rules.delaySeconds = delaySeconds
        rules.impressionLimit = impressionLimit
        rules.intervalSeconds = intervalSeconds
        rules.startsAtMilliseconds = startsAt?.milliseconds
        rules.expiresAtMilliseconds = endsAt?.milliseconds
        let content = contents.indices.contains(variant) ? contents[variant] : first
        var message = content.message(id: id, rules: rules)
        message.extras =
            pairs.isEmpty
            ? nil : Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        return message
    }

    /// What the message is compared with.
    func experiment(id: UUID) -> InAppExperiment {
        InAppExperiment(
            controlShare: controlShare,
            weights: weights,
            others: contents.indices.dropFirst().map { message(id: id, variant: $0) }
        )
    }

    /// The same with the identifiers that the form has kept, and new ones.
    ///
    /// - Parameter known: What is stored: no other identifier is taken from a form.
    func experiment(
        id: UUID,
        known: InAppExperiment?,
        makeID: () -> UUID
    ) -> InAppExperiment {
        var experiment = experiment(id: id)
        let ids = Set((known?.identities ?? []).map(\.id))
        // A message that was not compared before may have been: the store knows what it said.
        guard !ids.isEmpty else { return experiment }
        experiment.identities = contents.map { content in
            let id = UUID(uuidString: content.id).flatMap { ids.contains($0) ? $0 : nil }
            return InAppVariantIdentity(id: id ?? makeID())
        }
        return experiment
    }

    init(_ stored: StoredInAppMessage, audience: AudienceChoice) throws {
        self.init()
        let message = stored.message
        name = stored.name
        contents = try ([message] + stored.experiment.others).map { try InAppContent($0) }
        for (index, identity) in stored.experiment.identities.enumerated()
        where contents.indices.contains(index) {
            contents[index].id = identity.id.uuidString.lowercased()
        }
        weights = contents.indices.map {
            stored.experiment.weights.indices.contains($0) ? stored.experiment.weights[$0] : 1
        }
        controlShare = stored.experiment.controlShare
        pairs = (message.extras ?? [:]).sorted { $0.key < $1.key }.map {
            PushPair(key: $0.key, value: $0.value)
        }
        let rules = message.rules
        triggers = rules.triggers.map(InAppTrigger.init)
        priority = rules.priority
        delaySeconds = rules.delaySeconds
        impressionLimit = rules.impressionLimit
        intervalSeconds = rules.intervalSeconds
        startsAt = rules.startsAtMilliseconds.map { Date(milliseconds: $0) }
        endsAt = rules.expiresAtMilliseconds.map { Date(milliseconds: $0) }
        self.audience = audience
    }
}

extension InAppContent {
    fileprivate func message(id: UUID, rules: InAppMessageRules) -> InAppMessage {
        var message = InAppMessage(
            id: id.uuidString.lowercased(),
            kind: InAppMessage.Kind(kind),
            message: text,
            rules: rules
        )
        func filled(_ text: String) -> String? { text.isEmpty ? nil : text }
        message.header = filled(header)
        message.imageURL = filled(imageURL)
        message.imageAltText = filled(imageAlt)
        message.language = filled(language)
        if kind == .slideup { message.slideFrom = slidesFromTop ? .top : .bottom }
        message.orientation = InAppMessage.Orientation(rawValue: orientation.rawValue)
        message.closesAfterSeconds = closesAfterSeconds
        message.clickAction = InAppMessage.ClickAction(click)
        message.buttons =
            buttons.isEmpty
            ? nil
            : buttons.map {
                InAppMessage.Button(
                    id: $0.id,
                    text: $0.text,
                    clickAction: InAppMessage.ClickAction($0.click),
                    colors: $0.colors.isEmpty ? nil : $0.colors.mapValues(Self.opaque)
                )
            }
        let themes = ["light": colors.light, "dark": colors.dark].filter { !$0.value.isEmpty }
        message.themes = themes.isEmpty ? nil : themes.mapValues { $0.mapValues(Self.opaque) }
        return message
    }

    /// Messages have colours with their opacity.
    private static func opaque(_ color: String) -> String {
        let digits = color.dropFirst().uppercased()
        return digits.count == 6 ? "#FF\(digits)" : "#\(digits)"
    }

    /// What a message says to its preview's user in place of what was written.
    mutating func take(textsOf message: InAppMessage) {
        header = message.header ?? ""
        text = message.message
        imageURL = message.imageURL ?? ""
        imageAlt = message.imageAltText ?? ""
        for (index, button) in (message.buttons ?? []).enumerated()
        where buttons.indices.contains(index) {
            buttons[index].text = button.text
        }
    }

    fileprivate init(_ message: InAppMessage) throws {
        self.init()
        kind = InAppKind(message.kind)
        header = message.header ?? ""
        text = message.message
        imageURL = message.imageURL ?? ""
        imageAlt = message.imageAltText ?? ""
        language = message.language ?? ""
        slidesFromTop = message.slideFrom == .top
        orientation =
            message.orientation.flatMap { InAppOrientation(rawValue: $0.rawValue) } ?? .any
        closesAfterSeconds = message.closesAfterSeconds
        click = try InAppClick(message.clickAction ?? .none)
        buttons = try (message.buttons ?? []).map {
            InAppButton(
                id: $0.id,
                text: $0.text,
                click: try InAppClick($0.clickAction),
                colors: $0.colors ?? [:]
            )
        }
        colors = InAppColors(
            light: message.themes?["light"] ?? [:],
            dark: message.themes?["dark"] ?? [:]
        )
    }
}

extension InAppKind {
    init(_ kind: InAppMessage.Kind) {
        switch kind {
        case .slideup: self = .slideup
        case .modal: self = .modal
        case .modalImage: self = .modalImage
        case .full: self = .full
        case .fullImage: self = .fullImage
        case .html: self = .html
        case .control: self = .control
        }
    }
}

extension InAppMessage.Kind {
    fileprivate init(_ kind: InAppKind) {
        switch kind {
        case .slideup: self = .slideup
        case .modal: self = .modal
        case .modalImage: self = .modalImage
        case .full: self = .full
        case .fullImage: self = .fullImage
        case .html: self = .html
        case .control: self = .control
        }
    }
}

extension InAppMessage.ClickAction {
    fileprivate init(_ click: InAppClick) {
        switch click {
        case .close: self = .none
        case .url(let address, let isInside): self = .url(address, useWebView: isInside)
        case .event(let name): self = .event(name: name)
        case .attribute(let key, let value):
            self = .attribute(key: key, value: TypedValue(text: value).json)
        case .pushPermission: self = .requestPushPermission
        }
    }
}

extension InAppClick {
    fileprivate init(_ action: InAppMessage.ClickAction) throws {
        switch action {
        case .none: self = .close
        case .url(let address, let useWebView): self = .url(address, isInside: useWebView)
        case .event(let name): self = .event(name)
        case .attribute(let key, let value):
            self = .attribute(key, value: try TypedValue(json: value).text)
        case .requestPushPermission: self = .pushPermission
        }
    }
}

extension InAppMessageRules.Trigger {
    fileprivate init(_ trigger: InAppTrigger) {
        let filters = trigger.conditions.compactMap { condition in
            InAppMessageRules.PropertyFilter.Comparison(rawValue: condition.test.rawValue).map {
                InAppMessageRules.PropertyFilter(
                    condition.property,
                    $0,
                    condition.test.needsValue ? TypedValue(text: condition.value).json : nil
                )
            }
        }
        switch trigger.kind {
        case .sessionStart: self = .sessionStart
        case .pushOpen: self = .pushOpen
        case .event: self = .event(name: trigger.name, filters: filters)
        case .purchase:
            self = .purchase(product: trigger.name.isEmpty ? nil : trigger.name, filters: filters)
        }
    }
}

extension InAppTrigger {
    init(_ trigger: InAppMessageRules.Trigger) {
        switch trigger {
        case .sessionStart: self.init(kind: .sessionStart)
        case .pushOpen: self.init(kind: .pushOpen)
        case .event(let name, let filters):
            self.init(kind: .event, name: name, conditions: filters.compactMap(InAppCondition.init))
        case .purchase(let product, let filters):
            self.init(
                kind: .purchase,
                name: product ?? "",
                conditions: filters.compactMap(InAppCondition.init)
            )
        }
    }
}

extension InAppCondition {
    fileprivate init?(_ filter: InAppMessageRules.PropertyFilter) {
        guard let test = Test(rawValue: filter.comparison.rawValue),
            let text = try? filter.value.map({ try TypedValue(json: $0).text }) ?? ""
        else { return nil }
        self.init(property: filter.property, test: test, value: text)
    }
}
