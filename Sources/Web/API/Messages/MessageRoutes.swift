import Audience
import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports

/// `/messages/…`: a push to named users or to everyone, at once or at a time.
struct MessageRoutes: Sendable {
    /// The most broadcasts that a list shows.
    private static let listLimit = 100

    let composer: PushComposer
    let store: any Store
    let audience: AudienceService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/messages/send",
                "messages.send",
                "Sends a message at once",
                takes: Self.request(),
                answers: .success([
                    "dispatch_id": .text.required, "push_no": Schema.count.required,
                ])
            ) { try await send($0) },
            .post(
                "/messages/schedule/create",
                "messages.schedule.create",
                "Sends a message at a time",
                takes: Self.request(["schedule": Schema("Schedule").required]),
                answers: .success(["dispatch_id": .text.required, "schedule_id": .text.required])
            ) { try await schedule($0) },
            .post(
                "/messages/schedule/update",
                "messages.schedule.update",
                "Changes the time or the text of a message that waits",
                takes: .object([
                    "schedule_id": .text.required, "schedule": "Schedule",
                    "messages": "Messages",
                ])
            ) { try await update($0) },
            .post(
                "/messages/schedule/delete",
                "messages.schedule.delete",
                "Stops a message that waits",
                takes: .object(["schedule_id": .text.required])
            ) { try await delete($0) },
            .get(
                "/messages/scheduled_broadcasts",
                "messages.schedule_broadcasts",
                "Lists the messages to everyone that wait",
                [.init(name: "end_time", isRequired: true, schema: .time)],
                answers: .success([
                    "scheduled_broadcasts": Schema.list(
                        of: .object([
                            "id": .text.required, "type": .text.required, "name": .text.required,
                            "tags": Schema.list(of: .text).required,
                            "schedule_type": .text.required,
                            "next_send_time": Schema.time.required,
                        ])
                    ).required
                ])
            ) { try await list($0) },
        ]
    }

    private static func request(_ more: [String: Schema] = [:]) -> Schema {
        let members: [String: Schema] = [
            "broadcast": Schema.bool.orNull,
            "external_user_ids": UserSelection.schema(.text),
            "user_aliases": UserSelection.schema("UserAlias"),
            "trigger_properties": Schema.map.orNull, "messages": Schema("Messages").required,
        ]
        return Schema.object(members.merging(more) { $1 }).example([
            "external_user_ids": ["ada"],
            "messages": ["apple_push": ["alert": ["title": "Hello", "body": "It works."]]],
        ])
    }

    private func send(_ call: RESTEndpoint.Call) async throws -> Response {
        let content = try await SendRequestReader(store: store, audience: audience).content(call)
        let send = try await composer.send(content, in: call.workspace)
        return try APIAnswer.json(
            JSONValue.object([
                "message": "success", "dispatch_id": .string("\(send.id)"),
                "push_no": .integer(send.id.rawValue),
            ]),
            status: .created
        )
    }

    private func schedule(_ call: RESTEndpoint.Call) async throws -> Response {
        guard let time = try time(try call.reader()) else {
            throw FieldProblem("schedule", "is required: an object with time")
        }
        let content = try await SendRequestReader(store: store, audience: audience).content(call)
        let send = try await composer.send(content, in: call.workspace, at: time)
        return try APIAnswer.json(
            JSONValue.object([
                "message": "success", "dispatch_id": .string("\(send.id)"),
                "schedule_id": .string("\(send.id)"),
            ]),
            status: .created
        )
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let send = try await waiting(reader, call.workspace)
        let time = try time(reader)
        var content = send.content
        if reader.value("messages") != nil {
            (content.message, content.options) = try SendRequestReader.message(
                call.body.objectValue ?? [:]
            )
        } else if time == nil {
            throw FieldProblem("schedule", "send schedule, messages or both")
        }
        let isUpdated = try await composer.update(
            send,
            to: content,
            at: time ?? send.scheduledAt
        )
        guard isUpdated else { throw Self.started }
        return try APIAnswer.json(["message": "success"], status: .created)
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let send = try await waiting(try call.reader(), call.workspace)
        guard try await store.cancelSend(send.id, now: now()) else { throw Self.started }
        return try APIAnswer.json(["message": "success"], status: .created)
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard let end = try reader.time("end_time") else {
            throw reader.problem("end_time", "is required: a time in ISO 8601")
        }
        let found = try await store.sends(
            in: call.workspace,
            matching: SendQuery(states: [.scheduled], limit: Self.listLimit)
        )
        let broadcasts = found.sends
            .filter { $0.content.audience.isBroadcast && $0.scheduledAt <= end }
            .sorted { $0.scheduledAt < $1.scheduledAt }
        return try APIAnswer.json(
            JSONValue.object([
                "message": "success",
                "scheduled_broadcasts": .array(
                    broadcasts.map { send in
                        let message = send.content.message
                        return [
                            "id": .string("\(send.id)"), "type": "Campaign",
                            "name": .string(message.title.isEmpty ? message.body : message.title),
                            "tags": [], "schedule_type": "time_based_absolute",
                            "next_send_time": .string(Timestamp.format(send.scheduledAt)),
                        ]
                    }
                ),
            ])
        )
    }

    private static let started = FieldProblem(
        "schedule_id",
        "is of a message that has begun; it can no longer be changed"
    )

    /// The send that `schedule_id` names, if it still waits.
    private func waiting(
        _ reader: RequestReader,
        _ workspace: WorkspaceID
    ) async throws -> Send {
        let text = try reader.requiredString("schedule_id")
        guard let number = Int64(text), let send = try await store.send(SendID(number)),
            send.workspace == workspace
        else { throw reader.problem("schedule_id", "is unknown") }
        guard send.state == .scheduled else { throw Self.started }
        return send
    }

    private func time(_ reader: RequestReader) throws(FieldProblem) -> Date? {
        guard let value = reader.value("schedule") else { return nil }
        let schedule = try RequestReader(value, path: "schedule")
        for field in ["in_local_time", "at_optimal_time"] where try schedule.flag(field) == true {
            throw schedule.problem(field, "is not supported by this version")
        }
        guard let time = try schedule.time("time") else {
            throw schedule.problem("time", "is required")
        }
        guard time > now() else { throw schedule.problem("time", "has passed") }
        return time
    }
}

extension Audience {
    /// Whether it was not said by naming users.
    fileprivate var isBroadcast: Bool {
        switch self {
        case .everyone, .matching: true
        case .profiles: false
        }
    }
}
