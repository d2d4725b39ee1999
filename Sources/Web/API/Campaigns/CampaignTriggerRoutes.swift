import Audience
import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons
import Sends
import Users

/// `/campaigns/trigger/…` and `/sends/id/create`: an API-triggered campaign, immediate or
/// scheduled.
struct CampaignTriggerRoutes: Sendable {
    let campaigns: CampaignService
    let control: SendControl
    let segments: SegmentService
    let users: UserService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    private static let sent: [String: Schema] = [
        "dispatch_id": .text.required, "send_id": .text, "errors": .list(of: "ItemProblem"),
    ]
    private static let names: [String: Schema] = [
        "campaign_id": Schema.text.required, "schedule_id": Schema.text.required,
    ]

    private static func request(_ more: [String: Schema] = [:]) -> Schema {
        let members: [String: Schema] = [
            "campaign_id": Schema.text.required, "send_id": Schema.text.orNull,
            "trigger_properties": Schema.map.orNull,
            "broadcast": Schema.bool.orNull.described("Must be true when nobody is named."),
            "audience": Schema.map.orNull.described(
                "A connected audience object. With recipients: those of them who match."
            ),
            "segment_id": Schema.text.orNull,
            "recipients": RecipientsReader.schema(properties: "trigger_properties"),
            "override_frequency_capping": Schema.bool.orNull,
            "respect_control_group": Schema.bool.orNull.described(
                "Whether the workspace's control group gets nothing; as the campaign says without it."
            ),
            "recipient_subscription_state": .choice("opted_in", "subscribed", "all"),
        ]
        return Schema.object(members.merging(more) { $1 })
            .needingOne(of: ["recipients", "broadcast"])
    }

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/campaigns/trigger/send",
                "campaigns.trigger.send",
                "Sends an API-triggered campaign at once",
                limitsBroadcasts: true,
                headers: [IdempotencyKeyReader.header],
                takes: Self.request(),
                answers: .success(Self.sent)
            ) { try await send($0) }.recordingItself,
            .post(
                "/campaigns/trigger/schedule/create",
                "campaigns.trigger.schedule.create",
                "Sends an API-triggered campaign at a time",
                limitsBroadcasts: true,
                headers: [IdempotencyKeyReader.header],
                takes: Self.request(["schedule": Schema("Schedule").required]),
                answers: .success(
                    Self.sent.merging(["schedule_id": .text.required]) { $1 }
                )
            ) { try await schedule($0) }.recordingItself,
            .post(
                "/campaigns/trigger/schedule/update",
                "campaigns.trigger.schedule.update",
                "Changes the time of a campaign that waits",
                takes: .object(
                    Self.names.merging(["schedule": Schema("Schedule").required]) { $1 }
                )
            ) { try await update($0) }.recordingItself,
            .post(
                "/campaigns/trigger/schedule/delete",
                "campaigns.trigger.schedule.delete",
                "Stops a campaign that waits",
                takes: .object(Self.names)
            ) { try await delete($0) }.recordingItself,
            .post(
                "/sends/id/create",
                "sends.id.create",
                "Makes a send_id, to tell the sends of a campaign apart",
                takes: .object([
                    "campaign_id": .text.required, "send_id": .text(1...64),
                ]),
                answers: .success(["send_id": .text.required])
            ) { try await createID($0) },
        ]
    }

    private func send(_ call: RESTEndpoint.Call) async throws -> Response {
        let campaign = try await campaign(call)
        let trigger = try await reader.trigger(call, of: campaign)
        return try await answer(call, campaign, trigger, isScheduled: false)
    }

    private func schedule(_ call: RESTEndpoint.Call) async throws -> Response {
        let campaign = try await campaign(call)
        let moment = try ScheduleReader(now: now()).required(try call.reader())
        var trigger = try await reader.trigger(call, of: campaign)
        trigger.scheduledAt = moment.launchAt
        trigger.localMoment = moment.local
        return try await answer(call, campaign, trigger, isScheduled: true)
    }

    private func answer(
        _ call: RESTEndpoint.Call,
        _ campaign: Campaign,
        _ trigger: CampaignTriggerRequest,
        isScheduled: Bool
    ) async throws -> Response {
        let answer = try await campaigns.trigger(campaign, trigger, by: .key(call.key))
        var body: [String: JSONValue] = [
            "message": "success", "dispatch_id": .string(answer.send.dispatchName),
        ]
        if isScheduled { body["schedule_id"] = .string(answer.send.scheduleName) }
        if let id = trigger.trackingID { body["send_id"] = .string(id) }
        let errors = RecipientsReader.errors(trigger.named ?? [], answer.outcomes)
        if !errors.isEmpty { body["errors"] = .array(errors) }
        return try JSONResponse.json(JSONValue.object(body), status: .created)
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let send = try await waiting(call, reader)
        let moment = try ScheduleReader(now: now()).required(reader)
        var content = send.content
        content.launch?.localDay = moment.local?.day
        content.launch?.localTime = moment.local?.time
        let isMoved = try await control.move(
            send,
            to: moment.launchAt,
            content: content,
            by: .key(call.key)
        )
        guard isMoved else { throw Self.started }
        return try JSONResponse.json(["message": "success"], status: .created)
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let send = try await waiting(call, try call.reader())
        guard try await control.take(.stop, with: send, by: .key(call.key)) else {
            throw Self.started
        }
        return try JSONResponse.json(["message": "success"], status: .created)
    }

    private func createID(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let campaign = try await campaign(call)
        let id = try await campaigns.saveTrackingID(
            try CampaignReader.trackingID(reader),
            of: campaign,
            by: .key(call.key)
        )
        guard let id else { throw reader.problem("send_id", .otherCampaignsID) }
        return try JSONResponse.json(
            ["message": "success", "send_id": .string(id)],
            status: .created
        )
    }

    // MARK: Reading

    private var reader: CampaignTriggerReader {
        CampaignTriggerReader(segments: segments, users: users, audience: audience, now: now)
    }

    private func campaign(_ call: RESTEndpoint.Call) async throws -> Campaign {
        try await CampaignReader(campaigns: campaigns).campaign(
            try call.reader(),
            in: call.workspace
        )
    }

    private static let started = FieldProblem("schedule_id", .campaignBegun)
    private static let cancelled = FieldProblem("schedule_id", .campaignCancelled)

    private func waiting(
        _ call: RESTEndpoint.Call,
        _ reader: RequestReader
    ) async throws -> Send {
        let campaign = try await campaign(call)
        let text = try reader.requiredString("schedule_id")
        guard let send = try await control.send(named: text, in: call.workspace),
            send.content.launch?.campaign == campaign.id
        else { throw reader.problem("schedule_id", .isUnknown) }
        guard send.state == .scheduled else {
            throw send.state == .cancelled ? Self.cancelled : Self.started
        }
        return send
    }
}
