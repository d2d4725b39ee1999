import Foundation
import JSON
import Model
import NoroshiWire

/// The form of a journey in files and requests. Values that a new journey has are left out.
struct JourneyForm {
    enum Style {
        /// Steps are named by identifier, and each says what follows.
        case explicit
        /// Steps are named by name where only one has it, and lead to the one below unless they say
        /// otherwise.
        case readable
    }

    /// What leads to no step completes the journey.
    static let end = "end"

    private let names: ContentNames
    private let style: Style
    private let definition: JourneyDefinition
    private let stepNames: [JourneyStepID: String]

    init(_ definition: JourneyDefinition, names: ContentNames, style: Style) {
        self.definition = definition
        self.names = names
        self.style = style
        let counts = Dictionary(definition.steps.map { ($0.name, 1) }, uniquingKeysWith: +)
        var stepNames: [JourneyStepID: String] = [:]
        if style == .readable {
            for step in definition.steps
            where counts[step.name] == 1 && JourneyForm.isName(step.name) {
                stepNames[step.id] = step.name
            }
        }
        self.stepNames = stepNames
    }

    /// Whether a step can be named so.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != end && UUID(uuidString: text) == nil
    }

    func members() throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "name": .string(definition.name), "entry": try entry(definition.entry),
            "steps": .array(
                try definition.steps.enumerated().map { index, step in
                    try self.step(step, following: following(index))
                }
            ),
        ]
        if !definition.note.isEmpty { members["note"] = .string(definition.note) }
        if !definition.tags.isEmpty {
            members["tags"] = .array(definition.tags.map(JSONValue.string))
        }
        if let audience = definition.audience { members["audience"] = try query(audience) }
        if case .after(let pause) = definition.reentry {
            members["reentry"] = ["after": Self.seconds(pause)]
        }
        if !definition.exits.isEmpty {
            members["exits"] = .array(
                try definition.exits.map { rule in
                    switch rule {
                    case .event(let match): ["event": try ReadableForm.value(of: match)]
                    case .segment(let query): ["segment": try self.query(query)]
                    }
                }
            )
        }
        members["goal"] = try definition.goal.map(GoalForm.value)
        if definition.endsAtGoal { members["ends_at_goal"] = true }
        if definition.isExemptFromCaps { members["is_exempt_from_caps"] = true }
        if definition.quietHours != .delay {
            members["quiet_hours"] = .string(definition.quietHours.rawValue)
        }
        return members
    }

    // MARK: Parts

    private func entry(_ rule: JourneyEntryRule) throws -> JSONValue {
        switch rule {
        case .event(let match):
            return ["type": "event", "event": try ReadableForm.value(of: match)]
        case .members(let query, let at):
            var members: [String: JSONValue] = [
                "type": "members", "segment": try self.query(query),
            ]
            members["at"] = at.map { .string(Timestamp.format($0)) }
            return .object(members)
        case .entering(let query):
            return ["type": "entering", "segment": try self.query(query)]
        case .api: return ["type": "api"]
        case .journey: return ["type": "journey"]
        }
    }

    private func query(_ query: SegmentQuery) throws -> JSONValue {
        try names.audience(query) ?? .object([:])
    }

    private func following(_ index: Int) -> JourneyStepID? {
        index + 1 < definition.steps.count ? definition.steps[index + 1].id : nil
    }

    private func target(_ id: JourneyStepID?) -> JSONValue {
        guard let id else { return .string(Self.end) }
        return .string(stepNames[id] ?? id.description)
    }

    private func step(_ step: JourneyStep, following: JourneyStepID?) throws -> JSONValue {
        var members = try kind(step.kind)
        members["id"] = .string(step.id.description)
        members["type"] = .string(step.kind.formType)
        if !step.name.isEmpty { members["name"] = .string(step.name) }
        switch step.kind {
        case .exit, .split: break
        default:
            if style == .explicit || step.next != following {
                members["next"] = target(step.next)
            }
        }
        return .object(members)
    }

    private func kind(_ kind: JourneyStepKind) throws -> [String: JSONValue] {
        switch kind {
        case .push(let push):
            var members: [String: JSONValue] = [
                "variants": try variants(push.variants)
            ]
            if push.controlShare != 0 {
                members["control_share"] = .integer(Int64(push.controlShare))
            }
            return members
        case .inAppMessage(let shown):
            return [
                "in_app_message": .string(names.inAppMessage(shown.message)),
                "duration": Self.seconds(shown.duration),
            ]
        case .update(let update): return self.update(update)
        case .webhook(let webhook): return self.webhook(webhook)
        case .wait(let wait): return try self.wait(wait)
        case .branch(let paths): return ["paths": .array(try paths.map(path))]
        case .split(let shares): return ["shares": .array(shares.map(share))]
        case .jump: return [:]
        case .enterJourney(let id):
            return ["journey": .string(names.journey(id))]
        case .exit: return [:]
        }
    }

    private func variants(_ variants: [CampaignVariant]) throws -> JSONValue {
        let content = CampaignContent(name: "", variants: variants)
            .changingMessages { message, _ in names.named(message) }
        return try CampaignForm.members(of: content)["variants"] ?? []
    }

    private func update(_ update: JourneyUpdate) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if !update.attributes.isEmpty { members["attributes"] = .object(update.attributes) }
        var lists: [String: JSONValue] = [:]
        if !update.addToLists.isEmpty {
            lists["add"] = .array(update.addToLists.map { .string(names.list($0)) })
        }
        if !update.removeFromLists.isEmpty {
            lists["remove"] = .array(update.removeFromLists.map { .string(names.list($0)) })
        }
        if !lists.isEmpty { members["lists"] = .object(lists) }
        return members
    }

    private func webhook(_ webhook: JourneyWebhook) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["url": .string(webhook.url)]
        if webhook.method != .post { members["method"] = .string(webhook.method.rawValue) }
        if !webhook.headers.isEmpty {
            members["headers"] = .object(webhook.headers.mapValues(JSONValue.string))
        }
        if !webhook.body.isEmpty { members["body"] = .string(webhook.body) }
        return members
    }

    private func wait(_ wait: JourneyWait) throws -> [String: JSONValue] {
        switch wait {
        case .duration(let seconds): return ["duration": Self.seconds(seconds)]
        case .clock(let clock):
            var members: [String: JSONValue] = [
                "time": .string(clock.time.description)
            ]
            if !clock.weekdays.isEmpty {
                members["weekdays"] = .array(
                    clock.weekdays.sorted().map { .integer(Int64($0)) }
                )
            }
            return members
        case .event(let match, let limit, let late):
            return [
                "event": try ReadableForm.value(of: match),
                "limit": Self.seconds(limit), "late": target(late),
            ]
        case .match(let query, let limit, let late):
            return [
                "segment": try self.query(query),
                "limit": Self.seconds(limit), "late": target(late),
            ]
        case .quietHours: return [:]
        }
    }

    private func path(_ path: JourneyPath) throws -> JSONValue {
        var members: [String: JSONValue] = ["next": target(path.next)]
        if !path.name.isEmpty { members["name"] = .string(path.name) }
        switch path.condition {
        case .segment(let query): members["segment"] = try self.query(query)
        case .properties(let conditions):
            members["conditions"] = try ReadableForm.value(of: conditions)
        }
        return .object(members)
    }

    private func share(_ share: JourneyShare) -> JSONValue {
        var members: [String: JSONValue] = ["next": target(share.next)]
        if !share.name.isEmpty { members["name"] = .string(share.name) }
        if share.weight != 1 { members["weight"] = .integer(Int64(share.weight)) }
        if share.isControl { members["is_control"] = true }
        return .object(members)
    }

    private static func seconds(_ seconds: TimeInterval) -> JSONValue {
        Int64(exactly: seconds).map(JSONValue.integer) ?? .number(seconds)
    }
}

extension JourneyStepKind {
    /// What the form calls steps of this kind.
    package var formType: String {
        switch self {
        case .push: "push"
        case .inAppMessage: "in_app_message"
        case .update: "update"
        case .webhook: "webhook"
        case .wait(.duration): "wait"
        case .wait(.clock): "wait_for_time"
        case .wait(.event): "wait_for_event"
        case .wait(.match): "wait_for_match"
        case .wait(.quietHours): "wait_for_quiet_hours"
        case .branch: "branch"
        case .split: "split"
        case .jump: "jump"
        case .enterJourney: "enter_journey"
        case .exit: "exit"
        }
    }

    /// The names of the paths or shares, by index.
    package var pathNames: [String] {
        switch self {
        case .branch(let paths): paths.map(\.name)
        case .split(let shares): shares.map(\.name)
        default: []
        }
    }
}
