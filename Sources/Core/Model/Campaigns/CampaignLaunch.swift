import Foundation

/// What a send knows of the campaign that launched it: a copy of its rules as they were.
package struct CampaignLaunch: Sendable, Hashable, Codable {
    /// Which part of the audience a send is for when a winner is looked for.
    package enum Part: Sendable, Hashable, Codable {
        case everybody
        case test
        /// All who were not in the test get the variant of this index.
        case rest(winner: Int)
    }

    package var campaign: CampaignID
    package var apiID: UUID
    /// The same for a launch that is repeated after a crash; unique in its campaign.
    package var occurrence: String
    package var content: CampaignContent
    package var part: Part
    /// The day and time on each user's clock, for deliveries in local time.
    package var localDay: CalendarDay?
    package var localTime: TimeOfDay?
    /// Users whose local time had passed by then are left out.
    package var activatedAt: Date
    /// The `send_id` of the REST API, to tell several sends of one campaign apart.
    package var trackingID: String?
    /// Whom of the users that a request has named it is for; `nil` is all whom the campaign is for.
    package var filter: SegmentQuery?

    package init(
        campaign: CampaignID,
        apiID: UUID,
        occurrence: String,
        content: CampaignContent,
        part: Part = .everybody,
        localDay: CalendarDay? = nil,
        localTime: TimeOfDay? = nil,
        activatedAt: Date,
        trackingID: String? = nil
    ) {
        self.campaign = campaign
        self.apiID = apiID
        self.occurrence = occurrence
        self.content = content
        self.part = part
        self.localDay = localDay
        self.localTime = localTime
        self.activatedAt = activatedAt
        self.trackingID = trackingID
    }

    /// `nil` when it is the same moment for everybody.
    package var localMoment: LocalMoment? {
        guard let localDay, let localTime else { return nil }
        return LocalMoment(day: localDay, time: localTime)
    }
}
