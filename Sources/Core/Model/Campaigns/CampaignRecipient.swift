import Foundation

/// The data about a user that decides whether, when and with which variant a campaign is delivered.
package struct CampaignRecipient: Sendable, Hashable {
    package var profile: ProfileID
    /// The user's own time zone, or that of the most recently used device; an IANA name.
    package var timeZone: String?
    /// Devices that a push can reach; empty for a user who has unsubscribed.
    package var devices: [DeviceID]
    /// Earlier exposures that count, in no particular order.
    package var contacts: [CampaignExposure]

    package init(
        profile: ProfileID,
        timeZone: String? = nil,
        devices: [DeviceID],
        contacts: [CampaignExposure] = []
    ) {
        self.profile = profile
        self.timeZone = timeZone
        self.devices = devices
        self.contacts = contacts
    }
}

/// An exposure: the provider accepted the campaign's message for the user or it is in progress, or
/// the user was in its control group.
package struct CampaignExposure: Sendable, Hashable {
    package var campaign: CampaignID
    package var send: SendID
    /// The time at which the message was or is due.
    package var time: Date
    /// `nil` in the control group.
    package var variant: Int?
    package var countsForCaps: Bool

    package init(
        campaign: CampaignID,
        send: SendID,
        time: Date,
        variant: Int?,
        countsForCaps: Bool
    ) {
        self.campaign = campaign
        self.send = send
        self.time = time
        self.variant = variant
        self.countsForCaps = countsForCaps
    }
}
