import Foundation

/// A campaign or an in-app message whose figures are counted from rows: those stay for it, however old they are.
package struct RetentionHolder: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case campaign(CampaignID, apiID: UUID)
        case inAppMessage(UUID)
    }

    /// Of which rows some stay.
    package var kind: RetainedKind
    package var subject: Subject
    package var name: String

    package init(_ subject: Subject, _ name: String, of kind: RetainedKind) {
        self.subject = subject
        self.name = name
        self.kind = kind
    }
}
