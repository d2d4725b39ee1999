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

    /// Whether some of it can still be stopped.
    var isOpen: Bool {
        switch self {
        case .scheduled, .running, .paused: true
        case .done, .partlyFailed, .failed, .noRecipients, .cancelled: false
        }
    }
}

extension PushForm.Interruption {
    var wordKey: String {
        switch self {
        case .passive: "interruption.passive"
        case .active: "interruption.active"
        case .timeSensitive: "interruption.time_sensitive"
        }
    }
}

/// The fields of the composer that can be invalid, by their names in the form.
enum PushField: String {
    case title, subtitle, message, url, pairs, customJSON, badge, category, image
    case user, filter, attributes, contacts, segment, deliverAt, threadID, collapseID
    case story

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
        case .story: "compose.story"
        }
    }
}
