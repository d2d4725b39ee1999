import Foundation
import Model

/// The progress of one message to a device, for display: the state of its dispatch, and the
/// device's reports.
enum DispatchProgress: String {
    case queued, sending, delivered, rejected, unknown, received, opened, dismissed

    /// - Parameters:
    ///   - hasOpened: Whether the push was opened, directly or by an influenced session.
    init(_ state: DispatchState, hasOpened: Bool, hasDismissed: Bool, hasReceived: Bool) {
        self =
            switch state {
            case .queued: .queued
            case .sending: .sending
            case .rejected, .skipped: .rejected
            case .unknown: .unknown
            case .accepted:
                hasOpened
                    ? .opened : hasDismissed ? .dismissed : hasReceived ? .received : .delivered
            }
    }

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

extension DispatchReport {
    var progress: DispatchProgress {
        DispatchProgress(
            state,
            hasOpened: openedAt != nil,
            hasDismissed: dismissedAt != nil,
            hasReceived: receivedAt != nil
        )
    }

    /// The time of the last change.
    var changedAt: Date {
        [receivedAt, openedAt, dismissedAt, updatedAt].compactMap(\.self).max() ?? updatedAt
    }
}

extension LedgerRow {
    var progress: DispatchProgress {
        DispatchProgress(
            state,
            hasOpened: openedAt != nil,
            hasDismissed: dismissedAt != nil,
            hasReceived: receivedAt != nil
        )
    }
}
