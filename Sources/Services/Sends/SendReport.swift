import Audience
import Campaigns
import Foundation
import Model

/// A send for display: with the counts of its dispatches, and a readable audience.
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

    /// The distinct titles of its variants; empty if the app's name is shown instead.
    package var title: String { Self.joined(send.content.sentMessages.map(\.title)) }
    package var message: String { Self.joined(send.content.sentMessages.map(\.body)) }

    /// The scheduled time of the send; `nil` for an immediate one.
    package var deliverAt: Date? { send.scheduledAt > send.createdAt ? send.scheduledAt : nil }

    /// The time until which it can be taken back; `nil` if it cannot.
    package var heldUntil: Date? { send.state == .scheduled ? send.content.heldUntil : nil }

    private static func joined(_ texts: [String]) -> String {
        var known: [String] = []
        for text in texts where !text.isEmpty && !known.contains(text) { known.append(text) }
        return known.joined(separator: " / ")
    }
}

/// Details of a send's dispatches besides the counts.
package struct SendLedger: Sendable, Hashable {
    package var failures: [FailureReason]
    /// The most recently changed dispatches; a sample.
    package var latest: [DispatchReport]
    /// Number of opens of each page of the push's story, in their order; empty without a story.
    package var storyOpens: [Int]
    /// Whether the workspace no longer keeps who got it.
    package var isRemoved: Bool
}
