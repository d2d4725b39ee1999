import Audience
import Campaigns
import Console
import Foundation
import Model

extension CampaignContent {
    /// What a draft of the console asks for.
    ///
    /// - Parameter known: What is stored; its variants keep their identifiers.
    /// - Throws: `PushProblems` for a day or a time that is none.
    init(
        _ draft: CampaignDraft,
        audience: Audience,
        zone: TimeZone,
        known: CampaignContent?,
        makeID: () -> UUID
    ) throws(PushProblems) {
        let ids = Set(known?.variants.map(\.apiID) ?? [])
        self.init(
            name: draft.name,
            audience: audience,
            delivery: try CampaignDelivery(draft.timing, zone: zone),
            variants: draft.variants.map { variant in
                let id = UUID(uuidString: variant.id).flatMap { ids.contains($0) ? $0 : nil }
                return CampaignVariant(
                    apiID: id ?? makeID(),
                    name: variant.name,
                    weight: variant.weight,
                    message: CampaignMessage(variant, common: draft.common)
                )
            }
        )
        note = draft.note
        tags = draft.tags
        let isReservedOnce = draft.timing.kind == .scheduled && draft.timing.repeats == .never
        let isFrozen = draft.common.extraction == .whenReserved && isReservedOnce
        extraction = isFrozen ? .frozen : .atDelivery
        controlShare = draft.controlShare
        reeligibility = draft.againAfterDays.map { .after(Double($0) * 86_400) } ?? .never
        isExemptFromCaps = draft.ignoresCaps
        quietHours = QuietHoursHandling(rawValue: draft.quietHours.rawValue) ?? .hold
        conversions = draft.conversions.map { conversion in
            let kind: EventMatch.Kind =
                conversion.event.isEmpty
                ? .purchase(product: nil) : .custom(name: conversion.event)
            return ConversionEvent(
                event: EventMatch(kind),
                window: Double(conversion.days) * 86_400
            )
        }
        messagesPerMinute = draft.messagesPerMinute
        winner = draft.winner.map {
            WinnerRule(
                testShare: $0.testShare,
                duration: Double($0.hours) * 3600,
                measure: $0.isByConversions ? .conversions : .opens
            )
        }
    }
}

extension CampaignMessage {
    fileprivate init(_ variant: VariantDraft, common: PushDraft) {
        func message(_ text: VariantText) -> PlatformMessage {
            let content = common.texts(text).content(audience: .everyone)
            return PlatformMessage(content.message, options: content.options)
        }
        func own(_ platform: AppPlatform) -> PlatformMessage? {
            variant.own[platform].map { message($0.filled(from: variant.text)) }
        }
        self.init(
            message(variant.text),
            ios: own(.ios),
            android: own(.android),
            web: own(.web)
        )
    }
}

extension PushDraft {
    fileprivate func texts(_ text: VariantText) -> PushDraft {
        var draft = self
        draft.title = text.title
        draft.subtitle = text.subtitle
        draft.message = text.message
        draft.url = text.url
        draft.imageURL = text.imageURL
        return draft
    }
}

extension VariantText {
    /// Where a platform says nothing of its own, the common text stands.
    fileprivate func filled(from common: VariantText) -> VariantText {
        var text = self
        if text.title.isEmpty { text.title = common.title }
        if text.subtitle.isEmpty { text.subtitle = common.subtitle }
        if text.message.isEmpty { text.message = common.message }
        if text.url.isEmpty { text.url = common.url }
        if text.imageURL.isEmpty { text.imageURL = common.imageURL }
        return text
    }

    fileprivate init(_ message: PushMessage) {
        self.init()
        title = message.title
        subtitle = message.subtitle
        self.message = message.body
        url = message.uri ?? ""
        imageURL = message.attachment?.url ?? ""
    }

    /// What differs from the common text.
    fileprivate func differing(from common: VariantText) -> VariantText {
        var text = self
        if text.title == common.title { text.title = "" }
        if text.subtitle == common.subtitle { text.subtitle = "" }
        if text.message == common.message { text.message = "" }
        if text.url == common.url { text.url = "" }
        if text.imageURL == common.imageURL { text.imageURL = "" }
        return text
    }
}

extension CampaignDelivery {
    fileprivate init(_ timing: CampaignTiming, zone: TimeZone) throws(PushProblems) {
        switch timing.kind {
        case .now: self = .immediately
        case .api: self = .apiTriggered
        case .action:
            self = .actionBased(
                ActionTrigger(
                    event: EventMatch(
                        timing.isPurchase
                            ? .purchase(product: nil) : .custom(name: timing.event)
                    ),
                    delay: Double(timing.delayMinutes) * 60,
                    exception: timing.exception.isEmpty
                        ? nil : EventMatch(word: timing.exception)
                )
            )
        case .scheduled:
            guard let start = CalendarDay(timing.day), let time = TimeOfDay(timing.time) else {
                throw PushProblems([
                    .init(field: "delivery.start", message: "is no day and time")
                ])
            }
            self = .scheduled(
                CampaignSchedule(
                    start: start,
                    time: time,
                    clock: timing.isLocal
                        ? .eachUser
                        : .zone(timing.zone.isEmpty ? zone.identifier : timing.zone),
                    recurrence: Recurrence(timing)
                )
            )
        }
    }
}

extension EventMatch {
    /// What a field of the form says: the name of an event, or `purchase` for any purchase.
    fileprivate init(word: String) {
        self.init(word == Self.purchaseWord ? .purchase(product: nil) : .custom(name: word))
    }

    fileprivate var word: String {
        switch kind {
        case .custom(let name): name
        case .purchase: Self.purchaseWord
        case .sessionStart: eventName
        }
    }

    private static let purchaseWord = "purchase"
}

extension Recurrence {
    fileprivate init?(_ timing: CampaignTiming) {
        let pattern: Pattern
        switch timing.repeats {
        case .never: return nil
        case .daily: pattern = .daily(every: timing.every)
        case .weekly: pattern = .weekly(every: timing.every, weekdays: timing.weekdays)
        case .monthly: pattern = .monthly(every: timing.every, days: timing.monthDays)
        }
        self.init(pattern, end: CalendarDay(timing.until).map { .onDay($0) } ?? .never)
    }
}

extension CampaignDraft {
    /// The draft a campaign was made from, to show, change and duplicate.
    init(_ content: CampaignContent, audience: PushAudience) {
        self.init()
        name = content.name
        note = content.note
        tags = content.tags
        if let first = content.variants.first {
            let send = SendContent(
                message: first.message.common.message,
                audience: content.audience,
                options: first.message.common.options
            )
            common = PushDraft(send, audience: audience).texts(VariantText())
        }
        common.audience = audience
        common.extraction = content.extraction == .frozen ? .whenReserved : .whenSent
        variants = content.variants.map(VariantDraft.init)
        controlShare = content.controlShare
        timing = CampaignTiming(content.delivery)
        if case .after(let pause) = content.reeligibility {
            againAfterDays = Int((pause / 86_400).rounded(.up))
        }
        ignoresCaps = content.isExemptFromCaps
        quietHours = QuietChoice(rawValue: content.quietHours.rawValue) ?? .hold
        conversions = content.conversions.map { conversion in
            var event = ""
            if case .custom(let name) = conversion.event.kind { event = name }
            return ConversionDraft(
                event: event,
                days: max(1, Int((conversion.window / 86_400).rounded()))
            )
        }
        messagesPerMinute = content.messagesPerMinute
        winner = content.winner.map {
            WinnerDraft(
                testShare: $0.testShare,
                hours: max(1, Int(($0.duration / 3600).rounded())),
                isByConversions: $0.measure == .conversions
            )
        }
    }
}

extension VariantDraft {
    fileprivate init(_ variant: CampaignVariant) {
        self.init()
        id = variant.apiID.uuidString.lowercased()
        name = variant.name
        weight = variant.weight
        text = VariantText(variant.message.common.message)
        let platforms: [(AppPlatform, PlatformMessage?)] = [
            (.ios, variant.message.ios), (.android, variant.message.android),
            (.web, variant.message.web),
        ]
        for case (let platform, let message?) in platforms {
            own[platform] = VariantText(message.message).differing(from: text)
        }
    }
}

extension CampaignTiming {
    fileprivate init(_ delivery: CampaignDelivery) {
        self.init()
        switch delivery {
        case .immediately: kind = .now
        case .apiTriggered: kind = .api
        case .actionBased(let trigger):
            kind = .action
            switch trigger.event.kind {
            case .custom(let name): event = name
            case .purchase: isPurchase = true
            case .sessionStart: event = trigger.event.eventName
            }
            delayMinutes = Int(trigger.delay / 60)
            exception = trigger.exception?.word ?? ""
        case .scheduled(let schedule):
            kind = .scheduled
            day = schedule.start.description
            time = schedule.time.description
            isLocal = schedule.clock == .eachUser
            if case .zone(let name) = schedule.clock { zone = name }
            guard let recurrence = schedule.recurrence else { return }
            switch recurrence.pattern {
            case .daily(let every): (repeats, self.every) = (.daily, every)
            case .weekly(let every, let weekdays):
                (repeats, self.every, self.weekdays) = (.weekly, every, weekdays)
            case .monthly(let every, let days):
                (repeats, self.every, monthDays) = (.monthly, every, days)
            }
            if case .onDay(let day) = recurrence.end { until = day.description }
        }
    }
}
