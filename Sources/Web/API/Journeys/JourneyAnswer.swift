import ContentFiles
import Experiments
import Foundation
import Journeys
import Model
import NoroshiWire

/// A journey in the terms of the REST API.
struct JourneyAnswer {
    let journey: Journey

    init(_ journey: Journey) {
        self.journey = journey
    }

    static func text(_ id: UUID) -> JSONValue { .string(id.uuidString.lowercased()) }

    static func time(_ date: Date?) -> JSONValue {
        date.map { .string(Timestamp.format($0)) } ?? .null
    }

    static func number(_ count: Int) -> JSONValue { .integer(Int64(count)) }

    static func target(_ step: JourneyStepID?) -> JSONValue {
        .string(step?.description ?? "end")
    }

    var summary: [String: JSONValue] {
        [
            "journey_id": Self.text(journey.apiID), "name": .string(journey.draft.name),
            "state": .string(journey.state.rawValue),
            "version": journey.version.map(Self.number) ?? .null,
            "has_unpublished_changes": .bool(journey.hasUnpublishedChanges),
            "tags": .array(journey.draft.tags.map(JSONValue.string)),
            "created_at": Self.time(journey.createdAt),
            "updated_at": Self.time(journey.updatedAt),
            "started_at": Self.time(journey.startedAt),
            "first_entry_at": Self.time(journey.firstEntryAt),
            "last_entry_at": Self.time(journey.lastEntryAt),
        ]
    }

    static func problems(_ problems: [FieldProblem]) -> JSONValue {
        .array(
            problems.map { ["field": .string($0.field), "message": .string($0.message)] }
        )
    }

    // MARK: Figures

    /// - Parameter steps: Those of the present version, then those of earlier ones.
    static func figures(
        _ figures: JourneyFigures,
        steps: [JourneyStep]
    ) -> [String: JSONValue] {
        let known = Set(steps.map(\.id))
        let gone = figures.steps.keys.filter { !known.contains($0) }.sorted()
        let rows =
            steps.map { row($0.id, $0, figures) } + gone.map { row($0, nil, figures) }
        return [
            "entered": number(figures.entered), "inside": number(figures.inside),
            "converted": number(figures.converted),
            "ended": .object(
                Dictionary(
                    uniqueKeysWithValues: figures.ended.map { ($0.rawValue, number($1)) }
                )
            ),
            "steps": .array(rows),
        ]
    }

    private static func row(
        _ id: JourneyStepID,
        _ step: JourneyStep?,
        _ figures: JourneyFigures
    ) -> JSONValue {
        let counts = figures.steps[id] ?? JourneyStepFigures()
        let names = step?.kind.pathNames ?? []
        let indices = Set(counts.paths.keys).union(names.indices).sorted()
        return [
            "step_id": .string(id.description), "name": step.map { .string($0.name) } ?? .null,
            "type": step.map { .string($0.kind.formType) } ?? .null,
            "entered": number(counts.entered), "waiting": number(counts.waiting),
            "passed": number(counts.passed), "late": number(counts.late),
            "left": number(counts.left), "converted": number(counts.converted),
            "failed": number(counts.failed),
            "paths": .array(
                indices.map { index in
                    [
                        "index": number(index),
                        "name": names.indices.contains(index) ? .string(names[index]) : .null,
                        "users": number(counts.paths[index] ?? 0),
                    ]
                }
            ),
        ]
    }

    static func split(_ split: JourneySplit) -> JSONValue {
        func id(_ group: ExperimentGroup) -> JSONValue {
            split.groups.first { $0.identity == group }.map { .string("\($0.index)") } ?? "control"
        }
        let baseline = split.experiment.arms.first?.sample.mean ?? 0
        let required = split.requiredUsers(baseline: baseline)
        return [
            "message": "success", "smallest_lift": .number(split.smallestLift),
            "groups": .array(
                split.groups.map { group in
                    [
                        "id": id(group.identity), "name": .string(group.name),
                        "is_control": .bool(group.identity == .control),
                        "share": number(group.weight), "users": number(group.users),
                        "converted": number(group.converted),
                    ]
                }
            ),
            "split": split.split.map {
                ["probability": .number($0.probability), "is_alarm": .bool($0.isAlarm)]
            } ?? .null,
            "required_users": required.map {
                ["sequential": number($0.sequential), "fixed": number($0.fixed)]
            } ?? .null,
            "conversions": ExperimentMeasureAnswer(
                split.experiment,
                name: "conversions",
                isRate: true,
                id: id
            ).json,
        ]
    }

    // MARK: People

    static func person(_ entry: JourneyEntry, _ profile: Profile?) -> [String: JSONValue] {
        [
            "external_id": profile?.externalID.map(JSONValue.string) ?? .null,
            "braze_id": (profile?.publicID).map(text) ?? .null,
            "entry": number(entry.number), "version": number(entry.version),
            "entered_at": time(entry.enteredAt),
            "step_id": (entry.position?.step).map { .string($0.description) } ?? .null,
            "since": time(entry.position?.arrivedAt), "due_at": time(entry.position?.dueAt),
            "end": (entry.end?.rawValue).map(JSONValue.string) ?? .null,
            "ended_at": time(entry.endedAt), "converted_at": time(entry.convertedAt),
        ]
    }

    static func explanation(
        _ explanation: JourneyExplanation,
        of profile: Profile
    ) throws -> JSONValue {
        var answer = person(explanation.entry, profile)
        answer["journey_id"] = text(explanation.journey.apiID)
        answer["name"] = .string(explanation.definition.name)
        answer["state"] = .string(explanation.journey.state.rawValue)
        answer["step"] =
            explanation.step.map {
                ["name": .string($0.name), "type": .string($0.kind.formType)]
            } ?? .null
        answer["next"] = try next(explanation.next)
        let properties = explanation.entry.properties
        answer["properties"] = .object(properties.event.merging(properties.trigger) { $1 })
        answer["passages"] = .array(
            explanation.passages.map { passage in
                let step = explanation.definition.step(passage.step)
                let names = step?.kind.pathNames ?? []
                let path = passage.path.map {
                    names.indices.contains($0) && !names[$0].isEmpty ? names[$0] : "\($0)"
                }
                return [
                    "step_id": .string(passage.step.description),
                    "name": step.map { .string($0.name) } ?? .null,
                    "type": step.map { .string($0.kind.formType) } ?? .null,
                    "version": number(passage.version), "arrived_at": time(passage.arrivedAt),
                    "left_at": time(passage.leftAt),
                    "outcome": .string(passage.outcome.rawValue),
                    "path": path.map(JSONValue.string) ?? .null,
                    "push_no": (passage.send?.rawValue).map(JSONValue.integer) ?? .null,
                ]
            }
        )
        return .object(answer)
    }

    private static func next(_ next: JourneyExplanation.Next) throws -> JSONValue {
        switch next {
        case .time(let date, let step):
            ["when": "time", "at": time(date), "to": target(step)]
        case .event(let match, let step, let until, let late):
            [
                "when": "event", "event": try JourneyForms.value(of: match), "to": target(step),
                "at": time(until), "late": target(late),
            ]
        case .match(_, let step, let until, let late):
            ["when": "match", "to": target(step), "at": time(until), "late": target(late)]
        case .atOnce(let step): ["when": "at_once", "to": target(step)]
        case .whenResumed: ["when": "when_resumed"]
        case .over(let end, let date):
            ["when": "over", "at": time(date), "end": .string(end.rawValue)]
        }
    }
}
