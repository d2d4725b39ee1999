import Foundation

/// What has to be known of a user to decide whether, when and with which variant a campaign
/// reaches them.
package struct CampaignRecipient: Sendable, Hashable {
    package var profile: ProfileID
    /// The user's own zone, or that of the device used last; an IANA name.
    package var timeZone: String?
    /// Devices that a push can reach, none for a user who has unsubscribed.
    package var devices: [DeviceID]
    /// Earlier launches that count, in no particular order.
    package var contacts: [CampaignContact]

    package init(
        profile: ProfileID,
        timeZone: String? = nil,
        devices: [DeviceID],
        contacts: [CampaignContact] = []
    ) {
        self.profile = profile
        self.timeZone = timeZone
        self.devices = devices
        self.contacts = contacts
    }
}

/// One launch that included a user: its message arrived at the provider or is on its way, or the
/// user was in its control group.
package struct CampaignContact: Sendable, Hashable {
    package var campaign: CampaignID
    package var send: SendID
    /// When it was or is due.
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
