import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// Validates in-app messages.
enum InAppMessageValidator {
    static let nameLimit = 250
    private static let textBytes = 100 * 1024
    private static let extrasLimit = 50
    private static let triggerLimit = 10
    private static let filterLimit = 20
    private static let delayLimit: Double = 86_400
    private static let impressionLimit = 1000

    private static let otherLimit = 7
    private static let weightLimit = 1000
    /// Maximum time between the message and the goal, in days.
    private static let goalDays = 30

    /// Everything that is wrong, field by field.
    static func problems(_ stored: InAppMessageDefinition) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func refuse(_ field: FieldPath.InApp, _ code: FieldReason, _ count: Int? = nil) {
            problems.append(
                FieldProblem(.inApp(field), code, count.map { ["count": "\($0)"] } ?? [:])
            )
        }
        if !(1...nameLimit).contains(stored.name.count) {
            refuse(.name, .characters, nameLimit)
        }
        let experiment = stored.experiment
        if !(0...99).contains(experiment.controlShare) {
            refuse(.controlShare, .fromZero, 99)
        }
        if experiment.others.count > otherLimit {
            refuse(.others, .mostElements, otherLimit)
        }
        let areValid = experiment.weights.allSatisfy { (0...weightLimit).contains($0) }
        if experiment.weights.count != experiment.others.count + 1 || !areValid {
            refuse(.weights, .numbers, weightLimit)
        } else if !experiment.weights.contains(where: { $0 > 0 }) {
            refuse(.weights, .needsWeight)
        }
        for (index, content) in stored.contents.enumerated() {
            problems += contentProblems(content, variant: index)
        }
        if let goal = stored.goal {
            problems += CampaignValidator.problems(of: goal.event) { .inApp(.goal($0)) }
            if !(60...Double(goalDays) * 86_400).contains(goal.window) {
                refuse(.goalWindow, .window, goalDays)
            }
        }
        return problems + self.problems(stored.message.rules)
    }

    /// What is wrong with what people see of a message.
    private static func contentProblems(
        _ message: InAppMessage,
        variant: Int
    ) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func refuse(
            _ field: FieldPath.InApp.Content,
            _ code: FieldReason,
            _ arguments: [String: Reason.Argument] = [:]
        ) {
            let path = FieldPath.inApp(.content(variant: variant, field))
            problems.append(FieldProblem(path, code, arguments))
        }
        if message.message.utf8.count > textBytes {
            refuse(.text, .bytes, ["count": "\(textBytes)"])
        }
        let translations = message.translations ?? [:]
        if translations.count > MessageLanguage.limit {
            refuse(.translations, .workspaceLanguages, ["count": "\(MessageLanguage.limit)"])
        }
        for (code, texts) in translations.sorted(by: { $0.key < $1.key }) {
            if !MessageLanguage.isCode(code) {
                refuse(.translations, .noLanguage, ["text": .text(code)])
            }
            if (texts.message ?? "").utf8.count > textBytes {
                refuse(.translated(code, .text), .bytes, ["count": "\(textBytes)"])
            }
        }
        let needsText: Set<InAppMessage.Kind> = [.slideup, .modal, .full, .html]
        if needsText.contains(message.kind), message.message.isEmpty {
            refuse(.text, .needsText)
        }
        let needsPicture: Set<InAppMessage.Kind> = [.modalImage, .fullImage]
        if needsPicture.contains(message.kind), (message.imageURL ?? "").isEmpty {
            refuse(.imageURL, .needsPicture, ["type": "\(message.kind.rawValue)"])
        }
        let buttons = message.buttons ?? []
        if buttons.count > 2 { refuse(.buttons, .mostTwo) }
        if Set(buttons.map(\.id)).count < buttons.count {
            refuse(.buttons, .needsButtonIDs)
        }
        if !isOpenable(message.clickAction) { refuse(.clickURL, .openableAddress) }
        for (index, button) in buttons.enumerated() where !isOpenable(button.clickAction) {
            refuse(.buttonURL(index), .openableAddress)
        }
        if (message.extras ?? [:]).count > extrasLimit {
            refuse(.extras, .mostElements, ["count": "\(extrasLimit)"])
        }
        if let seconds = message.closesAfterSeconds, !(seconds > 0 && seconds <= delayLimit) {
            refuse(.closesAfter, .positive, ["count": "86400"])
        }
        return problems
    }

    /// Whether an app can open what a tap leads to, if it leads to an address.
    private static func isOpenable(_ action: InAppMessage.ClickAction?) -> Bool {
        guard case .url(let address, _)? = action else { return true }
        return LinkAddress.mayBeOpenable(address)
    }

    private static func problems(_ rules: InAppMessageRules) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func refuse(_ field: FieldPath.InApp.Rules, _ code: FieldReason, _ count: Int? = nil) {
            let arguments: [String: Reason.Argument] = count.map { ["count": "\($0)"] } ?? [:]
            problems.append(FieldProblem(.inApp(.rules(field)), code, arguments))
        }
        if !(1...triggerLimit).contains(rules.triggers.count) {
            refuse(.triggers, .elements, triggerLimit)
        }
        for (index, trigger) in rules.triggers.enumerated() {
            switch trigger {
            case .event(let name, let filters):
                if !(1...255).contains(name.count) {
                    refuse(.triggerName(index), .characters, 255)
                }
                if filters.count > filterLimit {
                    refuse(.triggerFilters(index), .mostElements, filterLimit)
                }
            case .purchase(_, let filters):
                if filters.count > filterLimit {
                    refuse(.triggerFilters(index), .mostElements, filterLimit)
                }
            case .sessionStart, .pushOpen: break
            }
        }
        if !(0...delayLimit).contains(rules.delaySeconds) {
            refuse(.delay, .fromZero, 86_400)
        }
        if let limit = rules.impressionLimit, !(1...impressionLimit).contains(limit) {
            refuse(.impressionLimit, .oneOrNoLimit, impressionLimit)
        }
        if let interval = rules.intervalSeconds, !(interval >= 0 && interval <= 366 * 86_400) {
            refuse(.interval, .upToAYear)
        }
        if let start = rules.startsAtMilliseconds, let end = rules.expiresAtMilliseconds,
            end <= start
        {
            refuse(.end, .afterStart)
        }
        return problems
    }
}
