import Foundation
import Model
import Ports
import Reasons

/// Sends requested through the REST API.
extension CampaignService {
    /// Sends an API-triggered campaign, once per key, and first stores the request's data about its
    /// recipients. A rejected request has no effect.
    ///
    /// - Throws: `RefusalError` if the campaign is not active, not triggered by the API, or the
    ///   key belongs to another request; `ValidationError` that names the invalid fields; `NotAllowedError`
    ///   for members who are not marketers and for campaigns of other workspaces.
    package func trigger(
        _ campaign: Campaign,
        _ request: CampaignTriggerRequest,
        by actor: Actor
    ) async throws -> CampaignTriggerRequest.Answer {
        try check(campaign, actor)
        guard campaign.content.delivery == .apiTriggered else {
            throw RefusalError(.notTriggered)
        }
        guard campaign.state == .active else {
            throw RefusalError(.campaignState, ["states": "active"])
        }
        let now = now()
        let key = "api-" + (request.key ?? makeID().uuidString)
        let content = try await content(of: request, for: campaign, key, author: actor.name)
        let outcome = try await store.trigger(
            TriggeredLaunch(
                occurrence: LaunchRequest(
                    campaign: campaign.id,
                    key: key,
                    dueAt: request.scheduledAt ?? now,
                    content: content,
                    scheduledAt: request.scheduledAt ?? now,
                    keyExpiredBefore: now.addingTimeInterval(-CampaignTriggerRequest.keyLifetime)
                ),
                recipients: request.named,
                trackingID: request.trackingID
            ),
            noting: {
                let action = request.scheduledAt == nil ? "push_sent" : "push_scheduled"
                return Self.record(action, "#\($0)", campaign.content, at: now, by: actor)
            },
            now: now
        )
        switch outcome {
        case .launched(let send, let outcomes):
            if outcomes.contains(where: { $0 != nil }) { announceUsers(campaign.workspace) }
            announce(send.id, campaign.workspace)
            return CampaignTriggerRequest.Answer(send: send, outcomes: outcomes)
        case .known(let send): return CampaignTriggerRequest.Answer(send: send, outcomes: [])
        case .otherRequest: throw RefusalError(.otherRequest)
        case .trackingIDTaken:
            throw ValidationError(.campaign(.trackingID), .otherCampaign)
        case .outdated: throw RefusalError(.campaignMoved)
        }
    }

    /// Stores an id that distinguishes some sends of a campaign, or creates one.
    ///
    /// - Returns: The id; `nil` if the requested one belongs to another campaign.
    /// - Throws: `NotAllowedError` as ``trigger(_:_:by:)``.
    package func saveTrackingID(
        _ wanted: String?,
        of campaign: Campaign,
        by actor: Actor
    ) async throws -> String? {
        try check(campaign, actor)
        let id = wanted ?? makeID().uuidString.replacing("-", with: "").lowercased()
        return try await store.saveTrackingID(id, of: campaign.id, now: now()) ? id : nil
    }

    /// The validated content of the send that a request asks for.
    private func content(
        of request: CampaignTriggerRequest,
        for campaign: Campaign,
        _ key: String,
        author: String
    ) async throws -> SendContent {
        var content = campaign.launchContent(key, audience: request.audience)
        content.triggerProperties = request.properties
        content.author = author
        content.recipients = request.recipients
        content.launch?.trackingID = request.trackingID
        content.launch?.localDay = request.localMoment?.day
        content.launch?.localTime = request.localMoment?.time
        if request.overridesCaps { content.launch?.content.isExemptFromCaps = true }
        if let reaches = request.reachesControlGroup ?? (request.message == nil ? nil : true) {
            content.launch?.content.reachesControlGroup = reaches
        }
        try Self.put(request.filter, into: &content)
        if let own = request.message {
            try PushComposer.check(own.content)
            Self.put(own, into: &content)
            if let rules = content.launch?.content {
                try await check(rules, in: campaign.workspace)
            }
        }
        return content
    }

    /// Restricts a launch to its users who match the filter.
    static func put(_ filter: SegmentQuery?, into content: inout SendContent) throws {
        content.launch?.filter = filter
        guard let filter, let audience = content.launch?.content.audience else { return }
        guard let narrowed = audience.narrowed(to: filter) else {
            throw RefusalError(.filterForNamed)
        }
        content.launch?.content.audience = narrowed
    }

    /// Replaces the chosen variant with the request's own message, which every recipient gets. The
    /// campaign's audience, re-eligibility and control group do not apply; frequency caps and quiet
    /// hours still do.
    private static func put(_ own: CampaignTriggerRequest.Message, into content: inout SendContent)
    {
        content.message = own.content.message
        content.options = own.content.options
        content.onlyPlatforms = own.content.onlyPlatforms
        content.latestDeviceOnly = own.content.latestDeviceOnly
        content.recipients = own.content.recipients
        let platforms = own.content.platforms
        content.launch?.content.variants[own.variant].message = CampaignMessage(
            PlatformMessage(own.content.message, options: own.content.options),
            ios: platforms?[.ios],
            android: platforms?[.android],
            web: platforms?[.web]
        )
        content.launch?.content.audience = content.audience
        content.launch?.content.reeligibility = .after(0)
        content.launch?.content.controlShare = 0
        content.launch?.part = .rest(winner: own.variant)
    }
}
