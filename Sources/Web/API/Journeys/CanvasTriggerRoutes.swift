import Audience
import Foundation
import Hummingbird
import Ingestion
import Journeys
import Model
import NoroshiWire
import Reasons
import Users

/// `/canvas/trigger/…`: users who enter a journey at once or at a time.
struct CanvasTriggerRoutes: Sendable {
    /// Maximum number of users whom one request lets in without naming them.
    private static let memberLimit = 50_000
    private static let properties = "canvas_entry_properties"
    private static let schedule = Schema("Schedule").required.described(
        "A moment; at_optimal_time and in_local_time are not offered for canvases."
    )
    private static let names: [String: Schema] = [
        "canvas_id": Schema.uuid.required, "schedule_id": Schema.uuid.required,
    ]

    let journeys: JourneyService
    let segments: SegmentService
    let users: UserService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    private static func request(_ more: [String: Schema] = [:]) -> Schema {
        let members: [String: Schema] = [
            "canvas_id": Schema.uuid.required, properties: Schema.map.orNull,
            "context": Schema.map.orNull.described("Another name of \(properties)."),
            "recipients": RecipientsReader.schema(properties: properties),
            "broadcast": Schema.bool.orNull.described("Must be true when nobody is named."),
            "segment_id": Schema.text.orNull,
            "audience": Schema.map.orNull.described(
                "A connected audience object: who enters when nobody is named, at most "
                    + "\(memberLimit) users."
            ),
        ]
        return .object(members.merging(more) { $1 })
            .needingOne(of: ["recipients", "broadcast"])
    }

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/canvas/trigger/send",
                "canvas.trigger.send",
                "Lets users into a journey that is entered by the API",
                limitsBroadcasts: true,
                headers: [JourneyRunRoutes.key],
                takes: Self.request(),
                answers: JourneyRunRoutes.entered
            ) { try await enter($0, at: nil) }.recordingItself,
            .post(
                "/canvas/trigger/schedule/create",
                "canvas.trigger.schedule.create",
                "Lets users into a journey at a time; who they are is decided by this request",
                limitsBroadcasts: true,
                headers: [JourneyRunRoutes.key],
                takes: Self.request(["schedule": Self.schedule]),
                answers: .success(
                    JourneyRunRoutes.entering.merging(["schedule_id": .uuid.required]) { $1 }
                )
            ) { try await enter($0, at: try moment($0)) }.recordingItself,
            .post(
                "/canvas/trigger/schedule/update",
                "canvas.trigger.schedule.update",
                "Changes the time at which users enter",
                takes: .object(Self.names.merging(["schedule": Self.schedule]) { $1 })
            ) { try await move($0, to: try moment($0)) }.recordingItself,
            .post(
                "/canvas/trigger/schedule/delete",
                "canvas.trigger.schedule.delete",
                "Lets none of the users in who wait for a time",
                takes: .object(Self.names)
            ) { try await move($0, to: nil) }.recordingItself,
        ]
    }

    private var reader: JourneyReader { JourneyReader(journeys: journeys) }

    /// The moment in `schedule`.
    private func moment(_ call: RESTEndpoint.Call) throws -> Date {
        let reader = try call.reader()
        let moment = try ScheduleReader(now: now()).required(reader)
        guard moment.local == nil else {
            throw reader.problem("schedule.in_local_time", .noLocalEntry)
        }
        return moment.launchAt
    }

    private func move(_ call: RESTEndpoint.Call, to moment: Date?) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.canvas(reader, in: call.workspace)
        guard let id = UUID(uuidString: try reader.requiredString("schedule_id")) else {
            throw reader.problem("schedule_id", .mustBeUUID)
        }
        let outcome = try await journeys.moveSchedule(
            id,
            of: journey,
            to: moment,
            by: .key(call.key)
        )
        switch outcome {
        case .done: return try JSONResponse.json(["message": "success"], status: .created)
        case .unknown: throw reader.problem("schedule_id", .isUnknown)
        case .begun: throw reader.problem("schedule_id", .canvasBegun)
        case .cancelled: throw reader.problem("schedule_id", .canvasCancelled)
        }
    }

    private func enter(_ call: RESTEndpoint.Call, at moment: Date?) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.canvas(reader, in: call.workspace)
        let names = try reader.list("recipients", limit: RecipientsReader.limit)
        let isBroadcast = try reader.flag("broadcast") ?? false
        let query = try await AudienceRequestReader(segments: segments, audience: audience)
            .query(reader, in: call.workspace)
        var members: [ProfileID] = []
        if names.isEmpty {
            guard isBroadcast else { throw reader.problem("recipients", .noRecipients) }
            members = try await audience.profiles(
                in: call.workspace,
                matching: query ?? SegmentQuery(),
                at: .now,
                after: nil,
                limit: Self.memberLimit + 1
            )
            guard members.count <= Self.memberLimit else {
                throw reader.problem(
                    query == nil ? "broadcast" : "audience",
                    .mostEntries,
                    ["count": "\(Self.memberLimit)"]
                )
            }
        } else {
            guard !isBroadcast else { throw reader.problem("broadcast", .broadcastToRecipients) }
            guard query == nil else {
                throw reader.problem(
                    reader.value("audience") == nil ? "segment_id" : "audience",
                    .narrowedRecipients
                )
            }
        }
        return try await JourneyEntrance(journeys: journeys, users: users, now: now).letIn(
            call,
            into: journey,
            properties: Self.properties,
            alsoNamed: "context",
            members: members,
            at: moment,
            operation: moment == nil ? "/canvas/trigger/send" : "/canvas/trigger/schedule/create"
        )
    }
}
