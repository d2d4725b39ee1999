import Campaigns
import Foundation
import Model
import Reasons

/// Validates what a journey does; every problem names its field.
package struct JourneyValidator {
    package static let stepLimit = 100
    package static let pathLimit = 10
    package static let exitLimit = 10
    package static let listLimit = 10
    package static let attributeLimit = 50
    package static let headerLimit = 20
    /// The longest wait, in days.
    private static let maxDays = 366
    /// The longest time in which a goal counts, in days.
    private static let goalDays = 30

    private let definition: JourneyDefinition
    private let indices: [JourneyStepID: Int]
    private var problems: [FieldProblem] = []

    private init(_ definition: JourneyDefinition) {
        self.definition = definition
        indices = Dictionary(
            definition.steps.enumerated().map { ($1.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// What must hold for a draft, which may be incomplete.
    package static func draftProblems(of definition: JourneyDefinition) -> [FieldProblem] {
        var validator = JourneyValidator(definition)
        validator.checkFrame()
        validator.checkTimes()
        return validator.problems
    }

    /// What must hold for a version, apart from what is looked up in the workspace.
    package static func problems(of definition: JourneyDefinition) -> [FieldProblem] {
        var validator = JourneyValidator(definition)
        validator.checkFrame()
        validator.checkRules()
        for (index, step) in definition.steps.enumerated() { validator.check(step, index) }
        validator.checkGraph()
        return validator.problems
    }

    private mutating func report(
        _ field: FieldPath.Journey,
        _ code: FieldReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        problems.append(FieldProblem(.journey(field), code, arguments))
    }

    private mutating func report(
        _ step: Int,
        _ field: FieldPath.Step,
        _ code: FieldReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        report(.step(step, field), code, arguments)
    }

    private mutating func checkFrame() {
        if definition.name.isEmpty || definition.name.count > 250 {
            report(.name, .characters, ["count": "250"])
        }
        if definition.tags.count > 50 || definition.tags.contains(where: \.isEmpty) {
            report(.tags, .labelLimit)
        }
        if definition.steps.count > Self.stepLimit {
            report(.steps, .stepCount, ["count": "\(Self.stepLimit)"])
        }
        if indices.count < definition.steps.count { report(.steps, .duplicateIdentifier) }
    }

    /// What no calendar holds is refused at once; that a time is still too short keeps a draft only
    /// from being published.
    private mutating func checkTimes() {
        let days = 0...Double(Self.maxDays) * 86_400
        if case .after(let pause) = definition.reentry, !days.contains(pause) {
            report(.reentry, .mostDays, ["count": "\(Self.maxDays)"])
        }
        if let goal = definition.goal, !(0...Double(Self.goalDays) * 86_400).contains(goal.window) {
            report(.goalWindow, .window, ["count": "\(Self.goalDays)"])
        }
        for (index, step) in definition.steps.enumerated() {
            let time: (TimeInterval, FieldPath.Step)? =
                switch step.kind {
                case .inAppMessage(let shown): (shown.duration, .duration)
                case .wait(.duration(let seconds)): (seconds, .duration)
                case .wait(.event(_, let limit, _)), .wait(.match(_, let limit, _)):
                    (limit, .limit)
                case .push, .update, .webhook, .wait, .branch, .split, .jump, .enterJourney, .exit:
                    nil
                }
            if let (seconds, field) = time, !days.contains(seconds) {
                report(index, field, .window, ["count": "\(Self.maxDays)"])
            }
        }
    }

    // MARK: Rules

    private mutating func checkRules() {
        if definition.steps.isEmpty {
            report(.steps, .stepCount, ["count": "\(Self.stepLimit)"])
        }
        if case .event(let event) = definition.entry {
            problems += CampaignValidator.problems(of: event) { .journey(.entry($0)) }
        }
        if case .after(let pause) = definition.reentry,
            !(0...Double(Self.maxDays) * 86_400).contains(pause)
        {
            report(.reentry, .mostDays, ["count": "\(Self.maxDays)"])
        }
        if definition.exits.count > Self.exitLimit {
            report(.exits, .mostElements, ["count": "\(Self.exitLimit)"])
        }
        for (index, rule) in definition.exits.enumerated() {
            guard case .event(let event) = rule else { continue }
            problems += CampaignValidator.problems(of: event) { .journey(.exit(index, $0)) }
        }
        guard let goal = definition.goal else { return }
        problems += CampaignValidator.problems(of: goal.event) { .journey(.goal($0)) }
        if !(60...Double(Self.goalDays) * 86_400).contains(goal.window) {
            report(.goalWindow, .window, ["count": "\(Self.goalDays)"])
        }
    }

    // MARK: Steps

    private mutating func check(_ step: JourneyStep, _ index: Int) {
        if step.name.count > 250 { report(index, .name, .charactersAtMost, ["count": "250"]) }
        checkTarget(step.next, index, .next)
        switch step.kind {
        case .push: checkPush(step, index)
        case .inAppMessage(let shown): checkSeconds(shown.duration, index, .duration)
        case .update(let update): check(update, index)
        case .webhook(let webhook): check(webhook, index)
        case .wait(let wait): check(wait, index)
        case .branch(let paths): check(paths, index)
        case .split(let shares): check(shares, index)
        case .jump, .exit, .enterJourney: break
        }
    }

    private mutating func checkTarget(
        _ target: JourneyStepID?,
        _ index: Int,
        _ field: FieldPath.Step
    ) {
        if let target, indices[target] == nil { report(index, field, .noStep) }
    }

    private mutating func checkSeconds(
        _ seconds: TimeInterval,
        _ index: Int,
        _ field: FieldPath.Step
    ) {
        if !(60...Double(Self.maxDays) * 86_400).contains(seconds) {
            report(index, field, .window, ["count": "\(Self.maxDays)"])
        }
    }

    /// By the rules of campaigns, whose fields are then those of the step.
    private mutating func checkPush(_ step: JourneyStep, _ index: Int) {
        guard var content = definition.message(of: step) else { return }
        // What the step does not say is checked where the journey says it.
        content.name = "-"
        content.tags = []
        content.conversions = []
        do {
            try CampaignValidator.check(content)
        } catch {
            problems += error.problems.map { Self.problem($0, ofStep: index) }
        }
    }

    /// A problem of a push's content as one of its step.
    static func problem(_ problem: FieldProblem, ofStep index: Int) -> FieldProblem {
        guard case .campaign(let field) = problem.path else { return problem }
        let own: FieldPath.Step? =
            switch field {
            case .variants: .variants
            case .weight(let variant): .weight(variant)
            case .variantName(let variant): .variantName(variant)
            case .controlShare: .controlShare
            case .message(let variant, let platform, let field?):
                .message(variant: variant, platform, field)
            default: nil
            }
        return own.map { FieldProblem(.journey(.step(index, $0)), problem.reason) } ?? problem
    }

    private mutating func check(_ update: JourneyUpdate, _ index: Int) {
        let lists = update.addToLists + update.removeFromLists
        if update.attributes.isEmpty, lists.isEmpty { report(index, .attributes, .changesNothing) }
        if update.attributes.count > Self.attributeLimit {
            report(index, .attributes, .mostElements, ["count": "\(Self.attributeLimit)"])
        }
        if lists.count > Self.listLimit {
            report(index, .lists, .mostElements, ["count": "\(Self.listLimit)"])
        }
        for name in update.attributes.keys.sorted() where name.isEmpty || name.count > 255 {
            report(index, .attribute(name), .characters, ["count": "255"])
        }
    }

    private mutating func check(_ wait: JourneyWait, _ index: Int) {
        switch wait {
        case .duration(let seconds): checkSeconds(seconds, index, .duration)
        case .clock(let clock):
            if !clock.weekdays.allSatisfy((1...7).contains) { report(index, .weekdays, .weekdays) }
        case .event(let event, let limit, let late):
            problems += CampaignValidator.problems(of: event) {
                .journey(.step(index, .event($0)))
            }
            checkSeconds(limit, index, .limit)
            checkTarget(late, index, .late)
        case .match(_, let limit, let late):
            checkSeconds(limit, index, .limit)
            checkTarget(late, index, .late)
        case .quietHours: break
        }
    }

    private mutating func check(_ paths: [JourneyPath], _ index: Int) {
        if !(1...Self.pathLimit).contains(paths.count) {
            report(index, .paths, .pathCount, ["count": "\(Self.pathLimit)"])
        }
        for (number, path) in paths.enumerated() {
            checkTarget(path.next, index, .pathNext(number))
            if path.name.count > 250 {
                report(index, .pathName(number), .charactersAtMost, ["count": "250"])
            }
            guard case .properties(let conditions) = path.condition else { continue }
            if conditions.isEmpty || conditions.contains(where: \.property.isEmpty) {
                report(index, .pathConditions(number), .conditionWithoutProperty)
            }
        }
    }

    private mutating func check(_ shares: [JourneyShare], _ index: Int) {
        if !(2...Self.pathLimit).contains(shares.count) {
            report(index, .shares, .shareCount, ["count": "\(Self.pathLimit)"])
        }
        if !shares.contains(where: { $0.weight > 0 }) { report(index, .shares, .needsShare) }
        for (number, share) in shares.enumerated() {
            checkTarget(share.next, index, .shareNext(number))
            if share.name.count > 250 {
                report(index, .shareName(number), .charactersAtMost, ["count": "250"])
            }
            if !(0...1_000).contains(share.weight) {
                report(index, .shareWeight(number), .range, ["first": "0", "last": "1000"])
            }
        }
    }

    private mutating func check(_ webhook: JourneyWebhook, _ index: Int) {
        if !webhook.url.hasPrefix("https://") && !webhook.url.hasPrefix("{") {
            report(index, .url, .secureAddress)
        }
        if webhook.headers.count > Self.headerLimit {
            report(index, .url, .mostElements, ["count": "\(Self.headerLimit)"])
        }
        for name in webhook.headers.keys.sorted() where !Self.isHeaderName(name) {
            report(index, .header(name), .headerName)
        }
        if webhook.body.utf8.count > 65_536 { report(index, .body, .bytes, ["count": "65536"]) }
    }

    private static func isHeaderName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
                    || (0x61...0x7a).contains(byte) || byte == 0x2d
            }
    }

    // MARK: Graph

    private mutating func checkGraph() {
        guard let first = definition.steps.first else { return }
        var reached: Set<JourneyStepID> = [first.id]
        var open = [first]
        while let step = open.popLast() {
            for target in step.targets.compactMap(\.self) where reached.insert(target).inserted {
                if let index = indices[target] { open.append(definition.steps[index]) }
            }
        }
        for (index, step) in definition.steps.enumerated() {
            if !reached.contains(step.id) { report(index, .id, .stepUnreached) }
            if comesBackAtOnce(to: step) { report(index, .next, .stepCircle) }
        }
    }

    /// Whether a person can come from a step to itself at one moment.
    private func comesBackAtOnce(to start: JourneyStep) -> Bool {
        guard !start.kind.alwaysWaits else { return false }
        var seen: Set<JourneyStepID> = []
        var open = [start]
        while let step = open.popLast() {
            for target in step.targets.compactMap(\.self) {
                if target == start.id { return true }
                guard let index = indices[target], seen.insert(target).inserted,
                    !definition.steps[index].kind.alwaysWaits
                else { continue }
                open.append(definition.steps[index])
            }
        }
        return false
    }
}

extension JourneyStepKind {
    /// Whether nobody passes it at the moment of their arrival.
    fileprivate var alwaysWaits: Bool {
        switch self {
        case .wait(.duration), .wait(.clock), .wait(.event): true
        case .push, .inAppMessage, .update, .webhook, .wait(.match), .wait(.quietHours), .branch,
            .split, .jump, .enterJourney, .exit:
            false
        }
    }
}
