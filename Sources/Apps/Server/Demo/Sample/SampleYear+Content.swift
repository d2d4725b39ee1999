import Audience
import Campaigns
import Foundation
import Journeys
import Model
import News
import Ports

/// What the tea house has written.
extension SampleYear {
    func addContent() async throws {
        try await addSegments()
        try await addNews()
        try await addCampaign()
        try await addJourney()
    }

    private func addSegments() async throws {
        let service = SegmentService(store: store, now: clock.read)
        for (name, filter) in [
            ("Club members", #"custom."plan" = "club""#),
            ("Regulars", "session count >= 4 in last 30 days"),
            ("Matcha drinkers in Japan", #"custom."favourite_tea" = "matcha" and country = "JP""#),
            ("Not seen for a month", "last_session_at < now - 30 days"),
        ] {
            _ = try await service.create(
                SegmentService.Draft(name: name, definition: .text(filter)),
                by: actor
            )
        }
    }

    private func addNews() async throws {
        let service = NewsService(store: store, now: clock.read)
        for (title, text) in [
            ("The terrace is open", "Twelve tables under the maples, until the first frost."),
            ("New beans from Uji", "Stone-milled this week, in tins of 30 and 100 grams."),
        ] {
            var content = NewsContent(title: title, text: text)
            content.category = "Shop"
            content.isDraft = false
            _ = try await service.create(content, by: actor)
        }
    }

    /// A campaign for every Friday, with two texts and a control group.
    private func addCampaign() async throws {
        guard let time = TimeOfDay("17:30") else { preconditionFailure("this is a time of day") }
        var content = CampaignContent(
            name: "Friday tea",
            delivery: .scheduled(
                CampaignSchedule(
                    start: CalendarDay(number: Int(start(of: 1).timeIntervalSince1970 / Self.day)),
                    time: time,
                    clock: .zone("Asia/Tokyo"),
                    recurrence: Recurrence(.weekly(every: 1, weekdays: [5]))
                )
            ),
            variants: [
                variant(
                    2,
                    "Question",
                    "{{${first_name} | default: 'Hello'}}, which tea is it today?"
                ),
                variant(3, "Offer", "A second pot is on us until nine."),
            ]
        )
        content.controlShare = 10
        content.reeligibility = .after(0)
        content.conversions = [ConversionEvent(event: EventMatch(.purchase(product: nil)))]
        let service = CampaignService(
            store: store,
            planner: planner,
            now: clock.read,
            makeID: { Self.identifier(1) }
        ) { _, _ in }
        let campaign = try await service.create(content, by: actor)
        try await service.take(.activate, with: campaign, by: actor)
    }

    /// Texts and control group are drawn by it, so that it is the same each time.
    static func identifier(_ number: UInt8) -> UUID {
        UUID(uuid: (0x6E, 0x6F, 0x72, 0x6F, 0x73, 0x68, 0x49, 0, 0x80, 0, 0, 0, 0, 0, 1, number))
    }

    private func variant(
        _ number: UInt8,
        _ name: String,
        _ body: String,
        title: String = "Friday tea"
    ) -> CampaignVariant {
        CampaignVariant(
            apiID: Self.identifier(number),
            name: name,
            weight: 1,
            message: CampaignMessage(
                PlatformMessage(PushMessage(title: title, body: body))
            )
        )
    }

    /// Three days with somebody who has signed up.
    private func addJourney() async throws {
        let steps = (11...14).map { JourneyStepID(Self.identifier($0)) }
        var journey = JourneyDefinition(
            name: "First days",
            entry: .event(EventMatch(.custom(name: "signed_up"))),
            steps: [
                JourneyStep(id: steps[0], kind: .wait(.duration(Self.day)), next: steps[1]),
                JourneyStep(
                    id: steps[1],
                    name: "Welcome",
                    kind: .push(
                        JourneyPush(variants: [
                            variant(
                                4,
                                "Welcome",
                                "Nice to have you here. The menu is on the first page.",
                                title: "Welcome, {{${first_name} | default: 'dear guest'}}"
                            )
                        ])
                    ),
                    next: steps[2]
                ),
                JourneyStep(
                    id: steps[2],
                    name: "First cup",
                    kind: .wait(
                        .event(
                            EventMatch(.purchase(product: nil)),
                            limit: 2 * Self.day,
                            late: steps[3]
                        )
                    )
                ),
                JourneyStep(
                    id: steps[3],
                    name: "On the house",
                    kind: .push(
                        JourneyPush(variants: [
                            variant(
                                5,
                                "On the house",
                                "Show this at the counter before Sunday.",
                                title: "Your first cup is on us"
                            )
                        ])
                    )
                ),
            ]
        )
        journey.goal = ConversionEvent(
            event: EventMatch(.purchase(product: nil)),
            window: 7 * Self.day
        )
        let service = JourneyService(
            store: store,
            audience: audience,
            now: clock.read,
            makeID: { Self.identifier(10) },
            announce: { _, _ in }
        )
        _ = try await service.publish(try await service.create(journey, by: actor), by: actor)
    }

    /// From the middle of the year on: a question in the app, with two texts and a control group.
    func add(_ survey: SampleSurvey) async throws {
        try await store.createInAppMessage(
            survey.definition(in: workspace, at: clock.read())
        )
    }
}
