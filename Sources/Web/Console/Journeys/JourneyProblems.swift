import Foundation
import Model
import WebPages

/// What keeps a definition from being published, in words, at the step that it concerns.
struct JourneyProblems {
    private(set) var steps: [JourneyStepID: [String]] = [:]
    private(set) var rules: [String] = []

    init(_ problems: [FieldProblem], of definition: JourneyDefinition, words: Words) {
        for problem in problems {
            let text = words(problem.reason)
            switch problem.path {
            case .journey(.step(let index, let field))
            where definition.steps.indices.contains(index):
                let id = definition.steps[index].id
                let label = field.wordKey.map { "\(words($0)): \(text)" } ?? text
                if steps[id]?.contains(label) != true { steps[id, default: []].append(label) }
            case .journey(let field):
                let label = field.wordKey.map { "\(words($0)): \(text)" } ?? text
                if !rules.contains(label) { rules.append(label) }
            default: rules.append(text)
            }
        }
    }

    var isEmpty: Bool { steps.isEmpty && rules.isEmpty }
}

extension FieldPath.Journey {
    /// What the rules' form calls the field; `nil` where the problem says it all.
    fileprivate var wordKey: String? {
        switch self {
        case .name: "segments.name"
        case .tags: "campaigns.tags"
        case .reentry: "journeys.reentry"
        case .audience: "journeys.audience"
        case .entry, .entrySegment: "journeys.entry"
        case .exits, .exit, .exitSegment: "journeys.exits"
        case .goal, .goalWindow: "journeys.goal"
        case .steps, .step: nil
        }
    }
}

extension FieldPath.Step {
    /// What the step's form calls the field; `nil` where the problem says it all.
    fileprivate var wordKey: String? {
        switch self {
        case .id, .next, .paths, .shares, .journey, .inAppMessage, .pathNext, .shareNext, .late:
            nil
        case .name: "segments.name"
        case .variants, .weight, .variantName, .shareWeight, .shareName: "campaigns.variants"
        case .controlShare: "campaigns.control"
        case .message(_, _, let field): field.journeyWordKey
        case .duration, .limit: "journeys.time"
        case .attributes, .attribute: "condition.attribute"
        case .lists: "lists.title"
        case .url: "journeys.url"
        case .header: "journeys.headers"
        case .body: "journeys.body"
        case .event: "condition.event"
        case .segment, .pathSegment, .pathConditions, .pathName: "journeys.path_condition"
        case .weekdays: "campaigns.weekdays"
        }
    }
}

extension FieldPath.Message {
    fileprivate var journeyWordKey: String? {
        switch self {
        case .title: "compose.title"
        case .subtitle: "compose.subtitle"
        case .body: "compose.message"
        case .uri: "compose.url"
        case .attachment: "compose.image"
        default: nil
        }
    }
}
