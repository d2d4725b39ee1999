import Foundation
import WebPages

extension CampaignPhase {
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

    /// What can be done next.
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

    /// Asked before it is done; `nil` needs no question.
    var questionKey: String? {
        switch self {
        case .stop: "campaigns.stop_confirm"
        case .archive: "campaigns.archive_confirm"
        case .activate, .pause, .resume: nil
        }
    }

    var notice: Notice {
        switch self {
        case .activate: .campaignActivated
        case .pause: .campaignPaused
        case .resume: .campaignActivated
        case .stop: .campaignStopped
        case .archive: .campaignArchived
        }
    }

    var action: AuditAction {
        switch self {
        case .activate: .campaignActivated
        case .pause: .campaignPaused
        case .resume: .campaignResumed
        case .stop: .campaignStopped
        case .archive: .campaignArchived
        }
    }
}

extension CampaignTiming.Kind {
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

extension CampaignTiming.Repeat {
    var wordKey: String {
        switch self {
        case .never: "campaigns.repeat.never"
        case .daily: "campaigns.repeat.daily"
        case .weekly: "campaigns.repeat.weekly"
        case .monthly: "campaigns.repeat.monthly"
        }
    }
}

extension QuietChoice {
    var wordKey: String {
        switch self {
        case .hold: "campaigns.quiet.hold"
        case .drop: "campaigns.quiet.drop"
        case .ignore: "campaigns.quiet.ignore"
        }
    }
}

extension CampaignTiming {
    /// When it sends, in words.
    func text(_ visit: Visit) -> String {
        let words = visit.words
        switch kind {
        case .now, .api: return words(kind.wordKey)
        case .scheduled:
            let moment = LocalTime.date("\(day)T\(time)", in: .gmt)
            var parts = [moment.map(words.wallTime) ?? "\(day) \(time)"]
            if !isLocal { parts.append(zone.isEmpty ? visit.zone.identifier : zone) }
            if isLocal { parts.append(words("campaigns.local_time")) }
            if repeats != .never {
                parts.append(words(repeats.wordKey))
                if every > 1 {
                    parts.append(words("campaigns.every_text", ["every": words.number(every)]))
                }
                if !weekdays.isEmpty {
                    parts.append(
                        weekdays.sorted().map(words.weekday).joined(separator: ", ")
                    )
                }
                if !monthDays.isEmpty {
                    parts.append(monthDays.sorted().map(words.number).joined(separator: ", "))
                }
                if !until.isEmpty { parts.append(words("news.until", ["date": until])) }
            }
            return parts.joined(separator: " · ")
        case .action:
            let event = isPurchase ? words("timeline.purchase") : event
            var parts = [words("campaigns.after_event", ["event": event])]
            if delayMinutes > 0 {
                parts.append(delayText(words))
            }
            if !exception.isEmpty {
                let event = exception == "purchase" ? words("timeline.purchase") : exception
                parts.append(words("campaigns.exception_text", ["event": event]))
            }
            return parts.joined(separator: " · ")
        }
    }

    /// In the largest unit that needs no fraction.
    private func delayText(_ words: Words) -> String {
        if delayMinutes % 1440 == 0 {
            return words.counted("campaigns.delay_days", delayMinutes / 1440)
        }
        if delayMinutes % 60 == 0 {
            return words.counted("campaigns.delay_hours", delayMinutes / 60)
        }
        return words("campaigns.delay_text", ["minutes": words.number(delayMinutes)])
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
