import Audience
import Campaigns
import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons
import Users

/// Reads the body of `/campaigns/trigger/send` and `/campaigns/trigger/schedule/create`. It stores
/// nothing.
struct CampaignTriggerReader {
    let segments: SegmentService
    let users: UserService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    func trigger(
        _ call: RESTEndpoint.Call,
        of campaign: Campaign
    ) async throws -> CampaignTriggerRequest {
        let reader = try call.reader()
        var trigger = CampaignTriggerRequest(audience: campaign.content.audience)
        trigger.properties = try reader.object("trigger_properties")
        trigger.key = try IdempotencyKeyReader(call: call).name()
        trigger.overridesCaps = try reader.flag("override_frequency_capping") ?? false
        trigger.reachesControlGroup = try reader.flag("respect_control_group").map { !$0 }
        trigger.recipients = try SendRequestReader.recipientState(reader)
        trigger.trackingID = try CampaignReader.trackingID(reader)
        let query = try await AudienceRequestReader(
            segments: segments,
            audience: audience
        ).query(
            reader,
            in: call.workspace
        )
        let names = try reader.list("recipients", limit: RecipientsReader.limit)
        let isBroadcast = try reader.flag("broadcast") ?? false
        if let query, campaign.content.audience.narrowed(to: query) == nil {
            throw reader.problem("audience", .noNarrowing)
        }
        guard !names.isEmpty else {
            guard isBroadcast else {
                throw reader.problem("recipients", .noRecipients)
            }
            if let query, let narrowed = campaign.content.audience.narrowed(to: query) {
                trigger.audience = narrowed
            }
            return trigger
        }
        guard !isBroadcast else {
            throw reader.problem("broadcast", .broadcastToRecipients)
        }
        trigger.filter = query
        trigger.named = try await RecipientsReader(
            users: users,
            now: now,
            properties: "trigger_properties"
        ).recipients(call)
        return trigger
    }
}
