import Foundation
import Model
import NoroshiWire
import Ports

extension SampleWorkspace {
    func addCampaigns() async throws {
        guard let day = CalendarDay(2026, 12, 24), let time = TimeOfDay(9, 30) else { return }
        let names = ["Welcome", "誕生日クーポン", "Cart reminder", "Weekly menu"]
        // The second one is a draft, the third one uses a content block and is active.
        let states: [CampaignState?] = [.active, nil, .active, .paused, .stopped]
        for number in 1...size.campaigns {
            let name = number <= names.count ? names[number - 1] : "Campaign \(number)"
            let campaign = try await store.createCampaign(
                content(name, number, delivery(number, on: LocalDateTime(day: day, time: time))),
                apiID: Self.id(800_000 + number),
                in: workspace,
                now: before(3600)
            )
            guard let state = states[(number - 1) % states.count] else { continue }
            let isScheduled =
                if case .scheduled = campaign.content.delivery { true } else { false }
            for next in state == .active ? [.active] : [.active, state] {
                _ = try await store.transitionCampaign(
                    campaign.id,
                    from: [.draft, .active],
                    to: next,
                    nextDueAt: isScheduled ? now.addingTimeInterval(86_400) : nil,
                    now: before(1800)
                )
            }
        }
    }

    private func content(
        _ name: String,
        _ number: Int,
        _ delivery: CampaignDelivery
    ) -> CampaignContent {
        let hours = number == 3 ? " {{content_blocks.${opening_hours}}}" : ""
        let texts = [
            "Hello {{${first_name}}}, your table by the window is free." + hours,
            "The window table is free, {{${first_name}}}!",
        ]
        let variants = texts.prefix(number % 2 == 0 ? 2 : 1).enumerated().map { index, text in
            var message = CampaignMessage(
                PlatformMessage(PushMessage(title: "Kissa Aoi", body: text))
            )
            if index == 1 {
                message.android = PlatformMessage(PushMessage(body: "Window table free!"))
            }
            return CampaignVariant(
                apiID: Self.id(810_000 + number * 10 + index),
                name: ["A", "B"][index],
                message: message
            )
        }
        var content = CampaignContent(
            name: name,
            delivery: delivery,
            variants: Array(variants)
        )
        guard number % 2 == 0 else { return content }
        content.controlShare = 10
        content.conversions = [
            ConversionEvent(event: EventMatch(.custom(name: "table_reserved"))),
            ConversionEvent(event: EventMatch(.purchase(product: nil))),
        ]
        return content
    }

    private func delivery(_ number: Int, on moment: LocalDateTime) -> CampaignDelivery {
        switch number % 4 {
        case 1: .actionBased(EventTrigger(event: EventMatch(.sessionStart)))
        case 3:
            .actionBased(
                EventTrigger(event: EventMatch(.custom(name: "cart_abandoned")), delay: 3600)
            )
        case 2: .apiTriggered
        default:
            .scheduled(
                CampaignSchedule(
                    start: moment.day,
                    time: moment.time,
                    clock: .eachUser,
                    recurrence: Recurrence(.weekly(every: 1, weekdays: [1]))
                )
            )
        }
    }
}
