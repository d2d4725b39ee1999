import Foundation

/// An occurrence that was launched or skipped.
package struct CampaignOccurrence: Sendable, Hashable {
    package var key: String
    package var dueAt: Date
    package var send: SendID?
    package var skipReason: String?
    package var createdAt: Date

    package init(
        key: String,
        dueAt: Date,
        send: SendID?,
        skipReason: String?,
        createdAt: Date
    ) {
        self.key = key
        self.dueAt = dueAt
        self.send = send
        self.skipReason = skipReason
        self.createdAt = createdAt
    }
}
