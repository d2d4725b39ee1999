import Audience
import Campaigns
import Foundation
import Model

/// A send as people see it: with the counts of its ledger, and its audience in words.
package struct SendReport: Sendable, Hashable {
    package var send: Send
    package var counts: SendCounts
    package var audience: AudienceChoice

    package init(send: Send, counts: SendCounts, audience: AudienceChoice) {
        self.send = send
        self.counts = counts
        self.audience = audience
    }

    package var phase: SendPhase { SendPhase(send.state, counts) }

    /// What its variants say, each text once; empty where the app's name stands in its place.
    package var title: String { Self.joined(send.content.sentMessages.map(\.title)) }
    package var message: String { Self.joined(send.content.sentMessages.map(\.body)) }

    /// When it goes or went out; `nil` for at once.
    package var deliverAt: Date? { send.scheduledAt > send.createdAt ? send.scheduledAt : nil }

    /// Until when it can be taken back; `nil` where it cannot.
    package var heldUntil: Date? { send.state == .scheduled ? send.content.heldUntil : nil }

    private static func joined(_ texts: [String]) -> String {
        var known: [String] = []
        for text in texts where !text.isEmpty && !known.contains(text) { known.append(text) }
        return known.joined(separator: " / ")
    }
}

/// What the ledger of a send tells beside its counts.
package struct SendLedger: Sendable, Hashable {
    package var failures: [FailureReason]
    /// The messages to devices that changed last; a sample.
    package var latest: [DispatchReport]
    /// In equal steps of time from the start.
    package var opens: [OpensInTime]
}

/// Opens from one moment until the next.
package struct OpensInTime: Sendable, Hashable {
    package var from: Date
    package var direct: Int
    package var influenced: Int
}
