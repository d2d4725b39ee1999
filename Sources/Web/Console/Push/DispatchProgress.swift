import Foundation
import Model

/// How far one message to a device has come, for people: what its row says, and what the device
/// told of it.
enum DispatchProgress: String {
    case queued, sending, delivered, rejected, unknown, received, opened, dismissed

    /// - Parameters:
    ///   - hasOpened: Directly or by a session that the push influenced.
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

    /// When it changed last.
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
