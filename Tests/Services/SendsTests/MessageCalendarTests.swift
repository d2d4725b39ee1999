import Audience
import Campaigns
import Foundation
import Logging
import Model
import Ports
import Reasons
import Sends
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

/// It is Wednesday, 25 November 2026, 12:00 in Tokyo, the workspace's zone.
@Suite("The calendar of what is planned")
struct MessageCalendarTests {
    private static let now = Timestamp.parse("2026-11-25T03:00:00Z") ?? .distantPast
    private static let zone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt

    private struct World {
        let store: SQLStore
        let workspace: WorkspaceID
        let campaigns: CampaignService
        let calendar: MessageCalendar

        var actor: Actor { .commandLine(account: "mio", workspace) }

        func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

        @discardableResult
        func activate(
            _ name: String,
            _ start: String,
            _ time: String,
            _ clock: ScheduleTimeZone = .zone("Asia/Tokyo"),
            recurrence: Recurrence? = nil
        ) async throws -> Campaign {
            let content = CampaignContent(
                name: name,
                delivery: .scheduled(
                    CampaignSchedule(
                        start: try day(start),
                        time: try #require(TimeOfDay(time)),
                        clock: clock,
                        recurrence: recurrence
                    )
                ),
                variants: [
                    CampaignVariant(
                        apiID: UUID(),
                        name: "A",
                        weight: 1,
                        message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea")))
                    )
                ]
            )
            let campaign = try await campaigns.create(content, by: actor)
            try await campaigns.take(.activate, with: campaign, by: actor)
            return try #require(try await campaigns.campaign(campaign.id, in: workspace))
        }

        func push(_ title: String, at time: String, local: LocalDateTime? = nil) async throws
            -> Send
        {
            var content = SendContent(
                message: PushMessage(title: title, body: "Tea"),
                audience: .everyone
            )
            content.localMoment = local
            return try await store.createSend(
                content,
                in: workspace,
                scheduledAt: try #require(Timestamp.parse(time)),
                now: now
            )
        }

        /// The days from one to another, without those on which there is nothing.
        func plan(_ first: String, _ last: String) async throws -> [String] {
            try await calendar.plan(of: day(first)...day(last), in: workspace, zone: zone).days
                .filter { !$0.messages.isEmpty }
                .map { day in
                    "\(day.day): "
                        + day.messages.map { "\($0.name) \($0.time)" }.joined(separator: ", ")
                }
        }

        func findings(_ text: String) async throws -> [MessageCalendar.Finding] {
            let day = try day(text)
            return try await calendar.plan(of: day...day, in: workspace, zone: zone).days[0]
                .findings
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-calendar-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let now: @Sendable () -> Date = { Self.now }
        let audience = SegmentationService(
            store: store,
            now: now,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let campaigns = CampaignService(
            store: store,
            planner: SendPlanner(store: store, audience: audience, now: now),
            now: now
        ) { _, _ in }
        try await body(
            World(
                store: store,
                workspace: try await StoreConformance(store).fixture().workspace,
                campaigns: campaigns,
                calendar: MessageCalendar(
                    campaigns: campaigns,
                    control: SendControl(store: store, now: now),
                    limits: LimitService(store: store, now: now),
                    now: now
                )
            )
        )
    }

    @Test("has pushes and launches on the days of the workspace, in the order of their time")
    func days() async throws {
        try await withWorld { world in
            try await world.activate("Once", "2026-11-27", "09:30")
            try await world.activate(
                "Weekly",
                "2026-11-20",
                "08:00",
                recurrence: Recurrence(.weekly(every: 1, weekdays: [5]))
            )
            // Already the 28th in Tokyo.
            _ = try await world.push("Late", at: "2026-11-27T15:30:00Z")
            #expect(
                try await world.plan("2026-11-23", "2026-12-06") == [
                    "2026-11-27: Weekly 08:00, Once 09:30", "2026-11-28: Late 00:30",
                    "2026-12-04: Weekly 08:00",
                ]
            )
            #expect(try await world.plan("2026-11-29", "2026-12-03") == [])
        }
    }

    @Test("a message at each user's own time is on the day of their calendars")
    func local() async throws {
        try await withWorld { world in
            try await world.activate("Everywhere", "2026-11-30", "23:00", .eachUser)
            let local = LocalDateTime(
                day: try world.day("2026-12-01"),
                time: try #require(TimeOfDay("01:00"))
            )
            _ = try await world.push("Early", at: "2026-11-30T11:00:00Z", local: local)
            #expect(
                try await world.plan("2026-11-23", "2026-12-06") == [
                    "2026-11-30: Everywhere 23:00", "2026-12-01: Early 01:00",
                ]
            )
        }
    }

    @Test("says how many messages come within an hour, and which cap they exceed together")
    func findings() async throws {
        try await withWorld { world in
            let cap = FrequencyCap(messages: 2, days: 7)
            try await world.store.saveLimits(
                MessagingLimits(caps: [cap]),
                of: world.workspace
            )
            try await world.activate("A", "2026-11-27", "09:00")
            try await world.activate("B", "2026-11-27", "10:00")
            #expect(try await world.findings("2026-11-27") == [])
            _ = try await world.push("C", at: "2026-11-27T00:59:00Z")
            // A push that no campaign sends does not count for caps.
            #expect(try await world.findings("2026-11-27") == [.close(2)])
            try await world.activate("D", "2026-12-03", "09:00")
            #expect(try await world.findings("2026-12-03") == [.overCap(cap, planned: 3)])
            try await world.activate("E", "2026-12-04", "09:00")
            #expect(try await world.findings("2026-12-04") == [])
            #expect(try await world.findings("2026-12-02") == [])
        }
    }

    @Test("a message is moved to another day at the same time, and to a local one on every clock")
    func moving() async throws {
        try await withWorld { world in
            let campaign = try await world.activate("Once", "2026-11-27", "09:30")
            let push = try await world.push("Push", at: "2026-11-27T15:30:00Z")
            let local = LocalDateTime(
                day: try world.day("2026-11-29"),
                time: try #require(TimeOfDay("07:00"))
            )
            let early = try await world.push("Local", at: "2026-11-28T17:00:00Z", local: local)
            for subject in [
                PlannedMessage.Subject.campaign(campaign), .push(push), .push(early),
            ] {
                #expect(
                    try await world.calendar.move(
                        subject,
                        to: world.day("2027-02-01"),
                        by: world.actor,
                        zone: Self.zone
                    )
                )
            }
            #expect(
                try await world.plan("2027-01-25", "2027-02-07") == [
                    "2027-02-01: Push 00:30, Local 07:00, Once 09:30"
                ]
            )
            #expect(try await world.plan("2026-11-23", "2026-12-06") == [])
            let moved = try #require(try await world.store.send(early.id))
            #expect(moved.scheduledAt == Timestamp.parse("2027-01-31T17:00:00Z"))
        }
    }

    @Test(
        "a push keeps its time of day when the clocks were changed in between",
        arguments: [
            // The clocks of New York go forward at 2:00 on the 14th of March, and back on 7 November.
            ("2026-11-27T14:30:00Z", "2027-03-13", "2027-03-13T14:30:00Z"),
            ("2026-11-27T14:30:00Z", "2027-03-15", "2027-03-15T13:30:00Z"),
            ("2026-11-27T14:30:00Z", "2027-11-07", "2027-11-07T14:30:00Z"),
            ("2026-11-27T14:30:00Z", "2028-02-29", "2028-02-29T14:30:00Z"),
            // Half past two does not exist on the 14th: as late after midnight as on other days.
            ("2026-11-27T07:30:00Z", "2027-03-14", "2027-03-14T07:30:00Z"),
            // Half past one comes twice on the 7th of November: the first of the two.
            ("2026-11-27T06:30:00Z", "2027-11-07", "2027-11-07T05:30:00Z"),
        ]
    )
    func clockChanges(before: String, day: String, after: String) async throws {
        try await withWorld { world in
            let push = try await world.push("Push", at: before)
            let zone = try #require(TimeZone(identifier: "America/New_York"))
            #expect(
                try await world.calendar.move(
                    .push(push),
                    to: world.day(day),
                    by: world.actor,
                    zone: zone
                )
            )
            let moved = try #require(try await world.store.send(push.id))
            #expect(moved.scheduledAt == Timestamp.parse(after))
        }
    }

    @Test("nothing is moved to a time that has passed for everybody, and no launch that repeats")
    func refused() async throws {
        try await withWorld { world in
            let campaign = try await world.activate("Once", "2026-11-27", "09:30")
            let push = try await world.push("Push", at: "2026-11-27T15:30:00Z")
            for subject in [PlannedMessage.Subject.campaign(campaign), .push(push)] {
                await #expect(throws: ValidationError.self) {
                    try await world.calendar.move(
                        subject,
                        to: world.day("2026-11-24"),
                        by: world.actor,
                        zone: Self.zone
                    )
                }
            }
            let weekly = try await world.activate(
                "Weekly",
                "2026-11-26",
                "08:00",
                recurrence: Recurrence(.weekly(every: 1, weekdays: [5]))
            )
            await #expect(throws: RefusalError.self) {
                try await world.calendar.move(
                    .campaign(weekly),
                    to: world.day("2026-12-01"),
                    by: world.actor,
                    zone: Self.zone
                )
            }
            #expect(try await world.store.control(push.id, .stop, noting: nil, now: Self.now))
            let stopped = try #require(try await world.store.send(push.id))
            #expect(
                try await !world.calendar.move(
                    .push(stopped),
                    to: world.day("2026-12-01"),
                    by: world.actor,
                    zone: Self.zone
                )
            )
        }
    }
}
