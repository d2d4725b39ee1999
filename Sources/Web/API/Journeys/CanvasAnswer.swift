import Foundation
import Model
import NoroshiWire

/// A journey as a canvas in the terms of the REST API.
struct CanvasAnswer {
    private let journey: Journey
    private let definition: JourneyDefinition

    init(_ journey: Journey, _ definition: JourneyDefinition) {
        self.journey = journey
        self.definition = definition
    }

    var details: [String: JSONValue] {
        let first = definition.steps.first.map { JSONValue.string($0.id.description) }
        return [
            "message": "success", "created_at": JourneyAnswer.time(journey.createdAt),
            "updated_at": JourneyAnswer.time(journey.updatedAt),
            "name": .string(definition.name), "description": .string(definition.note),
            "archived": .bool(journey.state == .archived),
            "draft": .bool(journey.version == nil), "enabled": .bool(journey.state == .active),
            "has_post_launch_draft": .bool(journey.hasUnpublishedChanges),
            "schedule_type": .string(scheduleType),
            "first_entry": JourneyAnswer.time(journey.firstEntryAt),
            "last_entry": JourneyAnswer.time(journey.lastEntryAt),
            "channels": .array(channels), "tags": .array(definition.tags.map(JSONValue.string)),
            "teams": [],
            "variants": [
                [
                    "name": .string(definition.name), "id": JourneyAnswer.text(journey.apiID),
                    "first_step_ids": .array(first.map { [$0] } ?? []),
                    "first_step_id": first ?? .null,
                ]
            ],
            "steps": .array(definition.steps.map(step)),
        ]
    }

    private var scheduleType: String {
        switch definition.entry {
        case .members: "time_based"
        case .event, .entering, .journey: "action_based"
        case .api: "api_triggered"
        }
    }

    private var channels: [JSONValue] {
        var found: [JSONValue] = []
        for channel in definition.steps.flatMap(Self.channels) where !found.contains(channel) {
            found.append(channel)
        }
        return found
    }

    private static func channels(_ step: JourneyStep) -> [JSONValue] {
        switch step.kind {
        case .push: MessagePlatform.allCases.map { .string($0.channel) }
        case .inAppMessage: ["trigger_in_app_message"]
        case .webhook: ["webhook"]
        case .update, .wait, .branch, .split, .jump, .enterJourney, .exit: []
        }
    }

    private static func type(_ kind: JourneyStepKind) -> String {
        switch kind {
        case .push, .inAppMessage, .webhook: "message"
        case .update: "user_update"
        case .wait(.event): "action_paths"
        case .wait: "delay"
        case .branch: "audience_paths"
        case .split: "experiment_step"
        case .jump: "jump"
        case .enterJourney: "enter_journey"
        case .exit: "exit"
        }
    }

    private func step(_ step: JourneyStep) -> JSONValue {
        var next: [JSONValue] = []
        for target in step.targets.compactMap(\.self) {
            let id = JSONValue.string(target.description)
            if !next.contains(id) { next.append(id) }
        }
        return [
            "name": .string(step.name), "type": .string(Self.type(step.kind)),
            "id": .string(step.id.description), "next_step_ids": .array(next),
            "next_paths": .array(
                Self.paths(step).map { name, target in
                    [
                        "name": .string(name),
                        "next_step_id": target.map { .string($0.description) } ?? .null,
                    ]
                }
            ),
            "channels": .array(Self.channels(step)), "messages": messages(of: step),
        ]
    }

    private static func paths(_ step: JourneyStep) -> [(String, JourneyStepID?)] {
        switch step.kind {
        case .branch(let paths): paths.map { ($0.name, $0.next) } + [("Everyone Else", step.next)]
        case .split(let shares): shares.map { ($0.name, $0.next) }
        case .wait(.event(_, _, let late)), .wait(.match(_, _, let late)):
            [("", step.next), ("Everyone Else", late)]
        case .push, .inAppMessage, .update, .webhook, .wait, .jump, .enterJourney:
            [("", step.next)]
        case .exit: []
        }
    }

    /// By `message_variation_id`, as of a campaign.
    private func messages(of step: JourneyStep) -> JSONValue {
        guard let content = definition.message(of: step) else {
            let channel = Self.channels(step).first
            return channel.map { .object([step.id.description: ["channel": $0]]) } ?? [:]
        }
        let campaign = Campaign(
            id: CampaignID(0),
            workspace: journey.workspace,
            apiID: step.id.uuid,
            state: .draft,
            content: content,
            createdAt: journey.createdAt,
            updatedAt: journey.updatedAt
        )
        return CampaignResponse(campaign).details["messages"] ?? [:]
    }
}
