import Campaigns
import Delivery
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Scheduling
import Sends
import Users

/// `/messages/why` and `/campaigns/why`: why a user got a message, or did not.
struct DeliveryExplanationRoutes: Sendable {
    /// Maximum number of explained launches of a campaign.
    private static let launches = 20

    let explainer: DeliveryExplainer
    let campaigns: CampaignService
    let control: SendControl
    let users: UserService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/messages/why",
                "messages.why",
                "Tells why a user got a message, or did not, and what became of it on each device",
                [
                    .init(
                        name: "dispatch_id",
                        isRequired: true,
                        schema: .text,
                        summary: "The dispatch_id or push_no of the answer to the request."
                    )
                ] + NamedUser.parameters,
                answers: .success(Self.explanation)
            ) { try await message($0) },
            .get(
                "/campaigns/why",
                "campaigns.why",
                "Tells why a user got a campaign, or did not, launch by launch",
                [.init(name: "campaign_id", isRequired: true, schema: .uuid)]
                    + NamedUser.parameters,
                answers: .success([
                    "answer": Schema.choice(
                        Code.allCases.map(\.rawValue) + [
                            "waits_after_event", "not_triggered", "not_launched",
                        ]
                    ).required.described(
                        "The furthest one of all launches, or why the latest left the user out."
                    ),
                    "time": Schema.time.orNull.required.described(
                        "When it waits until, or when the next launch is."
                    ),
                    "launches": Schema.list(of: .object(Self.explanation), limit: Self.launches)
                        .required.described("Those that concern the user, the newest first."),
                ])
            ) { try await campaign($0) },
        ]
    }

    // MARK: Schemas

    /// How far a message came, or why there is none.
    private enum Code: String, CaseIterable {
        case opened, received, accepted, waiting, paused, rejected, unknown, skipped, stopped
        case onItsWay = "on_its_way"
        case notPlanned = "not_planned"
        case controlGroup = "control_group"
        case notInAudience = "not_in_audience"
        case unsubscribed
        case notOptedIn = "not_opted_in"
        case noDevice = "no_device"
        case notReachable = "not_reachable"
        case excluded
        case rowsRemoved = "rows_removed"
        case leftOut = "left_out"
    }

    private static let explanation: [String: Schema] = [
        "dispatch_id": Schema.text.required,
        "answer": Schema.choice(Code.allCases.map(\.rawValue)).required.described(
            "How far the message came on the device where it came furthest, or why there is none."
        ),
        "reason": Schema.text.orNull.required.described(
            "Why it was rejected, skipped, put off or excluded; a code."
        ),
        "time": Schema.time.orNull.required.described(
            "When it was opened, received or accepted, or until when it waits."
        ),
        "in_audience": Schema.bool.orNull.required.described(
            "Whether the user is in the audience now; null where that cannot be told."
        ),
        "variant": Schema.text.orNull.required,
        "counted": Schema.list(of: .time).required.described(
            "The times of the earlier messages that a rule counted, the newest first."
        ),
        "devices": Schema.list(
            of: .object([
                "platform": Schema.text.orNull.required, "model": Schema.text.orNull.required,
                "reach": Schema.choice("reachable", "no_token", "not_allowed", "not_theirs")
                    .required,
                "state": Schema.choice(DispatchState.allCases.map { "\($0)" }).orNull.required
                    .described("null where the message was not for this device."),
                "reason": Schema.text.orNull.required,
            ])
        ).required,
    ]

    // MARK: Answers

    private func message(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let name = try reader.requiredString("dispatch_id")
        guard let send = try await control.send(named: name, in: call.workspace) else {
            throw reader.problem("dispatch_id", .isUnknown)
        }
        let profile = try await NamedUser.profile(call, users)
        var answer = Self.json(try await explainer.explain(send, to: profile))
        answer["message"] = "success"
        return try JSONResponse.json(JSONValue.object(answer))
    }

    private func campaign(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let campaign = try await CampaignReader(campaigns: campaigns).campaign(
            reader,
            in: call.workspace
        )
        let profile = try await NamedUser.profile(call, users)
        let history = try await explainer.explain(campaign, to: profile, limit: Self.launches)
        let (answer, time) = Self.summary(of: history.answer)
        return try JSONResponse.json([
            "message": "success", "answer": .string(answer), "time": Self.time(time),
            "launches": .array(history.launches.map { .object(Self.json($0)) }),
        ])
    }

    private static func summary(of answer: CampaignHistory.Answer) -> (String, Date?) {
        switch answer {
        case .launched(let launched):
            let parts = parts(of: launched)
            return (parts.code.rawValue, parts.time)
        case .waitsAfterEvent(let date): return ("waits_after_event", date)
        case .notTriggered: return ("not_triggered", nil)
        case .notLaunched(_, let next): return ("not_launched", next)
        }
    }

    private static func json(_ explanation: DeliveryExplanation) -> [String: JSONValue] {
        let parts = parts(of: explanation.answer)
        let isMember: JSONValue =
            switch explanation.membership {
            case .member: true
            case .notMember: false
            case .unknown: .null
            }
        return [
            "dispatch_id": .string(explanation.send.dispatchName),
            "answer": .string(parts.code.rawValue),
            "reason": text(parts.reason), "time": time(parts.time), "in_audience": isMember,
            "variant": text(explanation.variant),
            "counted": .array((explanation.rule?.contacts ?? []).map { time($0.time) }),
            "devices": .array(explanation.devices.map(json)),
        ]
    }

    private static func json(_ history: DeliveryExplanation.DeviceHistory) -> JSONValue {
        let reach =
            switch history.reach {
            case .reachable: "reachable"
            case .noToken: "no_token"
            case .notAllowed: "not_allowed"
            case .notTheirs: "not_theirs"
            }
        return [
            "platform": text(history.device?.platform), "model": text(history.device?.model),
            "reach": .string(reach), "state": text(history.row.map { "\($0.state)" }),
            "reason": text(history.row?.reason),
        ]
    }

    private static func parts(
        of answer: DeliveryExplanation.Answer
    ) -> (code: Code, reason: String?, time: Date?) {
        switch answer {
        case .opened(let date): (.opened, nil, date)
        case .received(let date): (.received, nil, date)
        case .accepted(let date): (.accepted, nil, date)
        case .onItsWay: (.onItsWay, nil, nil)
        case .waiting(let reason, let date): (.waiting, reason, date)
        case .paused(let date): (.paused, nil, date)
        case .rejected(let reason): (.rejected, reason, nil)
        case .unknown(let reason): (.unknown, reason, nil)
        case .skipped(let reason): (.skipped, reason, nil)
        case .notPlanned: (.notPlanned, nil, nil)
        case .stopped: (.stopped, nil, nil)
        case .controlGroup: (.controlGroup, nil, nil)
        case .notInAudience: (.notInAudience, nil, nil)
        case .unsubscribed: (.unsubscribed, nil, nil)
        case .notOptedIn: (.notOptedIn, nil, nil)
        case .noDevice: (.noDevice, nil, nil)
        case .notReachable: (.notReachable, nil, nil)
        case .excluded(let reason): (.excluded, reason.rawValue, nil)
        case .rowsRemoved: (.rowsRemoved, nil, nil)
        case .leftOut: (.leftOut, nil, nil)
        }
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    private static func time(_ date: Date?) -> JSONValue {
        date.map { .string(Timestamp.format($0)) } ?? .null
    }
}
