import Foundation
import WebPages

extension CampaignForm {
    /// The draft, or every field that has to be changed first.
    func checked(_ visit: Visit) throws(CampaignRejected) -> CampaignDraft {
        var check = FormCheck(visit: visit)
        var draft = CampaignDraft()
        if name.isEmpty { check.fault("name", "fault.campaign_name") }
        draft.name = name
        draft.note = note
        draft.tags = tags.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        draft.common = common(&check)
        draft.variants = checkedVariants(&check)
        draft.controlShare = check.number("controlShare", controlShare, 0...99, empty: 0)
        draft.timing = checkedTiming(&check)
        if again == "after" {
            draft.againAfterDays = check.number("againDays", againDays, 0...366, empty: 0)
        }
        draft.quietHours = quietHours
        draft.ignoresCaps = ignoresCaps
        for (event, days) in zip(conversionEvents, conversionDays) where !event.isEmpty {
            draft.conversions.append(
                ConversionDraft(
                    event: event == "purchase" ? "" : event,
                    days: check.number("conversions", days, 1...30, empty: 3)
                )
            )
        }
        if !rate.isEmpty {
            draft.messagesPerMinute = check.number("rate", rate, 1...500_000, empty: 0)
        }
        if hasWinner, draft.variants.count > 1 {
            draft.winner = WinnerDraft(
                testShare: check.number("testShare", testShare, 1...99, empty: 20),
                hours: check.number("winnerHours", winnerHours, 1...168, empty: 4),
                isByConversions: isByConversions
            )
        }
        guard check.faults.isEmpty else { throw CampaignRejected(faults: check.faults) }
        return draft
    }

    /// The composer's own check, without the texts, which the variants have.
    private func common(_ check: inout FormCheck) -> PushDraft {
        var form = push
        form.title = ""
        form.message = "-"
        form.url = ""
        form.image = ""
        form.isScheduled = false
        switch form.checked(check.visit) {
        case .success(var draft):
            draft.message = ""
            draft.extraction = push.extraction
            return draft
        case .failure(let rejected):
            check.faults += rejected.faults.map {
                FormFault($0)
            }
            return PushDraft()
        }
    }

    private func checkedVariants(_ check: inout FormCheck) -> [VariantDraft] {
        variants.enumerated().map { number, variant in
            var variant = variant
            variant.weight = check.number("v\(number).weight", weights[number], 0...1000, empty: 1)
            let texts =
                [("v\(number).", variant.text)]
                + variant.own.map {
                    ("v\(number).\($0.key.rawValue).", $0.value)
                }
            for (prefix, text) in texts {
                var form = PushForm(fields: FormFields([]))
                form.title = text.title
                form.message = text.message
                form.url = text.url
                form.image = text.imageURL
                guard case .failure(let rejected) = form.checked(check.visit) else { continue }
                check.faults += rejected.faults.map {
                    FormFault($0, prefix: prefix)
                }
            }
            return variant
        }
    }

    private func checkedTiming(_ check: inout FormCheck) -> CampaignTiming {
        var timing = CampaignTiming()
        timing.kind = self.timing
        switch self.timing {
        case .now, .api:
            break
        case .scheduled:
            let isTime = LocalTime.date("\(day)T\(time)", in: check.visit.zone) != nil
            if !isTime { check.fault("day", "fault.date") }
            timing.day = day
            timing.time = String(time.prefix(5))
            timing.isLocal = isLocal
            if !zone.isEmpty, TimeZone(identifier: zone) == nil {
                check.fault("clock", "workspace.fault_time_zone", ["text": zone])
            }
            timing.zone = zone
            timing.repeats = repeats
            timing.every = check.number("every", every, 1...365, empty: 1)
            timing.until = repeats == .never ? "" : until
            if repeats == .weekly {
                timing.weekdays = weekdays
                if weekdays.isEmpty { check.fault("weekdays", "fault.weekdays") }
            }
            if repeats == .monthly {
                let days = monthDays.split(separator: ",").map {
                    Int($0.trimmingCharacters(in: .whitespaces)) ?? 0
                }
                timing.monthDays = Set(days)
                let isValid = days.allSatisfy { (1...31).contains($0) || $0 == -1 }
                if days.isEmpty || !isValid { check.fault("monthDays", "fault.month_days") }
            }
        case .action:
            timing.isPurchase = triggerKind == "purchase"
            timing.event = timing.isPurchase ? "" : triggerEvent
            if !timing.isPurchase, triggerEvent.isEmpty {
                check.fault("triggerEvent", "fault.event_name")
            }
            let amount = check.number("delay", delay, 0...43_200, empty: 0)
            let factor = delayUnit == "hours" ? 60 : delayUnit == "days" ? 1440 : 1
            timing.delayMinutes = amount * factor
            timing.exception = timing.delayMinutes > 0 ? exception : ""
        }
        return timing
    }
}
