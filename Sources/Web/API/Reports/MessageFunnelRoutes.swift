import Analytics
import Campaigns
import Foundation
import Hummingbird
import InAppMessages
import Ingestion
import Model
import NoroshiWire
import Sends

/// How far pushes, campaigns and in-app messages have come, in different users.
struct MessageFunnelRoutes: Sendable {
    let funnels: MessageFunnels
    let campaigns: CampaignService
    let control: SendControl
    let inAppMessages: InAppMessageService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/messages/funnel",
                "messages.funnel",
                "Shows how many users a message was for, got, received and opened, and how soon",
                [
                    .init(
                        name: "dispatch_id",
                        isRequired: true,
                        schema: .text,
                        summary: "The dispatch_id or push_no of the answer to the request."
                    )
                ],
                answers: Self.answer([.targeted, .delivered, .received, .opened], hasOpens: true)
            ) { try await message($0) },
            .get(
                "/campaigns/funnel",
                "campaigns.funnel",
                "Shows how many users a campaign was for and how many opened and converted, beside "
                    + "its control group",
                [.init(name: "campaign_id", isRequired: true, schema: .uuid)],
                answers: Self.answer(
                    [.targeted, .delivered, .received, .opened, .converted],
                    hasOpens: true
                )
            ) { try await campaign($0) },
            .get(
                "/in_app_messages/funnel",
                "in_app_messages.funnel",
                "Shows to how many users an in-app message was shown, how many tapped it and how many "
                    + "reached its goal, beside its control group",
                [.init(name: "in_app_message_id", isRequired: true, schema: .uuid)],
                answers: Self.answer([.shown, .clicked, .converted], hasOpens: false)
            ) { try await inAppMessage($0) },
        ]
    }

    private static func answer(_ stages: [MessageFunnel.Stage], hasOpens: Bool) -> Schema {
        var members: [String: Schema] = [
            "steps": .list(
                of: .object([
                    "step": Schema.choice(stages.map(\.rawValue)).required,
                    "users": Schema.count.required,
                ])
            ).required,
            "control": Schema.object([
                "users": Schema.count.required,
                "converted": Schema.count.orNull.required
                    .described(
                        "Who did the first conversion event, or reached the goal, without it."
                    ),
            ]).orNull.required.described("The control group; null where there is none."),
            "withheld": Schema.count.required
                .described("Users of the workspace's control group who would have got it."),
            "withheld_converted": Schema.count.orNull.required.described(
                "Of them, who reached an in-app message's goal without it; null for other messages "
                    + "and without a goal."
            ),
        ]
        if !hasOpens {
            members["complete_since"] = Schema.time.described(
                "Present where the goal was chosen after reports were removed: who reached it is "
                    + "counted for what was shown since then."
            )
        }
        if hasOpens {
            members["opens"] = Schema.object([
                "unit_seconds": Schema.count.required.described("The length of a step."),
                "opens": Schema.list(of: .count).required.described(
                    "Opens within 0, 1, 2 … steps after each message was accepted, up to 48 hours."
                ),
                "total": Schema.count.required,
                "half_seconds": Schema.count.orNull.required
                    .described("How soon half of all opens had come."),
            ]).orNull.required.described("null until a message was accepted.")
        }
        return .success(members)
    }

    // MARK: Answers

    private func message(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let name = try reader.requiredString("dispatch_id")
        guard let send = try await control.send(named: name, in: call.workspace) else {
            throw reader.problem("dispatch_id", .isUnknown)
        }
        return try Self.response(
            try await funnels.funnel(of: send.id),
            opens: try await funnels.opens(of: send.id).map(Self.json) ?? .null
        )
    }

    private func campaign(_ call: RESTEndpoint.Call) async throws -> Response {
        let campaign = try await CampaignReader(campaigns: campaigns).campaign(
            try call.reader(),
            in: call.workspace
        )
        return try Self.response(
            try await funnels.funnel(of: campaign),
            opens: try await funnels.opens(of: campaign).map(Self.json) ?? .null
        )
    }

    private func inAppMessage(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard let id = UUID(uuidString: try reader.requiredString("in_app_message_id")),
            let stored = try await inAppMessages.message(id, in: call.workspace)
        else { throw reader.problem("in_app_message_id", .noInAppMessage) }
        return try Self.response(
            try await funnels.funnel(of: stored),
            opens: nil
        )
    }

    private static func response(
        _ funnel: MessageFunnel,
        opens: JSONValue?
    ) throws -> Response {
        var members: [String: JSONValue] = [
            "message": "success",
            "steps": .array(
                funnel.steps.map {
                    ["step": .string($0.stage.rawValue), "users": .integer(Int64($0.users))]
                }
            ),
            "control": funnel.control.map { control in
                [
                    "users": .integer(Int64(control.users)),
                    "converted": control.converted.map { .integer(Int64($0)) } ?? .null,
                ]
            } ?? .null,
            "withheld": .integer(Int64(funnel.withheld)),
            "withheld_converted": funnel.withheldConverted.map { .integer(Int64($0)) } ?? .null,
        ]
        members["opens"] = opens
        members["complete_since"] = funnel.completeSince.map { .string(Timestamp.format($0)) }
        return try JSONResponse.json(JSONValue.object(members))
    }

    private static func json(_ curve: OpenCurve) -> JSONValue {
        [
            "unit_seconds": .integer(curve.unit),
            "opens": .array(curve.opens.map { .integer(Int64($0)) }),
            "total": .integer(Int64(curve.total)),
            "half_seconds": curve.halfTime.map(JSONValue.integer) ?? .null,
        ]
    }
}
