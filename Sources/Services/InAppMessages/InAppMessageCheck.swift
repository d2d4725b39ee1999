import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports

/// Validates in-app messages.
enum InAppMessageCheck {
    static let nameLimit = 250
    private static let textBytes = 100 * 1024
    private static let extrasLimit = 50
    private static let triggerLimit = 10
    private static let filterLimit = 20
    private static let delayLimit: Double = 86_400
    private static let impressionLimit = 1000

    private static let otherLimit = 7
    private static let weightLimit = 1000

    /// Every problem, field by field.
    static func problems(_ stored: StoredInAppMessage) -> [PushProblems.Problem] {
        var problems: [PushProblems.Problem] = []
        func refuse(_ field: String, _ message: String) {
            problems.append(.init(field: field, message: message))
        }
        if !(1...nameLimit).contains(stored.name.count) {
            refuse("name", "has 1 to \(nameLimit) characters")
        }
        let experiment = stored.experiment
        if !(0...99).contains(experiment.controlShare) {
            refuse("experiment.control_share", "is from 0 to 99")
        }
        if experiment.others.count > otherLimit {
            refuse("experiment.others", "are at most \(otherLimit)")
        }
        let areValid = experiment.weights.allSatisfy { (0...weightLimit).contains($0) }
        if experiment.weights.count != experiment.others.count + 1 || !areValid {
            refuse("experiment.weights", "has a number from 0 to 1000 for every variant")
        } else if !experiment.weights.contains(where: { $0 > 0 }) {
            refuse("experiment.weights", "gives at least one variant a weight above 0")
        }
        for (index, content) in stored.contents.enumerated() {
            problems += contentProblems(content).map { renamed($0, variant: index) }
        }
        return problems + self.problems(stored.message.rules)
    }

    /// A problem of a content, under the name of its variant.
    static func renamed(
        _ problem: PushProblems.Problem,
        variant: Int
    ) -> PushProblems.Problem {
        guard variant > 0 else { return problem }
        let rest = problem.field.split(separator: ".").dropFirst()
        let parts = ["experiment", "others", "\(variant - 1)"] + rest.map(String.init)
        return .init(field: parts.joined(separator: "."), message: problem.message)
    }

    /// The problems of the visible content of a message.
    private static func contentProblems(_ message: InAppMessage) -> [PushProblems.Problem] {
        var problems: [PushProblems.Problem] = []
        func refuse(_ field: String, _ text: String) {
            problems.append(.init(field: field, message: text))
        }
        if message.message.utf8.count > textBytes {
            refuse("message.message", "has at most \(textBytes) bytes")
        }
        let needsText: Set<InAppMessage.Kind> = [.slideup, .modal, .full, .html]
        if needsText.contains(message.kind), message.message.isEmpty {
            refuse("message.message", "is what people read: write something")
        }
        let needsPicture: Set<InAppMessage.Kind> = [.modalImage, .fullImage]
        if needsPicture.contains(message.kind), (message.imageURL ?? "").isEmpty {
            refuse("message.image_url", "is required for the type \(message.kind.rawValue)")
        }
        let buttons = message.buttons ?? []
        if buttons.count > 2 { refuse("message.buttons", "are at most two") }
        if Set(buttons.map(\.id)).count < buttons.count {
            refuse("message.buttons", "need ids of their own")
        }
        if (message.extras ?? [:]).count > extrasLimit {
            refuse("message.extras", "are at most \(extrasLimit)")
        }
        if let seconds = message.closesAfterSeconds, !(seconds > 0 && seconds <= delayLimit) {
            refuse("message.closes_after_seconds", "is more than 0 and at most 86400")
        }
        return problems
    }

    private static func problems(_ rules: InAppMessageRules) -> [PushProblems.Problem] {
        var problems: [PushProblems.Problem] = []
        func refuse(_ field: String, _ message: String) {
            problems.append(.init(field: "message.rules.\(field)", message: message))
        }
        if !(1...triggerLimit).contains(rules.triggers.count) {
            refuse("triggers", "has 1 to \(triggerLimit) elements")
        }
        for (index, trigger) in rules.triggers.enumerated() {
            switch trigger {
            case .event(let name, let filters):
                if !(1...255).contains(name.count) {
                    refuse("triggers.\(index).name", "has 1 to 255 characters")
                }
                if filters.count > filterLimit {
                    refuse("triggers.\(index).filters", "are at most \(filterLimit)")
                }
            case .purchase(_, let filters):
                if filters.count > filterLimit {
                    refuse("triggers.\(index).filters", "are at most \(filterLimit)")
                }
            case .sessionStart, .pushOpen: break
            }
        }
        if !(0...delayLimit).contains(rules.delaySeconds) {
            refuse("delay_seconds", "is from 0 to 86400")
        }
        if let limit = rules.impressionLimit, !(1...impressionLimit).contains(limit) {
            refuse("impression_limit", "is from 1 to \(impressionLimit), or null for no limit")
        }
        if let interval = rules.intervalSeconds, !(interval >= 0 && interval <= 366 * 86_400) {
            refuse("interval_seconds", "is from 0 to a year")
        }
        if let start = rules.startsAtMilliseconds, let end = rules.expiresAtMilliseconds,
            end <= start
        {
            refuse("expires_at_ms", "is not after the start")
        }
        return problems
    }
}
