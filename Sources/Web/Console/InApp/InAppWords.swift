import Model
import NoroshiWire
import WebPages

extension InAppMessageDefinition.State {
    var wordKey: String {
        switch self {
        case .draft: "in_app.phase.draft"
        case .active: "in_app.phase.active"
        case .paused: "in_app.phase.paused"
        case .archived: "in_app.phase.archived"
        }
    }

    var tone: String {
        switch self {
        case .draft, .archived: "quiet"
        case .active: "good"
        case .paused: "warn"
        }
    }
}

extension InAppMessageDefinition.Step {
    var wordKey: String {
        switch self {
        case .activate: "in_app.step.activate"
        case .pause: "in_app.step.pause"
        case .archive: "in_app.step.archive"
        }
    }

    /// The confirmation question; `nil` if none is needed.
    var questionKey: String? {
        switch self {
        case .archive: "in_app.archive_confirm"
        case .activate, .pause: nil
        }
    }

    var notice: FlashMessage {
        switch self {
        case .activate: .inAppActivated
        case .pause: .inAppPaused
        case .archive: .inAppArchived
        }
    }
}

extension InAppMessage.Kind {
    /// Whether it consists of a picture alone.
    var isImageOnly: Bool { self == .modalImage || self == .fullImage }
    var hasHeader: Bool { self == .modal || self == .full }
    var hasButtons: Bool { self != .slideup && self != .html && self != .control }

    var wordKey: String {
        switch self {
        case .slideup: "in_app.kind.slideup"
        case .modal: "in_app.kind.modal"
        case .modalImage: "in_app.kind.modal_image"
        case .full: "in_app.kind.full"
        case .fullImage: "in_app.kind.full_image"
        case .html: "in_app.kind.html"
        case .control: "in_app.kind.control"
        }
    }

    var helpKey: String {
        switch self {
        case .slideup: "in_app.kind_help.slideup"
        case .modal: "in_app.kind_help.modal"
        case .modalImage: "in_app.kind_help.modal_image"
        case .full: "in_app.kind_help.full"
        case .fullImage: "in_app.kind_help.full_image"
        case .html: "in_app.kind_help.html"
        case .control: "in_app.kind_help.control"
        }
    }
}

extension InAppForm.ClickKind {
    var wordKey: String {
        switch self {
        case .close: "in_app.click.close"
        case .url: "in_app.click.url"
        case .event: "in_app.click.event"
        case .attribute: "in_app.click.attribute"
        case .pushPermission: "in_app.click.push_permission"
        }
    }
}

extension InAppForm.Often {
    var wordKey: String {
        switch self {
        case .once: "in_app.often.once"
        case .times: "in_app.often.times"
        case .always: "in_app.often.always"
        }
    }
}

extension InAppForm.Unit {
    var wordKey: String {
        switch self {
        case .seconds: "in_app.seconds"
        case .minutes: "campaigns.minutes"
        case .hours: "campaigns.hours"
        case .days: "campaigns.days"
        }
    }
}

extension InAppForm.Trigger.Kind {
    var wordKey: String {
        switch self {
        case .sessionStart: "in_app.trigger.session_start"
        case .event: "condition.event"
        case .purchase: "timeline.purchase"
        case .pushOpen: "in_app.trigger.push_open"
        }
    }
}

extension InAppForm.Trigger {
    func text(_ words: Words) -> String {
        name.isEmpty ? words(kind.wordKey) : "\(words(kind.wordKey)): \(name)"
    }

    /// With its conditions.
    func fullText(_ words: Words) -> String {
        let parts = conditions.map { condition in
            let test = words(condition.test.wordKey)
            return condition.test.needsValue
                ? "\(condition.property) \(test) \(condition.value)"
                : "\(condition.property) \(test)"
        }
        return ([text(words)] + parts).joined(separator: " · ")
    }
}

extension InAppMessageRules.PropertyFilter.Comparison {
    static let choices: [Self] = [
        .equals, .notEquals, .contains, .greater, .greaterOrEqual, .less, .lessOrEqual, .exists,
        .notExists,
    ]

    var needsValue: Bool { self != .exists && self != .notExists }

    var wordKey: String {
        switch self {
        case .equals: "condition.is"
        case .notEquals: "condition.is_not"
        case .contains: "condition.contains"
        case .greater: "in_app.more_than"
        case .greaterOrEqual: "condition.at_least"
        case .less: "in_app.less_than"
        case .lessOrEqual: "condition.at_most"
        case .exists: "condition.exists"
        case .notExists: "condition.missing"
        }
    }
}

extension InAppMessage.ClickAction {
    func text(_ words: Words) -> String {
        switch self {
        case .none: words("in_app.click.close")
        case .url(let address, _): address
        case .event(let name): "\(words("in_app.click.event")): \(name)"
        case .attribute(let key, let value):
            "\(words("in_app.click.attribute")): \(key) = \(ParsedLiteral(json: value).text)"
        case .requestPushPermission: words("in_app.click.push_permission")
        }
    }
}

extension SDKRecord.InAppMessageInteraction.Kind {
    var wordKey: String {
        switch self {
        case .impression: "in_app.contact.impression"
        case .click: "in_app.contact.click"
        case .button: "in_app.contact.button"
        case .dismissed: "in_app.contact.dismissed"
        }
    }

    var tone: String {
        switch self {
        case .impression, .dismissed: "quiet"
        case .click, .button: "good"
        }
    }
}

extension InAppUsersQuery.Part {
    var wordKey: String {
        switch self {
        case .all: "push.state.all"
        case .impressions: "in_app.impressions"
        case .clicks: "in_app.clicks"
        case .dismissals: "in_app.dismissals"
        }
    }
}
