import Foundation

/// The campaign data that a send keeps: a copy of the rules at launch.
package struct LaunchContext: Sendable, Hashable, Codable {
    /// The cohort of a send when the campaign tests variants for a winner.
    package enum Part: Sendable, Hashable, Codable {
        case everybody
        case test
        /// All users who were not in the test; they get the variant with this index. `isProven` is
        /// whether it was better than every other one, and `nil` where none was tested.
        case rest(winner: Int, isProven: Bool? = nil)
    }

    package var campaign: CampaignID
    package var apiID: UUID
    /// Identifies the occurrence: unique in its campaign, and the same if a launch is repeated
    /// after a crash.
    package var occurrence: String
    package var content: CampaignContent
    package var part: Part
    /// The local date of a delivery in local time; `nil` otherwise.
    package var localDay: CalendarDay?
    package var localTime: TimeOfDay?
    /// Users whose local time had already passed at the activation are left out.
    package var activatedAt: Date
    /// The `send_id` of the REST API, which distinguishes several sends of one campaign.
    package var trackingID: String?
    /// The filter of the request that triggered it, which narrows its audience; `nil` if there is
    /// none.
    package var filter: SegmentQuery?
    /// The step of a journey whose message this is; `nil` for a campaign of its own.
    package var journey: JourneyOrigin?

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

    /// `nil` if the moment is the same for all users.
    package var localMoment: LocalDateTime? {
        guard let localDay, let localTime else { return nil }
        return LocalDateTime(day: localDay, time: localTime)
    }
}

extension LaunchContext {
    private enum CodingKeys: String, CodingKey {
        case campaign, apiID, occurrence, content, part, localDay, localTime
        case activatedAt, trackingID, filter, journey
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        campaign = try container.decode(CampaignID.self, forKey: .campaign)
        apiID = try container.decode(UUID.self, forKey: .apiID)
        occurrence = try container.decode(String.self, forKey: .occurrence)
        if let key = CodingUserInfoKey.launchContent,
            let content = decoder.userInfo[key] as? CampaignContent
        {
            self.content = content
        } else {
            content = try container.decode(CampaignContent.self, forKey: .content)
        }
        part = try container.decode(Part.self, forKey: .part)
        localDay = try container.decodeIfPresent(CalendarDay.self, forKey: .localDay)
        localTime = try container.decodeIfPresent(TimeOfDay.self, forKey: .localTime)
        activatedAt = try container.decode(Date.self, forKey: .activatedAt)
        trackingID = try container.decodeIfPresent(String.self, forKey: .trackingID)
        filter = try container.decodeIfPresent(SegmentQuery.self, forKey: .filter)
        journey = try container.decodeIfPresent(JourneyOrigin.self, forKey: .journey)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(campaign, forKey: .campaign)
        try container.encode(apiID, forKey: .apiID)
        try container.encode(occurrence, forKey: .occurrence)
        let isElsewhere = CodingUserInfoKey.launchContent.map { encoder.userInfo[$0] != nil }
        if isElsewhere != true { try container.encode(content, forKey: .content) }
        try container.encode(part, forKey: .part)
        try container.encodeIfPresent(localDay, forKey: .localDay)
        try container.encodeIfPresent(localTime, forKey: .localTime)
        try container.encode(activatedAt, forKey: .activatedAt)
        try container.encodeIfPresent(trackingID, forKey: .trackingID)
        try container.encodeIfPresent(filter, forKey: .filter)
        try container.encodeIfPresent(journey, forKey: .journey)
    }
}

extension CodingUserInfoKey {
    /// The campaign's content of a launch that is kept apart from the rest of it: an encoder that has one
    /// leaves it out, a decoder puts it in.
    package static let launchContent = CodingUserInfoKey(rawValue: "launchContent")
}
