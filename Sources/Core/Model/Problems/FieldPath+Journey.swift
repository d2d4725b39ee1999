extension FieldPath {
    /// A field of a journey.
    package enum Journey: Sendable, Hashable, CustomStringConvertible {
        case name, tags, reentry, audience
        case entry(Campaign.Event), entrySegment
        case exits, exit(Int, Campaign.Event), exitSegment(Int)
        case goal(Campaign.Event), goalWindow
        case steps
        /// Of the step at an index.
        case step(Int, Step)

        package var description: String {
            switch self {
            case .name: "name"
            case .tags: "tags"
            case .reentry: "reentry"
            case .audience: "audience"
            case .entry(let part): Campaign.text("entry.event", part)
            case .entrySegment: "entry.segment"
            case .exits: "exits"
            case .exit(let index, let part): Campaign.text("exits.\(index).event", part)
            case .exitSegment(let index): "exits.\(index).segment"
            case .goal(let part): Campaign.text("goal.event", part)
            case .goalWindow: "goal.window"
            case .steps: "steps"
            case .step(let index, let field): "steps.\(index).\(field)"
            }
        }
    }

    /// A field of a step of a journey.
    package enum Step: Sendable, Hashable, CustomStringConvertible {
        case id, name, next
        case variants, weight(Int), variantName(Int), controlShare
        /// Of a variant's message for all or for a platform.
        case message(variant: Int, MessagePlatform? = nil, Message)
        case inAppMessage, duration
        case attributes, attribute(String), lists
        case url, header(String), body
        case event(Campaign.Event), segment, limit, late, weekdays
        case paths, pathName(Int), pathSegment(Int), pathConditions(Int), pathNext(Int)
        case shares, shareName(Int), shareWeight(Int), shareNext(Int)
        case journey

        package var description: String {
            switch self {
            case .id: "id"
            case .name: "name"
            case .next: "next"
            case .variants: "variants"
            case .weight(let index): "variants.\(index).weight"
            case .variantName(let index): "variants.\(index).name"
            case .controlShare: "control_share"
            case .message(let variant, let platform, let field):
                "variants.\(variant).\(platform?.rawValue ?? "message").\(field)"
            case .inAppMessage: "in_app_message"
            case .duration: "duration"
            case .attributes: "attributes"
            case .attribute(let name): "attributes.\(name)"
            case .lists: "lists"
            case .url: "url"
            case .header(let name): "headers.\(name)"
            case .body: "body"
            case .event(let part): Campaign.text("event", part)
            case .segment: "segment"
            case .limit: "limit"
            case .late: "late"
            case .weekdays: "weekdays"
            case .paths: "paths"
            case .pathName(let index): "paths.\(index).name"
            case .pathSegment(let index): "paths.\(index).segment"
            case .pathConditions(let index): "paths.\(index).conditions"
            case .pathNext(let index): "paths.\(index).next"
            case .shares: "shares"
            case .shareName(let index): "shares.\(index).name"
            case .shareWeight(let index): "shares.\(index).weight"
            case .shareNext(let index): "shares.\(index).next"
            case .journey: "journey"
            }
        }
    }
}
