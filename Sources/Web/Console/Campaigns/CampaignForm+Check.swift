import Audience
import Campaigns
import Foundation
import Model
import WebPages

/// Converts the fields to a campaign.
extension CampaignForm {
    /// The content of the campaign, except its audience. Values that the form does not show, or
    /// shows unchanged, are kept.
    ///
    /// - Parameter known: The stored campaign; `nil` for a new one.
    /// - Throws: ``FormError`` with every invalid field.
    func content(
        changing known: CampaignContent?,
        _ context: ConsoleContext
    ) throws(FormError) -> CampaignContent {
        let shown = known.map { CampaignForm($0, audience: .everyone) }
        var content = known ?? CampaignContent(name: name, variants: [])
        var check = FormValidator(context: context)
        if name.isEmpty { check.fault("name", "fault.campaign_name") }
        content.name = name
        content.note = note
        content.tags = tags.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        push.check(&check, hasText: false)
        push.audience.check(&check)
        content.variants = checkedVariants(known, &check)
        content.controlShare = check.number("controlShare", controlShare, 0...99, empty: 0)
        let delivery = checkedDelivery(&check)
        if let delivery, shown.map({ $0.when != when }) ?? true { content.delivery = delivery }
        let isReservedOnce = timing == .scheduled && repeats == .never
        content.extraction =
            push.extraction == .whenReserved && isReservedOnce ? .whenScheduled : .whenSent
        let pause =
            again == "after" ? check.number("againDays", againDays, 0...366, empty: 0) : nil
        if shown?.again != again || shown?.againDays != againDays {
            content.reeligibility = pause.map { .after(Double($0) * 86_400) } ?? .never
        }
        content.quietHours = quietHours
        content.isExemptFromCaps = ignoresCaps
        if reachesControlGroup == content.withholdsFromControlGroup {
            content.reachesControlGroup = reachesControlGroup
        }
        content.conversions = checkedConversions(known, &check)
        content.messagesPerMinute =
            rate.isEmpty ? nil : check.number("rate", rate, 1...500_000, empty: 0)
        content.winner = checkedWinner(known, shown, &check)
        guard check.faults.isEmpty else { throw FormError(faults: check.faults) }
        return content
    }

    /// The fields of the schedule.
    private var when: [String] {
        switch timing {
        case .now, .api: [timing.rawValue]
        case .action:
            [
                timing.rawValue, triggerKind == "purchase" ? "" : triggerEvent, delay, delayUnit,
                exception,
            ]
        case .scheduled:
            [
                timing.rawValue, day, String(time.prefix(5)), String(isLocal), zone,
                repeats.rawValue,
            ] + (repeats == .never ? [] : [every, until])
                + (repeats == .weekly ? weekdays.sorted().map(String.init) : [])
                + (repeats == .monthly ? [monthDays] : [])
        }
    }

    // MARK: Variants

    private func checkedVariants(
        _ known: CampaignContent?,
        _ check: inout FormValidator
    ) -> [CampaignVariant] {
        let shown = PushForm(
            known?.variants.first?.message.common ?? .unwritten,
            audience: .everyone
        )
        return variants.enumerated().map { number, variant in
            let prefix = "v\(number)."
            variant.text.check(&check, prefix: prefix)
            for (platform, text) in variant.own {
                text.check(&check, prefix: "\(prefix)\(platform.rawValue).")
            }
            StoryFields.check(variant.story, prefix: prefix, &check)
            if !variant.story.isEmpty, push.buttons.preset != .none {
                check.fault(prefix + PushField.story.rawValue, "fault.story_buttons")
            }
            let id = UUID(uuidString: variant.id)
            let stored = known?.variants.first { $0.apiID == id }
            let pages = story(of: variant, stored?.message.common, since: shown)
            // A new variant is a copy of the first except for its text.
            let former = stored ?? known?.variants.first
            let common = changed(
                former?.message.common ?? .unwritten,
                variant.text,
                push,
                since: shown,
                story: pages
            )
            func own(_ platform: MessagePlatform) -> PlatformMessage? {
                variant.own[platform].map { text in
                    var text = text.filled(from: variant.text)
                    let former = stored?.message.own(platform)
                    // The form has no fields for languages of a platform's own text.
                    if let own = former?.message.translations,
                        own != stored?.message.common.message.translations
                    {
                        text.translations = own
                    }
                    guard let former else {
                        let same = PushForm(common, audience: .everyone)
                        return changed(common, text, same, since: same, story: pages)
                    }
                    let own = former.message.story
                    return changed(
                        former,
                        text,
                        push,
                        since: shown,
                        story: own == stored?.message.common.message.story
                            ? pages : (own ?? []).map(StoryFields.init)
                    )
                }
            }
            let message = CampaignMessage(
                common,
                ios: own(.ios),
                android: own(.android),
                web: own(.web)
            )
            var content = stored ?? CampaignVariant(apiID: UUID(), name: "", message: message)
            content.name = variant.name
            content.weight = check.number(prefix + "weight", variant.weight, 0...1000, empty: 1)
            content.message = message
            return content
        }
    }

    /// The pages of a variant's story: its own, or those of all variants. Pages that are shown
    /// unchanged are kept.
    private func story(
        of variant: Variant,
        _ stored: PlatformMessage?,
        since shown: PushForm
    ) -> [StoryFields] {
        let chosen = variant.story.isEmpty ? push.story : variant.story
        guard let stored else { return chosen }
        let former = (stored.message.story ?? []).map(StoryFields.init)
        let isCommon = former == shown.story
        guard variant.story == (isCommon ? [] : former) else { return chosen }
        return isCommon ? push.story : former
    }

    /// A message with its text and pages, and with the changes to the values that all variants have
    /// in common.
    private func changed(
        _ former: PlatformMessage,
        _ text: MessageText,
        _ common: PushForm,
        since shown: PushForm,
        story: [StoryFields]
    ) -> PlatformMessage {
        var message = former
        let own = PushForm(former, audience: .everyone)
        var form = common.common(with: own, shown)
        form.text = text
        form.story = story
        form.change(&message, shownAs: own)
        return message
    }

    // MARK: Rules

    private func checkedConversions(
        _ known: CampaignContent?,
        _ check: inout FormValidator
    ) -> [ConversionEvent] {
        var former = known?.conversions ?? []
        var found: [ConversionEvent] = []
        for conversion in conversions where !conversion.event.isEmpty {
            let days = check.number("conversions", conversion.days, 1...30, empty: 3)
            conversion.check(&check, at: "conversions")
            // One that is unchanged, then one of the same event; each is kept once.
            let index =
                former.firstIndex { GoalForm($0) == conversion }
                ?? former.firstIndex { GoalForm($0).event == conversion.event }
            found.append(conversion.goal(changing: index.map { former.remove(at: $0) }, days: days))
        }
        return found
    }

    private func checkedWinner(
        _ known: CampaignContent?,
        _ shown: CampaignForm?,
        _ check: inout FormValidator
    ) -> WinnerRule? {
        guard hasWinner, variants.count > 1 else { return nil }
        let hours = check.number("winnerHours", winnerHours, 1...168, empty: 4)
        let duration =
            shown?.winnerHours == winnerHours ? known?.winner?.duration : nil
        return WinnerRule(
            testShare: check.number("testShare", testShare, 1...99, empty: 20),
            duration: duration ?? Double(hours) * 3600,
            measure: isByConversions ? .conversions : .opens
        )
    }

    // MARK: Delivery

    /// `nil` if it is invalid.
    private func checkedDelivery(_ check: inout FormValidator) -> CampaignDelivery? {
        switch timing {
        case .now: return .immediately
        case .api: return .apiTriggered
        case .action:
            let isPurchase = triggerKind == "purchase"
            if !isPurchase, triggerEvent.isEmpty {
                check.fault("triggerEvent", "fault.event_name")
            }
            let amount = check.number("delay", delay, 0...43_200, empty: 0)
            let factor = delayUnit == "hours" ? 60 : delayUnit == "days" ? 1440 : 1
            let minutes = amount * factor
            return .actionBased(
                EventTrigger(
                    event: EventMatch(
                        isPurchase ? .purchase(product: nil) : .custom(name: triggerEvent)
                    ),
                    delay: Double(minutes) * 60,
                    exception: minutes == 0 || exception.isEmpty
                        ? nil : EventMatch(shownName: exception)
                )
            )
        case .scheduled:
            let recurrence = checkedRecurrence(&check)
            if !zone.isEmpty, TimeZone(identifier: zone) == nil {
                check.fault("clock", "workspace.fault_time_zone", ["text": zone])
            }
            guard DateTimeLocalFormat.date("\(day)T\(time)", in: check.context.zone) != nil,
                let start = CalendarDay(day), let moment = TimeOfDay(String(time.prefix(5)))
            else {
                check.fault("day", "fault.date")
                return nil
            }
            let clock = zone.isEmpty ? check.context.zone.identifier : zone
            return .scheduled(
                CampaignSchedule(
                    start: start,
                    time: moment,
                    clock: isLocal ? .eachUser : .zone(clock),
                    recurrence: recurrence
                )
            )
        }
    }

    private func checkedRecurrence(_ check: inout FormValidator) -> Recurrence? {
        let step = check.number("every", every, 1...365, empty: 1)
        let pattern: Recurrence.Pattern
        switch repeats {
        case .never: return nil
        case .daily: pattern = .daily(every: step)
        case .weekly:
            if weekdays.isEmpty { check.fault("weekdays", "fault.weekdays") }
            pattern = .weekly(every: step, weekdays: weekdays)
        case .monthly:
            let days = monthDays.split(separator: ",").map {
                Int($0.trimmingCharacters(in: .whitespaces)) ?? 0
            }
            let isValid = days.allSatisfy { (1...31).contains($0) || $0 == -1 }
            if days.isEmpty || !isValid { check.fault("monthDays", "fault.month_days") }
            pattern = .monthly(every: step, days: Set(days))
        }
        return Recurrence(pattern, end: CalendarDay(until).map { .onDay($0) } ?? .never)
    }
}

extension CampaignForm {
    /// The name of the field that shows what a path leads to.
    static func name(of path: FieldPath) -> String {
        switch path {
        case .campaign(let field): name(of: field)
        case .audience(let field): AudienceForm.name(of: field)
        default: ""
        }
    }

    private static func name(of field: FieldPath.Campaign) -> String {
        switch field {
        case .message(let variant, let platform, let field):
            "v\(variant)." + (platform.map { $0.rawValue + "." } ?? "") + name(of: field)
        case .weight(let variant): "v\(variant).weight"
        case .variantName(let variant): "v\(variant).name"
        case .name: "name"
        case .tags: "tags"
        case .audience: "audience"
        case .variants: "variants"
        case .controlShare: "controlShare"
        case .reeligibility: "againDays"
        case .messagesPerMinute: "rate"
        case .extraction: "extraction"
        case .conversions, .conversion, .conversionWindow: "conversions"
        case .winner, .testShare, .testDuration, .winnerMeasure: "testShare"
        case .trigger: "triggerEvent"
        case .delivery, .zone, .start, .every, .weekdays, .monthDays, .end, .delay, .exception:
            "day"
        case .trackingID: ""
        }
    }

    private static func name(of field: FieldPath.Message?) -> String {
        switch field {
        case .title: "title"
        case .subtitle: "subtitle"
        case .body, nil, .translations: "message"
        case .uri: "url"
        case .attachment: "image"
        case .story, .storyImage, .storyTitle, .storySubtitle, .storyURI: "story"
        case .threadID, .customVariables, .badge, .collapseID, .relevanceScore, .pairs, .pair,
            .buttons, .buttonTitle, .buttonURI:
            "pairs"
        case .translatedTitle, .translatedSubtitle, .translatedBody:
            field.flatMap(TranslationFields.name) ?? "message"
        }
    }
}
