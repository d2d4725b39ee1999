import Foundation
import Model
import Ports
import Reasons
import Scheduling

/// Validates the content of a campaign; every problem names its field.
package enum CampaignValidator {
    package static let variantLimit = 8
    package static let conversionLimit = 4
    /// Maximum conversion window and maximum delay of a trigger, in days.
    private static let maxDays = 30.0
    /// The years in which a schedule may start and end. One more day, in a time zone ahead of ours,
    /// can still be represented.
    package static let scheduleYears = 2000...9998

    package static func check(_ content: CampaignContent) throws(ValidationError) {
        var report = Report()
        checkDescription(content, &report)
        checkVariants(content, &report)
        checkDelivery(content, &report)
        checkRules(content, &report)
        guard report.problems.isEmpty else { throw ValidationError(report.problems) }
    }

    /// Every field at fault, also where a content block that a message names cannot be used.
    package static func problems(
        of content: CampaignContent,
        in workspace: WorkspaceID,
        _ store: any ContentBlockStore
    ) async throws -> [FieldProblem] {
        do {
            try check(content)
        } catch {
            return error.problems
        }
        return try await MessageValidator.contentBlockProblems(
            of: messages(of: content).map { ($0, $1.message) },
            in: workspace,
            store
        )
    }

    /// Checks what protects a workspace's users.
    package static func check(_ limits: MessagingLimits) throws(ValidationError) {
        var problems: [FieldProblem] = []
        if limits.caps.count > 10 { problems.append(.init(.limits(.caps), .maxCaps)) }
        for (index, cap) in limits.caps.enumerated() {
            if cap.messages < 1 {
                problems.append(.init(.limits(.capMessages(index)), .atLeastOne))
            }
            if !(1...30).contains(cap.days) {
                let range: [String: Reason.Argument] = ["first": "1", "last": "30"]
                problems.append(.init(.limits(.capDays(index)), .range, range))
            }
        }
        if let quiet = limits.quietHours, quiet.start == quiet.end {
            problems.append(.init(.limits(.quietEnd), .sameAsStart))
        }
        if let group = limits.controlGroup, !ControlGroup.shares.contains(group.share) {
            let range: [String: Reason.Argument] = [
                "first": "\(ControlGroup.shares.lowerBound)",
                "last": "\(ControlGroup.shares.upperBound)",
            ]
            problems.append(.init(.limits(.controlShare), .range, range))
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
    }

    /// Every message of a campaign, with the path of a field of it.
    static func messages(
        of content: CampaignContent
    ) -> [(path: @Sendable (FieldPath.Message) -> FieldPath, message: PlatformMessage)] {
        content.variants.enumerated().flatMap { index, variant in
            let parts: [(platform: MessagePlatform?, message: PlatformMessage?)] = [
                (nil, variant.message.common), (.ios, variant.message.ios),
                (.android, variant.message.android), (.web, variant.message.web),
            ]
            return parts.compactMap { platform, message in
                let path = { @Sendable (field: FieldPath.Message) -> FieldPath in
                    .campaign(.message(variant: index, platform, field))
                }
                return message.map { (path, $0) }
            }
        }
    }

    private struct Report {
        var problems: [FieldProblem] = []

        mutating func callAsFunction(
            _ field: FieldPath.Campaign,
            _ code: FieldReason,
            _ arguments: [String: Reason.Argument] = [:]
        ) {
            problems.append(FieldProblem(.campaign(field), code, arguments))
        }

        mutating func check(
            _ value: Int,
            isIn range: ClosedRange<Int>,
            _ field: FieldPath.Campaign,
            _ code: FieldReason
        ) {
            guard !range.contains(value) else { return }
            self(field, code, ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"])
        }
    }

    private static func checkDescription(_ content: CampaignContent, _ report: inout Report) {
        if content.name.isEmpty || content.name.count > 250 {
            report(.name, .characters, ["count": "250"])
        }
        if content.tags.count > 50 || content.tags.contains(where: \.isEmpty) {
            report(.tags, .labelLimit)
        }
        if case .profiles(let users) = content.audience, users.isEmpty {
            report(.audience, .nobody)
        }
    }

    private static func checkVariants(_ content: CampaignContent, _ report: inout Report) {
        let variants = content.variants
        if !(1...variantLimit).contains(variants.count) {
            report(.variants, .variantCount, ["count": "\(variantLimit)"])
        }
        if !variants.isEmpty, !variants.contains(where: { $0.weight > 0 }) {
            report(.variants, .needsWeight)
        }
        if Set(variants.map(\.apiID)).count < variants.count {
            report(.variants, .duplicateIdentifier)
        }
        for (index, variant) in variants.enumerated() {
            report.check(variant.weight, isIn: 0...1_000, .weight(index), .range)
            if variant.name.isEmpty { report(.variantName(index), .empty) }
        }
        for (path, message) in messages(of: content) {
            report.problems += MessageValidator.problems(
                message.message,
                message.options,
                at: path
            )
        }
        report.check(content.controlShare, isIn: 0...99, .controlShare, .share)
    }

    private static func checkRules(_ content: CampaignContent, _ report: inout Report) {
        if case .after(let pause) = content.reeligibility, !(0...366 * 86_400).contains(pause) {
            report(.reeligibility, .mostDays, ["count": "366"])
        }
        if content.conversions.count > conversionLimit {
            report(.conversions, .maxEvents, ["count": "\(conversionLimit)"])
        }
        for (index, conversion) in content.conversions.enumerated() {
            checkEvent(conversion.event, { .conversion(index, $0) }, &report)
            if !(60...maxDays * 86_400).contains(conversion.window) {
                report(.conversionWindow(index), .window, ["count": "\(Int(maxDays))"])
            }
        }
        if let rate = content.messagesPerMinute {
            report.check(rate, isIn: 1...500_000, .messagesPerMinute, .range)
        }
        if let winner = content.winner { checkWinner(winner, content, &report) }
    }

    private static func checkWinner(
        _ winner: WinnerRule,
        _ content: CampaignContent,
        _ report: inout Report
    ) {
        if content.variants.count < 2 { report(.winner, .needsVariants) }
        report.check(winner.testShare, isIn: 1...99, .testShare, .share)
        if !(60...7 * 86_400).contains(winner.duration) {
            report(.testDuration, .windowOfTest)
        }
        if winner.measure == .conversions, content.conversions.isEmpty {
            report(.winnerMeasure, .needsConversion)
        }
        switch content.delivery {
        case .immediately: break
        case .scheduled(let schedule)
        where schedule.recurrence == nil && schedule.clock != .eachUser
            && content.extraction == .whenSent:
            break
        default:
            report(.winner, .notOnce)
        }
    }

    private static func checkDelivery(_ content: CampaignContent, _ report: inout Report) {
        switch content.delivery {
        case .immediately, .apiTriggered: break
        case .scheduled(let schedule): checkSchedule(schedule, &report)
        case .actionBased(let trigger): checkTrigger(trigger, &report)
        }
        guard content.extraction == .whenScheduled else { return }
        if case .scheduled(let schedule) = content.delivery, schedule.recurrence == nil { return }
        report(.extraction, .frozenNotOnce)
    }

    private static func checkSchedule(_ schedule: CampaignSchedule, _ report: inout Report) {
        var zone: TimeZone?
        if case .zone(let name) = schedule.clock {
            zone = TimeZone(identifier: name)
            if zone == nil { report(.zone, .noZone, ["zone": .text(name)]) }
        }
        checkYear(of: schedule.start, .start, &report)
        guard let recurrence = schedule.recurrence else { return }
        switch recurrence.pattern {
        case .daily(let every):
            report.check(every, isIn: 1...365, .every, .rangeOfDays)
        case .weekly(let every, let weekdays):
            report.check(every, isIn: 1...52, .every, .rangeOfWeeks)
            if weekdays.isEmpty || !weekdays.allSatisfy((1...7).contains) {
                report(.weekdays, .weekdays)
            }
        case .monthly(let every, let days):
            report.check(every, isIn: 1...12, .every, .rangeOfMonths)
            if days.isEmpty || !days.allSatisfy({ (1...31).contains($0) || $0 == -1 }) {
                report(.monthDays, .monthDays)
            }
        }
        switch recurrence.end {
        case .never: break
        case .afterCount(let count):
            report.check(count, isIn: 1...10_000, .end, .rangeOfTimes)
        case .onDay(let day):
            checkYear(of: day, .end, &report)
            if day < schedule.start { report(.end, .beforeStart) }
        }
        if report.problems.isEmpty, Timetable(schedule, zone: zone).isEmpty {
            report(.delivery, .neverSent)
        }
    }

    private static func checkYear(
        of day: CalendarDay,
        _ field: FieldPath.Campaign,
        _ report: inout Report
    ) {
        report.check(day.civil.year, isIn: scheduleYears, field, .years)
    }

    private static func checkTrigger(_ trigger: EventTrigger, _ report: inout Report) {
        checkEvent(trigger.event, { .trigger($0) }, &report)
        if !(0...maxDays * 86_400).contains(trigger.delay) {
            report(.delay, .mostDays, ["count": "\(Int(maxDays))"])
        }
        if let exception = trigger.exception {
            checkEvent(exception, { .exception($0) }, &report)
            if trigger.delay <= 0 { report(.exception(.event), .needsDelay) }
        }
        if let start = trigger.start, let end = trigger.end, end <= start {
            report(.end, .afterStart)
        }
    }

    private static func checkEvent(
        _ event: EventMatch,
        _ path: (FieldPath.Campaign.Event) -> FieldPath.Campaign,
        _ report: inout Report
    ) {
        report.problems += problems(of: event) { .campaign(path($0)) }
    }

    /// What is wrong with an event that something waits for.
    package static func problems(
        of event: EventMatch,
        at path: (FieldPath.Campaign.Event) -> FieldPath
    ) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if case .custom(let name) = event.kind, name.isEmpty || name.count > 255 {
            problems.append(FieldProblem(path(.event), .eventName, ["count": "255"]))
        }
        if case .purchase(let product?) = event.kind, product.isEmpty {
            problems.append(FieldProblem(path(.event), .noProduct))
        }
        if event.conditions.contains(where: \.property.isEmpty) {
            problems.append(FieldProblem(path(.conditions), .conditionWithoutProperty))
        }
        return problems
    }
}
