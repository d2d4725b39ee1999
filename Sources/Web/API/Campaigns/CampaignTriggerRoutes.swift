import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports
import Scheduling

/// `/campaigns/trigger/…` and `/sends/id/create`: an API-triggered campaign, at once or at a time.
struct CampaignTriggerRoutes: Sendable {
    let campaigns: CampaignService
    let ingestion: IngestionService
    let store: any Store
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/campaigns/trigger/send",
                "campaigns.trigger.send",
                "Sends an API-triggered campaign at once"
            ) { try await send($0) },
            .post(
                "/campaigns/trigger/schedule/create",
                "campaigns.trigger.schedule.create",
                "Sends an API-triggered campaign at a time"
            ) { try await schedule($0) },
            .post(
                "/campaigns/trigger/schedule/update",
                "campaigns.trigger.schedule.update",
                "Changes the time of a campaign that waits"
            ) { try await update($0) },
            .post(
                "/campaigns/trigger/schedule/delete",
                "campaigns.trigger.schedule.delete",
                "Stops a campaign that waits"
            ) { try await delete($0) },
            .post(
                "/sends/id/create",
                "sends.id.create",
                "Makes a send_id, to tell the sends of a campaign apart"
            ) { try await createID($0) },
        ]
    }

    private func send(_ call: RESTEndpoint.Call) async throws -> Response {
        let campaign = try await campaign(call)
        let trigger = try await reader.trigger(call, of: campaign)
        return try await launch(campaign, trigger)
    }

    private func schedule(_ call: RESTEndpoint.Call) async throws -> Response {
        let campaign = try await campaign(call)
        guard let schedule = try schedule(try call.reader()) else {
            throw FieldProblem("schedule", "is required: an object with time")
        }
        var trigger = try await reader.trigger(call, of: campaign)
        trigger.scheduledAt = schedule.launchAt
        trigger.localDay = schedule.localDay
        trigger.localTime = schedule.localTime
        return try await launch(campaign, trigger, isScheduled: true)
    }

    private func launch(
        _ campaign: Campaign,
        _ trigger: CampaignTrigger,
        isScheduled: Bool = false
    ) async throws -> Response {
        if let id = trigger.trackingID {
            guard try await store.saveTrackingID(id, of: campaign.id, now: now()) else {
                throw FieldProblem("send_id", "belongs to another campaign")
            }
        }
        let send = try await campaigns.trigger(campaign, trigger)
        var body: [String: JSONValue] = [
            "message": "success", "dispatch_id": .string("\(send.id)"),
        ]
        if isScheduled { body["schedule_id"] = .string("\(send.id)") }
        if let id = trigger.trackingID { body["send_id"] = .string(id) }
        return try APIAnswer.json(JSONValue.object(body), status: .created)
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let send = try await waiting(call, reader)
        guard let schedule = try schedule(reader) else {
            throw FieldProblem("schedule", "is required: an object with time")
        }
        var content = send.content
        content.launch?.localDay = schedule.localDay
        content.launch?.localTime = schedule.localTime
        let isUpdated = try await store.updateScheduledSend(
            send.id,
            content: content,
            scheduledAt: schedule.launchAt
        )
        guard isUpdated else { throw Self.started }
        return try APIAnswer.json(["message": "success"], status: .created)
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let send = try await waiting(call, try call.reader())
        guard try await store.cancelSend(send.id, now: now()) else { throw Self.started }
        return try APIAnswer.json(["message": "success"], status: .created)
    }

    private func createID(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let campaign = try await campaign(call)
        let id =
            try CampaignReader.trackingID(reader)
            ?? UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        guard try await store.saveTrackingID(id, of: campaign.id, now: now()) else {
            throw reader.problem("send_id", "belongs to another campaign")
        }
        return try APIAnswer.json(["message": "success", "send_id": id], status: .created)
    }

    // MARK: Reading

    private var reader: CampaignTriggerReader {
        CampaignTriggerReader(store: store, ingestion: ingestion, now: now)
    }

    private func campaign(_ call: RESTEndpoint.Call) async throws -> Campaign {
        try await CampaignReader(store: store).campaign(try call.reader(), in: call.workspace)
    }

    private static let started = FieldProblem(
        "schedule_id",
        "is of a campaign that has begun; it can no longer be changed"
    )

    private func waiting(
        _ call: RESTEndpoint.Call,
        _ reader: RequestReader
    ) async throws -> Send {
        let campaign = try await campaign(call)
        let text = try reader.requiredString("schedule_id")
        guard let number = Int64(text), let send = try await store.send(SendID(number)),
            send.workspace == call.workspace, send.content.launch?.campaign == campaign.id
        else { throw reader.problem("schedule_id", "is unknown") }
        guard send.state == .scheduled else { throw Self.started }
        return send
    }

    private struct Schedule {
        var launchAt: Date
        var localDay: CalendarDay?
        var localTime: TimeOfDay?
    }

    private func schedule(_ reader: RequestReader) throws(FieldProblem) -> Schedule? {
        guard let value = reader.value("schedule") else { return nil }
        let schedule = try RequestReader(value, path: "schedule")
        if try schedule.flag("at_optimal_time") == true {
            throw schedule.problem("at_optimal_time", "is not supported by this version")
        }
        guard let time = try schedule.time("time") else {
            throw schedule.problem("time", "is required")
        }
        guard try schedule.flag("in_local_time") == true else {
            guard time > now() else { throw schedule.problem("time", "has passed") }
            return Schedule(launchAt: time)
        }
        // What the time shows is what each user's clock is to show, seconds left out.
        let shown = WallClock.reading(of: time, in: .gmt)
        let launchAt = WallClock.instant(shown.day, shown.time, hoursAhead: 14)
        guard WallClock.instant(shown.day, shown.time, hoursAhead: -12) > now() else {
            throw schedule.problem("time", "has passed for everybody")
        }
        return Schedule(launchAt: launchAt, localDay: shown.day, localTime: shown.time)
    }
}
