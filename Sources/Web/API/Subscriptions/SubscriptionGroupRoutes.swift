import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/subscription/groups/…`: the lists that users join and leave. Braze creates them only in its
/// console, so these endpoints are specific to this server.
struct SubscriptionGroupRoutes: Sendable {
    let groups: SubscriptionGroupService

    var endpoints: [RESTEndpoint] {
        let channel = Schema([
            "type": "string",
            "enum": .array(
                SubscriptionGroup.Channel.allCases.map { .string($0.rawValue) }
            ),
        ])
        let all: [RESTEndpoint] = [
            .get(
                "/subscription/groups/list",
                "subscription.groups.list",
                "Lists the subscription groups by name",
                answers: .success([
                    "subscription_groups": Schema.list(
                        of: .object([
                            "subscription_group_id": Schema.uuid.required,
                            "name": Schema.text.required, "channel": channel.required,
                        ])
                    ).required
                ])
            ) { call in
                let all = try await groups.groups(in: call.workspace)
                return try JSONResponse.json([
                    "message": "success",
                    "subscription_groups": .array(all.map { .object(Self.json($0)) }),
                ])
            },
            .post(
                "/subscription/groups/create",
                "subscription.groups.create",
                "Makes a subscription group",
                takes: .object([
                    "name": Schema.text(1...SubscriptionGroupService.nameLimit).required,
                    "channel": channel.required,
                ]),
                answers: .success(["subscription_group_id": Schema.uuid.required])
            ) { try await create($0) }.recordingItself,
        ]
        return all
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let name = try reader.requiredPlainText("name", 1...SubscriptionGroupService.nameLimit)
        let word = try reader.requiredString("channel")
        guard let channel = SubscriptionGroup.Channel(rawValue: word) else {
            let names = SubscriptionGroup.Channel.allCases.map(\.rawValue)
            throw reader.problem(
                "channel",
                .isOneOf,
                ["known": .text(names.joined(separator: ", "))]
            )
        }
        let group = try await groups.create(name, channel: channel, by: .key(call.key))
        var answer = Self.json(group)
        answer["message"] = "success"
        return try JSONResponse.json(JSONValue.object(answer), status: .created)
    }

    private static func json(_ group: SubscriptionGroup) -> [String: JSONValue] {
        [
            "subscription_group_id": .string(group.id.uuidString.lowercased()),
            "name": .string(group.name), "channel": .string(group.channel.rawValue),
        ]
    }
}
