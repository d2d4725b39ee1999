import Audience
import Foundation
import Model
import WebPages

/// Fills the fields from a campaign.
extension CampaignForm {
    /// - Parameter audience: The audience of the campaign, in readable form.
    init(_ content: CampaignContent, audience: AudienceChoice) {
        self.init(fields: FormFields([]))
        name = content.name
        note = content.note
        tags = content.tags.joined(separator: ", ")
        let common = content.variants.first?.message.common ?? .unwritten
        push = PushForm(common, audience: audience)
        push.text = MessageText()
        push.extraction = content.extraction == .whenScheduled ? .whenReserved : .whenSent
        variants = content.variants.map { Variant($0, common: push.story) }
        controlShare = content.controlShare == 0 ? "" : String(content.controlShare)
        show(content.delivery)
        if case .after(let pause) = content.reeligibility {
            again = "after"
            againDays = String(Int((pause / 86_400).rounded(.up)))
        } else {
            again = "never"
        }
        quietHours = content.quietHours
        ignoresCaps = content.isExemptFromCaps
        reachesControlGroup = !content.withholdsFromControlGroup
        conversions = content.conversions.map(GoalForm.init)
        rate = content.messagesPerMinute.map(String.init) ?? ""
        hasWinner = content.winner != nil
        if let winner = content.winner {
            testShare = String(winner.testShare)
            winnerHours = String(max(1, Int((winner.duration / 3600).rounded())))
            isByConversions = winner.measure == .conversions
        }
    }

    private mutating func show(_ delivery: CampaignDelivery) {
        timing = Timing(delivery)
        switch delivery {
        case .immediately, .apiTriggered: break
        case .actionBased(let trigger):
            triggerKind = trigger.event.isPurchase ? "purchase" : "event"
            triggerEvent = trigger.event.isPurchase ? "" : trigger.event.shownName
            let minutes = Int(trigger.delay / 60)
            let isHours = minutes > 0 && minutes % 60 == 0
            delay = String(isHours ? minutes / 60 : minutes)
            delayUnit = isHours ? "hours" : "minutes"
            exception = trigger.exception?.shownName ?? ""
        case .scheduled(let schedule):
            day = schedule.start.description
            time = schedule.time.description
            isLocal = schedule.clock == .eachUser
            if case .zone(let name) = schedule.clock { zone = name }
            guard let recurrence = schedule.recurrence else { return }
            var step = 1
            switch recurrence.pattern {
            case .daily(let every): (repeats, step) = (.daily, every)
            case .weekly(let every, let days): (repeats, step, weekdays) = (.weekly, every, days)
            case .monthly(let every, let days):
                (repeats, step) = (.monthly, every)
                monthDays = days.sorted().map(String.init).joined(separator: ", ")
            }
            every = step == 1 ? "" : String(step)
            if case .onDay(let day) = recurrence.end { until = day.description }
        }
    }
}

extension CampaignForm.Timing {
    init(_ delivery: CampaignDelivery) {
        self =
            switch delivery {
            case .immediately: .now
            case .scheduled: .scheduled
            case .actionBased: .action
            case .apiTriggered: .api
            }
    }
}

extension CampaignForm.Variant {
    /// - Parameter common: The pages of the story that all variants have.
    init(_ variant: CampaignVariant, common: [StoryFields]) {
        id = variant.apiID.uuidString.lowercased()
        name = variant.name
        weight = String(variant.weight)
        let shown = PushForm(variant.message.common, audience: .everyone)
        text = shown.text
        for platform in MessagePlatform.allCases {
            guard let message = variant.message.own(platform) else { continue }
            own[platform] = PushForm(message, audience: .everyone).text.differing(from: text)
        }
        if shown.story != common { story = shown.story }
    }
}

extension CampaignMessage {
    /// The separate message of a platform; `nil` if it has none.
    func own(_ platform: MessagePlatform) -> PlatformMessage? {
        switch platform {
        case .ios: ios
        case .android: android
        case .web: web
        }
    }
}

extension PlatformMessage {
    static var unwritten: PlatformMessage { PlatformMessage(SendContent.unwritten.message) }
}

extension EventMatch {
    private static let purchaseWord = "purchase"

    var isPurchase: Bool {
        if case .purchase = kind { true } else { false }
    }

    /// The name in the form: that of an event, or `purchase` for any purchase.
    var shownName: String {
        switch kind {
        case .custom(let name): name
        case .purchase: Self.purchaseWord
        case .sessionStart: eventName
        }
    }

    init(shownName name: String) {
        self.init(name == Self.purchaseWord ? .purchase(product: nil) : .custom(name: name))
    }
}
