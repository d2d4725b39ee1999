import Model

/// An action on a whole campaign.
package enum CampaignStep: String, Sendable, Hashable, CaseIterable {
    /// Activates a draft or a stopped campaign.
    case activate
    /// Pauses the campaign and its sends: nothing is launched until it is resumed.
    case pause
    /// Resumes a paused campaign. Occurrences missed meanwhile are skipped.
    case resume
    /// Stops the campaign: dispatches that no worker has claimed are not sent.
    case stop
    /// Hides a campaign that is not running from lists.
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
