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

/// `/messages/…`: a push to named users, a segment or all users, immediate or scheduled.
struct MessageRoutes: Sendable {
    /// Maximum number of broadcasts in a list.
    private static let listLimit = 100

    let composer: PushComposer
    let control: SendControl
    let campaigns: CampaignService
    let segments: SegmentService
    let users: UserService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/messages/send",
                "messages.send",
                "Sends a message at once",
                limitsBroadcasts: true,
                headers: [IdempotencyKeyReader.header],
                takes: Self.request(),
                answers: .success([
                    "dispatch_id": .text.required, "push_no": Schema.count.required,
                    "send_id": .text, "errors": Self.remarks,
                ])
            ) { try await send($0) }.recordingItself,
            .post(
                "/messages/schedule/create",
                "messages.schedule.create",
                "Sends a message at a time, the same moment for all or on each user's clock",
                limitsBroadcasts: true,
                headers: [IdempotencyKeyReader.header],
                takes: Self.request(
                    ["schedule": Schema("Schedule").required],
                    example: ["schedule": ["time": "2035-01-01T09:00:00Z"]]
                ),
                answers: .success([
                    "dispatch_id": .text.required, "schedule_id": .text.required,
                    "send_id": .text, "errors": Self.remarks,
                ])
            ) { try await schedule($0) }.recordingItself,
            .post(
                "/messages/schedule/update",
                "messages.schedule.update",
                "Changes the time or the text of a message that waits",
                takes: .object([
                    "schedule_id": .text.required, "schedule": "Schedule",
                    "messages": "Messages",
                ])
            ) { try await update($0) }.recordingItself,
            .post(
                "/messages/schedule/delete",
                "messages.schedule.delete",
                "Stops a message that waits",
                takes: .object(["schedule_id": .text.required])
            ) { try await delete($0) }.recordingItself,
            .get(
                "/messages/scheduled_broadcasts",
                "messages.schedule_broadcasts",
                "Lists the messages and campaigns to more than named users that wait",
                [.init(name: "end_time", isRequired: true, schema: .time)],
                answers: .success([
                    "scheduled_broadcasts": Schema.list(
                        of: .object([
                            "id": .text.required, "type": .text.required, "name": .text.required,
                            "tags": Schema.list(of: .text).required,
                            "schedule_type": Schema.choice(
                                "time_based_absolute",
                                "time_based_recurring",
                                "local_time_zones"
                            ).required,
                            "next_send_time": Schema.time.required,
                        ])
                    ).required
                ])
            ) { try await list($0) },
        ]
    }

    /// Fields that are ignored; the rest of the request applies.
    private static let remarks = Schema.list(
        of: .object(["field": .text.required, "message": .text.required])
    )

    private static func request(
        _ more: [String: Schema] = [:],
        example: [String: JSONValue] = [:]
    ) -> Schema {
        let members: [String: Schema] = [
            "broadcast": Schema.bool.orNull.described("Must be true when no users are named."),
            "external_user_ids": UserSelection.schema(SharedSchemas.externalID),
            "user_aliases": UserSelection.schema("UserAlias"),
            "segment_id": Schema.text.orNull.described("With users: those who are in it."),
            "audience": Schema.map.orNull.described("A connected audience object."),
            "campaign_id": Schema.text.orNull.described(
                "An API-triggered campaign that the message is counted for."
            ),
            "send_id": Schema.text.orNull.described("Needs campaign_id."),
            "override_frequency_capping": Schema.bool.orNull.described(
                "With campaign_id; a message without a campaign is not capped."
            ),
            "respect_control_group": Schema.bool.orNull.described(
                "Whether the workspace's control group gets nothing; whoever is named without a campaign gets it."
            ),
            "recipient_subscription_state": .choice("opted_in", "subscribed", "all"),
            "trigger_properties": Schema.map.orNull, "messages": Schema("Messages").required,
        ]
        let example = example.merging([
            "external_user_ids": ["ada"],
            "messages": ["apple_push": ["alert": ["title": "Hello", "body": "It works."]]],
        ]) { $1 }
        return Schema.object(members.merging(more) { $1 }).example(.object(example))
    }

    private func send(_ call: RESTEndpoint.Call) async throws -> Response {
        let (send, body) = try await make(call, at: nil)
        return try JSONResponse.json(
            JSONValue.object(body.merging(["push_no": .integer(send.id.rawValue)]) { $1 }),
            status: .created
        )
    }

    private func schedule(_ call: RESTEndpoint.Call) async throws -> Response {
        let moment = try ScheduleReader(now: now()).required(try call.reader())
        let (send, body) = try await make(call, at: moment)
        return try JSONResponse.json(
            JSONValue.object(body.merging(["schedule_id": .string(send.scheduleName)]) { $1 }),
            status: .created
        )
    }

    /// Creates the send that a request asks for, and the common members of the response.
    private func make(
        _ call: RESTEndpoint.Call,
        at moment: ScheduleReader.Moment?
    ) async throws -> (send: Send, body: [String: JSONValue]) {
        let now = now()
        var request = try await SendRequestReader(
            campaigns: campaigns,
            segments: segments,
            users: users,
            audience: audience,
            now: now
        ).request(call)
        let key = IdempotencyKeyReader(call: call)
        let send: Send
        if let campaign = request.campaign {
            var trigger = CampaignTriggerRequest(audience: request.content.audience)
            trigger.properties = request.content.triggerProperties
            trigger.key = try key.name()
            trigger.trackingID = request.trackingID
            trigger.message = .init(variant: request.variant, content: request.content)
            trigger.overridesCaps = request.overridesCaps
            trigger.reachesControlGroup = request.content.withholdsFromControlGroup.map { !$0 }
            trigger.scheduledAt = moment?.launchAt
            trigger.localMoment = moment?.local
            send = try await campaigns.trigger(campaign, trigger, by: .key(call.key)).send
        } else {
            request.content.localMoment = moment?.local
            send = try await composer.send(
                request.content,
                by: .key(call.key),
                at: moment?.launchAt,
                key: try key.key(
                    of: moment == nil ? "messages.send" : "messages.schedule.create",
                    now: now
                )
            )
        }
        var body: [String: JSONValue] = [
            "message": "success", "dispatch_id": .string(send.dispatchName),
        ]
        if let id = request.trackingID { body["send_id"] = .string(id) }
        if !request.remarks.isEmpty { body["errors"] = .array(request.remarks) }
        return (send, body)
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let send = try await waiting(reader, call.workspace)
        let moment = try ScheduleReader(now: now()).moment(reader)
        var content = send.content
        if let moment { content.localMoment = moment.local }
        if let messages = reader.value("messages") {
            guard content.launch == nil else {
                throw reader.problem("messages", .scheduleOfCampaign)
            }
            try MessagesReader(messages, now: now()).write(to: &content)
        } else if moment == nil {
            throw FieldProblem("schedule", .scheduleOrMessages)
        }
        if let moment {
            content.launch?.localDay = moment.local?.day
            content.launch?.localTime = moment.local?.time
        }
        let isUpdated = try await composer.update(
            send,
            to: content,
            at: moment?.launchAt ?? send.scheduledAt,
            by: .key(call.key)
        )
        guard isUpdated else { throw Self.started }
        return try JSONResponse.json(["message": "success"], status: .created)
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let send = try await waiting(try call.reader(), call.workspace)
        guard try await control.take(.stop, with: send, by: .key(call.key)) else {
            throw Self.started
        }
        return try JSONResponse.json(["message": "success"], status: .created)
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard let end = try reader.time("end_time") else {
            throw reader.problem("end_time", .requiredTime)
        }
        let waiting = try await control.waiting(in: call.workspace, limit: Self.listLimit)
            .filter { $0.content.audience.isBroadcast && $0.scheduledAt <= end }
        let active = try await campaigns.campaigns(
            in: call.workspace,
            state: .active,
            page: ListPage(size: Self.listLimit)
        ).campaigns
        let rows =
            waiting.map { ($0.scheduledAt, ScheduledBroadcast($0).json) }
            + active.compactMap { campaign in
                guard let due = campaign.nextDueAt, due <= end,
                    campaign.content.audience.isBroadcast,
                    !waiting.contains(where: { $0.content.launch?.campaign == campaign.id })
                else { return nil }
                return (due, ScheduledBroadcast(campaign, at: due).json)
            }
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "scheduled_broadcasts": .array(rows.sorted { $0.0 < $1.0 }.map(\.1)),
            ])
        )
    }

    private static let started = FieldProblem("schedule_id", .messageBegun)
    private static let cancelled = FieldProblem("schedule_id", .messageCancelled)

    /// The send that `schedule_id` names, if it is still scheduled.
    private func waiting(
        _ reader: RequestReader,
        _ workspace: WorkspaceID
    ) async throws -> Send {
        let text = try reader.requiredString("schedule_id")
        guard let send = try await control.send(named: text, in: workspace) else {
            throw reader.problem("schedule_id", .isUnknown)
        }
        guard send.state == .scheduled else {
            throw send.state == .cancelled ? Self.cancelled : Self.started
        }
        return send
    }
}

/// A row of `/messages/scheduled_broadcasts`.
private struct ScheduledBroadcast {
    let json: JSONValue

    init(_ send: Send) {
        let launch = send.content.launch
        let name = send.content.message.headline
        let isLocal = send.content.localDelivery != nil
        json = [
            "id": .string(send.scheduleName), "type": "Campaign",
            "name": .string(launch?.content.name ?? name),
            "tags": .array((launch?.content.tags ?? []).map(JSONValue.string)),
            "schedule_type": isLocal ? "local_time_zones" : "time_based_absolute",
            "next_send_time": .string(Timestamp.format(send.scheduledAt)),
        ]
    }

    init(_ campaign: Campaign, at due: Date) {
        var type = "time_based_absolute"
        if case .scheduled(let schedule) = campaign.content.delivery {
            if schedule.recurrence != nil { type = "time_based_recurring" }
            if schedule.clock == .eachUser { type = "local_time_zones" }
        }
        json = [
            "id": .string(campaign.apiID.uuidString.lowercased()), "type": "Campaign",
            "name": .string(campaign.content.name),
            "tags": .array(campaign.content.tags.map(JSONValue.string)),
            "schedule_type": .string(type),
            "next_send_time": .string(Timestamp.format(due)),
        ]
    }
}

extension Audience {
    /// Whether the audience does not name individual users.
    fileprivate var isBroadcast: Bool {
        switch self {
        case .everyone, .matching: true
        case .profiles: false
        }
    }
}
