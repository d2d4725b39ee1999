import Campaigns
import Foundation
import Model
import WebPages

extension CampaignState {
    var wordKey: String {
        switch self {
        case .draft: "campaigns.phase.draft"
        case .active: "campaigns.phase.active"
        case .paused: "campaigns.phase.paused"
        case .stopped: "campaigns.phase.stopped"
        case .archived: "campaigns.phase.archived"
        }
    }

    var tone: String {
        switch self {
        case .draft, .stopped, .archived: "quiet"
        case .active: "good"
        case .paused: "warn"
        }
    }

    /// The allowed actions.
    var steps: [CampaignStep] {
        switch self {
        case .draft: [.activate, .archive]
        case .active: [.pause, .stop]
        case .paused: [.resume, .stop]
        case .stopped: [.activate, .archive]
        case .archived: []
        }
    }
}

extension CampaignStep {
    var wordKey: String {
        switch self {
        case .activate: "campaigns.step.activate"
        case .pause: "campaigns.step.pause"
        case .resume: "campaigns.step.resume"
        case .stop: "campaigns.step.stop"
        case .archive: "campaigns.step.archive"
        }
    }

    /// The confirmation question; `nil` if none is needed.
    var questionKey: String? {
        switch self {
        case .stop: "campaigns.stop_confirm"
        case .archive: "campaigns.archive_confirm"
        case .activate, .pause, .resume: nil
        }
    }

    var notice: FlashMessage {
        switch self {
        case .activate: .campaignActivated
        case .pause: .campaignPaused
        case .resume: .campaignActivated
        case .stop: .campaignStopped
        case .archive: .campaignArchived
        }
    }
}

extension CampaignForm.Timing {
    var wordKey: String {
        switch self {
        case .now: "campaigns.timing.now"
        case .scheduled: "campaigns.timing.scheduled"
        case .action: "campaigns.timing.action"
        case .api: "campaigns.timing.api"
        }
    }

    var helpKey: String {
        switch self {
        case .now: "campaigns.timing.now_help"
        case .scheduled: "campaigns.timing.scheduled_help"
        case .action: "campaigns.timing.action_help"
        case .api: "campaigns.timing.api_help"
        }
    }
}

extension CampaignForm.Repeat {
    var wordKey: String {
        switch self {
        case .never: "campaigns.repeat.never"
        case .daily: "campaigns.repeat.daily"
        case .weekly: "campaigns.repeat.weekly"
        case .monthly: "campaigns.repeat.monthly"
        }
    }
}

extension QuietHoursHandling {
    var wordKey: String {
        switch self {
        case .delay: "campaigns.quiet.hold"
        case .skip: "campaigns.quiet.drop"
        case .sendAnyway: "campaigns.quiet.ignore"
        }
    }
}

extension CampaignDelivery {
    /// The schedule in words.
    func text(_ context: ConsoleContext) -> String {
        let words = context.words
        switch self {
        case .immediately, .apiTriggered:
            return words(CampaignForm.Timing(self).wordKey)
        case .scheduled(let schedule):
            let moment = DateTimeLocalFormat.date("\(schedule.start)T\(schedule.time)", in: .gmt)
            var parts = [moment.map(words.wallTime) ?? "\(schedule.start) \(schedule.time)"]
            switch schedule.clock {
            case .zone(let name): parts.append(name)
            case .eachUser: parts.append(words("campaigns.local_time"))
            }
            if let recurrence = schedule.recurrence { parts += recurrence.texts(words) }
            return parts.joined(separator: " · ")
        case .actionBased(let trigger):
            var parts = [
                words("campaigns.after_event", ["event": trigger.event.text(words)])
            ]
            let minutes = Int(trigger.delay / 60)
            if minutes > 0 { parts.append(Self.delayText(minutes, words)) }
            if let exception = trigger.exception {
                parts.append(
                    words("campaigns.exception_text", ["event": exception.text(words)])
                )
            }
            return parts.joined(separator: " · ")
        }
    }

    /// In the largest unit without a fraction.
    private static func delayText(_ minutes: Int, _ words: Words) -> String {
        if minutes % 1440 == 0 { return words.counted("campaigns.delay_days", minutes / 1440) }
        if minutes % 60 == 0 { return words.counted("campaigns.delay_hours", minutes / 60) }
        return words("campaigns.delay_text", ["minutes": words.number(minutes)])
    }
}

extension Recurrence {
    fileprivate func texts(_ words: Words) -> [String] {
        var parts: [String] = []
        func add(_ repeats: CampaignForm.Repeat, _ every: Int, _ days: [String]) {
            parts.append(words(repeats.wordKey))
            if every > 1 {
                parts.append(words("campaigns.every_text", ["every": words.number(every)]))
            }
            if !days.isEmpty { parts.append(days.joined(separator: ", ")) }
        }
        switch pattern {
        case .daily(let every): add(.daily, every, [])
        case .weekly(let every, let days): add(.weekly, every, days.sorted().map(words.weekday))
        case .monthly(let every, let days): add(.monthly, every, days.sorted().map(words.number))
        }
        if case .onDay(let day) = end {
            parts.append(words("news.until", ["date": day.description]))
        }
        return parts
    }
}

extension EventMatch {
    /// The event with what its properties must be.
    func text(_ words: Words) -> String {
        let name = isPurchase ? words("timeline.purchase") : shownName
        guard !conditions.isEmpty else { return name }
        return "\(name) (\(conditions.map { $0.text(words) }.joined(separator: ", ")))"
    }
}

extension Words {
    /// The short name of a day of the week; Monday is 1.
    func weekday(_ number: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = language.locale
        let names = calendar.shortWeekdaySymbols
        return names[number % 7]
    }
}

extension MessagePlatform {
    var wordKey: String {
        switch self {
        case .ios: "platform.ios"
        case .android: "platform.android"
        case .web: "platform.web"
        }
    }
}
