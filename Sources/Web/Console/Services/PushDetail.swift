import Foundation

/// Everything one push's page shows.
package struct PushDetail: Sendable, Hashable {
    package var summary: PushSummary
    package var draft: PushDraft
    /// The name of the member, key or campaign that made it.
    package var author: String
    /// The campaign that launched it, by its number.
    package var campaign: Int64?
    package var startedAt: Date?
    package var finishedAt: Date?
    package var failures: [PushFailure]
    /// Opens in equal steps of time from the start.
    package var opens: [OpensInTime]
    /// The most recent messages to devices, newest first; a sample.
    package var dispatches: [DispatchRow]

    package init(
        summary: PushSummary,
        draft: PushDraft,
        author: String,
        campaign: Int64? = nil,
        startedAt: Date? = nil,
        finishedAt: Date? = nil,
        failures: [PushFailure] = [],
        opens: [OpensInTime] = [],
        dispatches: [DispatchRow] = []
    ) {
        self.summary = summary
        self.draft = draft
        self.author = author
        self.campaign = campaign
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.failures = failures
        self.opens = opens
        self.dispatches = dispatches
    }
}

/// How many messages a push service refused for one reason.
package struct PushFailure: Sendable, Hashable {
    /// The provider's word, such as `Unregistered`.
    package var reason: String
    package var count: Int

    package init(reason: String, count: Int) {
        self.reason = reason
        self.count = count
    }
}

/// Opens from one moment until the next.
package struct OpensInTime: Sendable, Hashable {
    package var from: Date
    package var direct: Int
    package var influenced: Int

    package init(from: Date, direct: Int, influenced: Int) {
        self.from = from
        self.direct = direct
        self.influenced = influenced
    }
}

/// One message to one device.
package struct DispatchRow: Sendable, Hashable {
    /// The user's number in the console, for a link.
    package var userID: Int64
    /// The external id, or another name the user is known by.
    package var userName: String
    package var device: String
    package var state: DispatchState
    /// The provider's reason when it was rejected.
    package var reason: String?
    package var changedAt: Date

    package init(
        userID: Int64,
        userName: String,
        device: String,
        state: DispatchState,
        reason: String?,
        changedAt: Date
    ) {
        self.userID = userID
        self.userName = userName
        self.device = device
        self.state = state
        self.reason = reason
        self.changedAt = changedAt
    }
}

/// Which messages of a push a list shows.
package struct RecipientQuery: Sendable, Hashable {
    package enum Part: String, Sendable, Hashable, CaseIterable {
        case all, delivered, received, opened, direct, influenced, dismissed, rejected, unknown
    }

    package var part = Part.all
    /// Only those refused for this reason.
    package var reason: String?
    /// The row behind which it begins.
    package var after: Int64?
    package var limit = 50

    package init() {}
}

package struct RecipientRow: Sendable, Hashable {
    /// Where the next page begins.
    package var cursor: Int64
    package var dispatch: DispatchRow

    package init(cursor: Int64, dispatch: DispatchRow) {
        self.cursor = cursor
        self.dispatch = dispatch
    }
}

/// How far one message has come.
package enum DispatchState: String, Sendable, Hashable, CaseIterable {
    case queued, sending, delivered, rejected, unknown, received, opened, dismissed
}
