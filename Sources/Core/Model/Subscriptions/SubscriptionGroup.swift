import Foundation

/// A list that users join and leave, such as a newsletter.
///
/// Membership is stored in the profiles' attribute `subscription_groups`.
package struct SubscriptionGroup: Sendable, Hashable {
    package enum Channel: String, Sendable, CaseIterable {
        case email, sms, whatsapp, push
    }

    /// The identifier that the REST API and the SDK use.
    package var id: UUID
    package var workspace: WorkspaceID
    package var name: String
    package var channel: Channel

    package init(id: UUID, workspace: WorkspaceID, name: String, channel: Channel) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.channel = channel
    }
}
