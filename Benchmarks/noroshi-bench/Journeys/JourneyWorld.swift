import Foundation
import Model
import NoroshiWire

/// A random world that another program has made up: a journey, people, and what happens.
struct JourneyWorld: Decodable {
    struct Match: Decodable {
        var event: String
        /// Holds if the property is greater.
        var above: [String: Int]?

        var match: EventMatch {
            EventMatch(
                .custom(name: event),
                conditions: (above ?? [:]).sorted { $0.key < $1.key }.map {
                    PropertyCondition($0.key, .greaterThan, .integer(Int64($0.value)))
                }
            )
        }
    }

    struct Path: Decodable {
        var segment: String?
        var above: [String: Int]?
        var weight: Int?
        var next: UUID?
    }

    struct Step: Decodable {
        var id: UUID
        var kind: String
        var next: UUID?
        var seconds: Double?
        var late: UUID?
        var match: Match?
        var segment: String?
        var minutes: Int?
        var weekdays: [Int]?
        var paths: [Path]?
    }

    struct Definition: Decodable {
        var entry: Match
        var audience: String?
        /// `nil` means never.
        var reentry: Double?
        var exit_events: [Match]
        var exit_segments: [String]
        var goal: Match?
        var goal_window: Double?
        var ends_at_goal: Bool
        var steps: [Step]
    }

    struct Person: Decodable {
        var name: String
        var zone: String?
    }

    /// Something that happens, after which everything that is due is done.
    struct Act: Decodable {
        var at: Double
        var kind: String
        var person: Int?
        var event: String?
        var properties: [String: Int]?
        var time: Double?
        var segment: String?
        var joins: Bool?
        var version: Int?
        /// What becomes of those at removed steps; `nil` keeps everybody's version.
        var removed: [String: UUID]?
    }

    var journey: UUID
    var quiet: [Int]?
    var versions: [Definition]
    var people: [Person]
    var acts: [Act]
}

extension JourneyWorld.Definition {
    func definition(named name: String) throws -> JourneyDefinition {
        var definition = JourneyDefinition(
            name: name,
            entry: .event(entry.match),
            steps: try steps.map { try $0.step() }
        )
        definition.audience = audience.map(JourneyWorld.query)
        definition.reentry = reentry.map(Reeligibility.after) ?? .never
        definition.exits =
            exit_events.map { .event($0.match) }
            + exit_segments.map { .segment(JourneyWorld.query($0)) }
        definition.goal = goal.map {
            ConversionEvent(event: $0.match, window: goal_window ?? 86_400)
        }
        definition.endsAtGoal = ends_at_goal
        definition.quietHours = .sendAnyway
        return definition
    }
}

extension JourneyWorld.Step {
    func step() throws -> JourneyStep {
        JourneyStep(
            id: JourneyStepID(id),
            kind: try stepKind(),
            next: next.map { JourneyStepID($0) }
        )
    }

    private func stepKind() throws -> JourneyStepKind {
        let late = late.map { JourneyStepID($0) }
        switch kind {
        case "push":
            let message = CampaignMessage(PlatformMessage(PushMessage(body: id.uuidString)))
            return .push(
                JourneyPush(
                    variants: [CampaignVariant(apiID: id, name: "A", message: message)]
                )
            )
        case "update": return .update(JourneyUpdate(attributes: ["met": .string(id.uuidString)]))
        case "duration": return .wait(.duration(seconds ?? 0))
        case "clock":
            let time = TimeOfDay((minutes ?? 0) / 60, (minutes ?? 0) % 60)
            guard let time else { throw BenchError("a step has no time") }
            return .wait(
                .clock(JourneyClockTime(time: time, weekdays: Set(weekdays ?? [])))
            )
        case "event":
            guard let match else { throw BenchError("a step has no event") }
            return .wait(.event(match.match, limit: seconds ?? 0, late: late))
        case "match":
            let query = JourneyWorld.query(segment ?? "")
            return .wait(.match(query, limit: seconds ?? 0, late: late))
        case "quiet": return .wait(.quietHours)
        case "branch":
            return .branch(
                (paths ?? []).map { path in
                    JourneyPath(
                        name: "",
                        condition: path.segment.map { .segment(JourneyWorld.query($0)) }
                            ?? .properties(
                                (path.above ?? [:]).map {
                                    PropertyCondition(
                                        $0.key,
                                        .greaterThan,
                                        .integer(Int64($0.value))
                                    )
                                }
                            ),
                        next: path.next.map { JourneyStepID($0) }
                    )
                }
            )
        case "split":
            return .split(
                (paths ?? []).map {
                    JourneyShare(
                        name: "",
                        weight: $0.weight ?? 1,
                        next: $0.next.map { JourneyStepID($0) }
                    )
                }
            )
        case "jump": return .jump
        case "exit": return .exit
        default: throw BenchError("there is no step of the kind \(kind)")
        }
    }
}

extension JourneyWorld {
    /// A segment is a list that the world keeps, named by its filter.
    static func query(_ name: String) -> SegmentQuery { SegmentQuery(filter: name) }
}
