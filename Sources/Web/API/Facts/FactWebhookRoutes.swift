import Accounts
import Facts
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Reasons

/// `/facts/webhooks/…`: addresses that get facts.
struct FactWebhookRoutes: Sendable {
    let webhooks: FactWebhookService

    var endpoints: [RESTEndpoint] {
        let named: [String: Schema] = ["webhook_id": Schema.uuid.required]
        return [
            .get(
                "/facts/webhooks",
                "facts.webhooks",
                "Lists the addresses that get facts, and how far each has come",
                answers: .success([
                    "webhooks": .list(of: .object(Self.webhook), limit: FactWebhook.limit).required
                ])
            ) { try await list($0) },
            .post(
                "/facts/webhooks/create",
                "facts.webhooks.create",
                "Adds an address that gets facts in signed calls",
                takes: .object([
                    "name": Schema.text(1...FactWebhook.nameLimit).required,
                    "url": Self.address.required, "kinds": Self.kinds,
                    "start": .choice(FactWebhookService.Start.allCases.map(\.rawValue))
                        .described("now, unless you say beginning."),
                ]),
                answers: .success(
                    Self.webhook.merging([
                        "secret": Schema.text.required
                            .described("With it the receiver checks webhook-signature.")
                    ]) { $1 }
                )
            ) { try await create($0) }.recordingItself,
            .post(
                "/facts/webhooks/update",
                "facts.webhooks.update",
                "Changes an address that gets facts; what is not sent stays",
                success: .ok,
                takes: .object(
                    named.merging([
                        "name": .text(1...FactWebhook.nameLimit), "url": Self.address,
                        "kinds": Self.kinds,
                        "active": Schema.bool.described(
                            "false pauses it; true lets it go on where it was, also if it was given up."
                        ),
                    ]) { $1 }
                ),
                answers: .success(Self.webhook)
            ) { try await update($0) }.recordingItself,
            .post(
                "/facts/webhooks/delete",
                "facts.webhooks.delete",
                "Deletes an address that gets facts",
                success: .ok,
                takes: .object(named)
            ) { try await delete($0) }.recordingItself,
        ]
    }

    private static let address = Schema.text.described(
        "Gets signed POSTs. Only addresses that connected_content may call."
    )
    private static let kinds = Schema.list(
        of: .choice(Fact.Kind.allCases.map(\.rawValue)),
        limit: Fact.Kind.allCases.count
    ).notEmpty.described("All, unless you say which.")

    private static let webhook: [String: Schema] = [
        "id": Schema.uuid.required, "name": Schema.text.required, "url": Schema.text.required,
        "kinds": Schema.list(of: .text).required,
        "state": Schema.choice(FactWebhook.State.allCases.map(\.rawValue)).required,
        "position": Schema.count.required.described("All facts up to this number have arrived."),
        "failures": Schema.count.required, "failing_since": Schema.time.orNull.required,
        "problem": Schema.text.orNull.required, "next_at": Schema.time.required,
        "last_delivered_at": Schema.time.orNull.required,
    ]

    private static func json(_ webhook: FactWebhook) -> [String: JSONValue] {
        func time(_ date: Date?) -> JSONValue {
            date.map { .string(Timestamp.format($0)) } ?? .null
        }
        return [
            "id": .string(webhook.id.uuidString.lowercased()), "name": .string(webhook.name),
            "url": .string(webhook.address),
            "kinds": .array(webhook.kinds.map(\.rawValue).sorted().map(JSONValue.string)),
            "state": .string(webhook.state.rawValue), "position": .integer(webhook.position),
            "failures": .integer(Int64(webhook.failures)),
            "failing_since": time(webhook.failingSince),
            "problem": webhook.problem.map { .string("\($0)") } ?? .null,
            "next_at": time(webhook.dueAt), "last_delivered_at": time(webhook.deliveredAt),
        ]
    }

    // MARK: Verbs

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let all = try await webhooks.webhooks(in: call.workspace).map {
            JSONValue.object(Self.json($0.webhook))
        }
        return try JSONResponse.json(["message": "success", "webhooks": .array(all)])
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let made = try await webhooks.create(
            name: try reader.requiredString("name"),
            address: try reader.requiredString("url"),
            kinds: try kinds(reader) ?? Set(Fact.Kind.allCases),
            from: try reader.choice("start", FactWebhookService.Start.allCases) ?? .now,
            by: .key(call.key)
        )
        let members = Self.json(made.webhook).merging([
            "message": "success", "secret": .string(made.secret),
        ]) { $1 }
        return try JSONResponse.json(JSONValue.object(members), status: .created)
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let id = try id(reader)
        let changed = try await webhooks.change(
            id,
            name: try reader.string("name"),
            address: try reader.string("url"),
            kinds: try kinds(reader),
            by: .key(call.key)
        )
        guard var webhook = changed else { throw reader.problem("webhook_id", .isUnknown) }
        if let isActive = try reader.flag("active"),
            let set = try await webhooks.set(id, isActive: isActive, by: .key(call.key))
        {
            webhook = set
        }
        let members = Self.json(webhook).merging(["message": "success"]) { $1 }
        return try JSONResponse.json(JSONValue.object(members))
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard try await webhooks.delete(try id(reader), by: .key(call.key)) else {
            throw reader.problem("webhook_id", .isUnknown)
        }
        return try JSONResponse.json(["message": "success"])
    }

    // MARK: Fields

    private func id(_ reader: RequestReader) throws -> UUID {
        guard let id = UUID(uuidString: try reader.requiredString("webhook_id")) else {
            throw reader.problem("webhook_id", .isUnknown)
        }
        return id
    }

    private func kinds(_ reader: RequestReader) throws -> Set<Fact.Kind>? {
        guard reader.value("kinds") != nil else { return nil }
        let names = try reader.strings("kinds", limit: Fact.Kind.allCases.count)
        let kinds = names.compactMap(Fact.Kind.init)
        guard !kinds.isEmpty, kinds.count == names.count else {
            throw reader.problem(
                "kinds",
                .isOneOf,
                ["known": .text(Fact.Kind.allCases.map(\.rawValue).joined(separator: ", "))]
            )
        }
        return Set(kinds)
    }
}
