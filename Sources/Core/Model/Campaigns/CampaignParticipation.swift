import Foundation

/// The outcome of a campaign for one user, from the dispatches.
package struct CampaignParticipation: Sendable, Hashable {
    package var send: SendID
    package var variant: Int?
    package var isControl: Bool
    package var dueAt: Date
    package var acceptedAt: Date?
    package var receivedAt: Date?
    package var openedAt: Date?
    package var influencedAt: Date?

    package init(send: SendID, variant: Int?, isControl: Bool, dueAt: Date) {
        self.send = send
        self.variant = variant
        self.isControl = isControl
        self.dueAt = dueAt
    }
}
