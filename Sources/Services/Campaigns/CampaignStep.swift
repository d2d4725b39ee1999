import Model

/// What can be done with a campaign as a whole.
package enum CampaignStep: String, Sendable, Hashable, CaseIterable {
    /// A draft or a stopped campaign begins.
    case activate
    /// Nothing is launched until it is resumed; its sends wait too.
    case pause
    /// A paused campaign goes on. Occurrences that came meanwhile are passed over.
    case resume
    /// It ends: what has not been handed to a provider is not sent.
    case stop
    /// One that does not run is taken out of the lists.
    case archive

    /// The name in the audit log.
    var action: String {
        switch self {
        case .activate: "campaign_activated"
        case .pause: "campaign_paused"
        case .resume: "campaign_resumed"
        case .stop: "campaign_stopped"
        case .archive: "campaign_archived"
        }
    }

    var origins: Set<CampaignState> {
        switch self {
        case .activate, .archive: [.draft, .stopped]
        case .pause: [.active]
        case .resume: [.paused]
        case .stop: [.active, .paused]
        }
    }

    var outcome: CampaignState {
        switch self {
        case .activate, .resume: .active
        case .pause: .paused
        case .stop: .stopped
        case .archive: .archived
        }
    }
}
