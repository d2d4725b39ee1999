import Model
import WebPages

extension SendPhase {
    var wordKey: String {
        switch self {
        case .scheduled: "push.state.scheduled"
        case .running: "push.state.running"
        case .paused: "push.state.paused"
        case .done: "push.state.done"
        case .cancelled: "push.state.cancelled"
        case .failed: "push.state.failed"
        case .partlyFailed: "push.state.partly_failed"
        case .noRecipients: "push.state.no_recipients"
        }
    }

    /// The tone of the state's mark: `good`, `warn`, `bad`, `live` or `quiet`.
    var tone: String {
        switch self {
        case .scheduled, .paused, .partlyFailed: "warn"
        case .running: "live"
        case .done: "good"
        case .cancelled, .noRecipients: "quiet"
        case .failed: "bad"
        }
    }

    /// Whether anything of it may still be held back.
    var isOpen: Bool {
        switch self {
        case .scheduled, .running, .paused: true
        case .done, .partlyFailed, .failed, .noRecipients, .cancelled: false
        }
    }
}

extension DispatchState {
    var wordKey: String {
        switch self {
        case .queued: "push.dispatch.queued"
        case .sending: "push.dispatch.sending"
        case .delivered: "push.dispatch.delivered"
        case .rejected: "push.dispatch.rejected"
        case .unknown: "push.dispatch.unknown"
        case .received: "push.dispatch.received"
        case .opened: "push.dispatch.opened"
        case .dismissed: "push.dispatch.dismissed"
        }
    }

    var tone: String {
        switch self {
        case .queued, .sending: "live"
        case .delivered, .received: "quiet"
        case .opened: "good"
        case .rejected: "bad"
        case .unknown: "warn"
        case .dismissed: "quiet"
        }
    }
}

extension ButtonSet {
    /// The words on the buttons as the phone shows them.
    func titles(_ words: Words) -> [String] {
        switch self {
        case .none, .custom: []
        case .more: [words("buttons.more")]
        case .yesNo: [words("buttons.yes"), words("buttons.no")]
        case .acceptDecline: [words("buttons.accept"), words("buttons.decline")]
        case .confirmCancel: [words("buttons.confirm"), words("buttons.cancel")]
        }
    }

    func choiceText(_ words: Words) -> String {
        switch self {
        case .none: words("buttons.none")
        case .custom: words("buttons.custom")
        default: titles(words).joined(separator: " / ")
        }
    }
}

extension Interruption {
    var wordKey: String {
        switch self {
        case .passive: "interruption.passive"
        case .active: "interruption.active"
        case .timeSensitive: "interruption.time_sensitive"
        }
    }
}

extension PushField {
    var wordKey: String {
        switch self {
        case .title: "compose.title"
        case .subtitle: "compose.subtitle"
        case .message: "compose.message"
        case .url: "compose.url"
        case .pairs: "compose.pairs"
        case .customJSON: "compose.custom_json"
        case .badge: "compose.badge"
        case .category: "compose.category"
        case .image: "compose.image"
        case .user: "compose.user"
        case .filter: "compose.filter"
        case .attributes: "compose.attributes_choice"
        case .contacts: "compose.contacts_choice"
        case .segment: "compose.segment"
        case .deliverAt: "compose.deliver_at"
        case .threadID: "compose.thread"
        case .collapseID: "compose.collapse"
        }
    }
}

extension ConditionForm.Test {
    var wordKey: String {
        switch self {
        case .isEqual: "condition.is"
        case .isNot: "condition.is_not"
        case .contains: "condition.contains"
        case .begins: "condition.begins"
        case .atLeast: "condition.at_least"
        case .atMost: "condition.at_most"
        case .within: "condition.within"
        case .exists: "condition.exists"
        case .missing: "condition.missing"
        }
    }
}
