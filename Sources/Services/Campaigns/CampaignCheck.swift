import Foundation
import Model
import Scheduling

/// Validates the content of a campaign; every problem names its field.
package enum CampaignCheck {
    package static let variantLimit = 8
    package static let conversionLimit = 4
    /// Maximum conversion window and maximum delay of a trigger, in days.
    private static let daysMax = 30.0
    /// The years in which a schedule may start and end. One more day, in a time zone ahead of ours,
    /// can still be represented.
    package static let scheduleYears = 2000...9998

    package static func check(_ content: CampaignContent) throws(PushProblems) {
        var report = Report()
        checkDescription(content, &report)
        checkVariants(content, &report)
        checkDelivery(content, &report)
        checkRules(content, &report)
        guard report.problems.isEmpty else { throw PushProblems(report.problems) }
    }

    /// Validates the limits of a workspace.
    package static func check(_ limits: WorkspaceLimits) throws(PushProblems) {
        var report = Report()
        if limits.caps.count > 10 { report("caps", "at most ten") }
        for (index, cap) in limits.caps.enumerated() {
            if cap.messages < 1 { report("caps.\(index).messages", "is at least 1") }
            if !(1...30).contains(cap.days) { report("caps.\(index).days", "is 1 to 30") }
        }
        if let quiet = limits.quietHours, quiet.start == quiet.end {
            report("quiet_hours.end", "differs from the start")
        }
        guard report.problems.isEmpty else { throw PushProblems(report.problems) }
    }

    /// Every message of a campaign, with the prefix of its field names.
    static func messages(
        of content: CampaignContent
    ) -> [(path: String, message: PlatformMessage)] {
        content.variants.enumerated().flatMap { index, variant in
            let parts: [(name: String, message: PlatformMessage?)] = [
                ("message", variant.message.common), ("ios", variant.message.ios),
                ("android", variant.message.android), ("web", variant.message.web),
            ]
            return parts.compactMap { name, message in
                message.map { ("variants.\(index).\(name).", $0) }
            }
        }
    }

    private struct Report {
        var problems: [PushProblems.Problem] = []

        mutating func callAsFunction(_ field: String, _ message: String) {
            problems.append(.init(field: field, message: message))
        }
    }

    private static func checkDescription(_ content: CampaignContent, _ report: inout Report) {
        if content.name.isEmpty || content.name.count > 250 {
            report("name", "has 1 to 250 characters")
        }
        if content.tags.count > 50 || content.tags.contains(where: \.isEmpty) {
            report("tags", "at most 50, none of them empty")
        }
        if case .profiles(let users) = content.audience, users.isEmpty {
            report("audience", "names nobody")
        }
    }

    private static func checkVariants(_ content: CampaignContent, _ report: inout Report) {
        let variants = content.variants
        if !(1...variantLimit).contains(variants.count) {
            report("variants", "has one to \(variantLimit) variants")
        }
        if !variants.isEmpty, !variants.contains(where: { $0.weight > 0 }) {
            report("variants", "gives at least one variant a weight above 0")
        }
        if Set(variants.map(\.apiID)).count < variants.count {
            report("variants", "has the same identifier twice")
        }
        for (index, variant) in variants.enumerated() {
            let path = "variants.\(index)."
            if !(0...1_000).contains(variant.weight) { report(path + "weight", "is 0 to 1000") }
            if variant.name.isEmpty { report(path + "name", "is empty") }
        }
        for (path, message) in messages(of: content) {
            report.problems += MessageCheck.problems(
                message.message,
                message.options,
                path: path
            )
        }
        if !(0...99).contains(content.controlShare) {
            report("control_share", "is 0 to 99 per cent")
        }
    }

    private static func checkRules(_ content: CampaignContent, _ report: inout Report) {
        if case .after(let pause) = content.reeligibility, !(0...366 * 86_400).contains(pause) {
            report("reeligibility", "is at most 366 days")
        }
        if content.conversions.count > conversionLimit {
            report("conversions", "at most \(conversionLimit) events")
        }
        for (index, conversion) in content.conversions.enumerated() {
            checkEvent(conversion.event, "conversions.\(index).event", &report)
            if !(60...daysMax * 86_400).contains(conversion.window) {
                report("conversions.\(index).window", "is one minute to \(Int(daysMax)) days")
            }
        }
        if let rate = content.messagesPerMinute, !(1...500_000).contains(rate) {
            report("messages_per_minute", "is 1 to 500000")
        }
        if let winner = content.winner { checkWinner(winner, content, &report) }
    }

    private static func checkWinner(
        _ winner: WinnerRule,
        _ content: CampaignContent,
        _ report: inout Report
    ) {
        if content.variants.count < 2 { report("winner", "needs at least two variants") }
        if !(1...99).contains(winner.testShare) {
            report("winner.test_share", "is 1 to 99 per cent")
        }
        if !(60...7 * 86_400).contains(winner.duration) {
            report("winner.duration", "is one minute to seven days")
        }
        if winner.measure == .conversions, content.conversions.isEmpty {
            report("winner.measure", "needs a conversion event")
        }
        switch content.delivery {
        case .immediately: break
        case .scheduled(let schedule)
        where schedule.recurrence == nil && schedule.clock != .eachUser
            && content.extraction == .atDelivery:
            break
        default:
            report("winner", "is for messages that are sent once, at the same moment to all")
        }
    }

    private static func checkDelivery(_ content: CampaignContent, _ report: inout Report) {
        switch content.delivery {
        case .immediately, .apiTriggered: break
        case .scheduled(let schedule): checkSchedule(schedule, &report)
        case .actionBased(let trigger): checkTrigger(trigger, &report)
        }
        guard content.extraction == .frozen else { return }
        if case .scheduled(let schedule) = content.delivery, schedule.recurrence == nil { return }
        report("extraction", "can be frozen for a message that is reserved once, for a time")
    }

    private static func checkSchedule(_ schedule: CampaignSchedule, _ report: inout Report) {
        var zone: TimeZone?
        if case .zone(let name) = schedule.clock {
            zone = TimeZone(identifier: name)
            if zone == nil { report("delivery.zone", "'\(name)' is no IANA time zone") }
        }
        checkYear(of: schedule.start, "delivery.start", &report)
        guard let recurrence = schedule.recurrence else { return }
        switch recurrence.pattern {
        case .daily(let every):
            if !(1...365).contains(every) { report("delivery.every", "is 1 to 365 days") }
        case .weekly(let every, let weekdays):
            if !(1...52).contains(every) { report("delivery.every", "is 1 to 52 weeks") }
            if weekdays.isEmpty || !weekdays.allSatisfy((1...7).contains) {
                report("delivery.weekdays", "are 1 (Monday) to 7, at least one")
            }
        case .monthly(let every, let days):
            if !(1...12).contains(every) { report("delivery.every", "is 1 to 12 months") }
            if days.isEmpty || !days.allSatisfy({ (1...31).contains($0) || $0 == -1 }) {
                report("delivery.days", "are 1 to 31, or -1 for the last day, at least one")
            }
        }
        switch recurrence.end {
        case .never: break
        case .afterCount(let count):
            if !(1...10_000).contains(count) { report("delivery.end", "is 1 to 10000 times") }
        case .onDay(let day):
            checkYear(of: day, "delivery.end", &report)
            if day < schedule.start { report("delivery.end", "is before the start") }
        }
        if report.problems.isEmpty, Timetable(schedule, zone: zone).isEmpty {
            report("delivery", "has no day on which it is sent")
        }
    }

    private static func checkYear(
        of day: CalendarDay,
        _ field: String,
        _ report: inout Report
    ) {
        let years = scheduleYears
        if !years.contains(day.civil.year) {
            report(field, "lies between the years \(years.lowerBound) and \(years.upperBound)")
        }
    }

    private static func checkTrigger(_ trigger: ActionTrigger, _ report: inout Report) {
        checkEvent(trigger.event, "delivery.event", &report)
        if !(0...daysMax * 86_400).contains(trigger.delay) {
            report("delivery.delay", "is at most \(Int(daysMax)) days")
        }
        if let exception = trigger.exception {
            checkEvent(exception, "delivery.exception", &report)
            if trigger.delay <= 0 { report("delivery.exception", "needs a delay") }
        }
        if let start = trigger.start, let end = trigger.end, end <= start {
            report("delivery.end", "is not after the start")
        }
    }

    private static func checkEvent(
        _ event: EventMatch,
        _ path: String,
        _ report: inout Report
    ) {
        if case .custom(let name) = event.kind, name.isEmpty || name.count > 255 {
            report(path, "has a name of 1 to 255 characters")
        }
        if case .purchase(let product?) = event.kind, product.isEmpty {
            report(path, "names a product")
        }
        if event.conditions.contains(where: \.property.isEmpty) {
            report(path + ".conditions", "each name a property")
        }
    }
}
