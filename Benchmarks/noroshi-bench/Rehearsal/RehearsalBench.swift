import ArgumentParser
import Audience
import Campaigns
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Rehearsals
import Scheduling
import Segments
import StoreSQL

/// What a rehearsal of many people costs.
struct RehearsalBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearsal",
        abstract: "Days of campaigns for many people, played as `rehearse` plays them.",
        discussion: """
            Of the campaigns some come on an event, of the others a quarter daily and the rest weekly; each \
            has two variants with a name in its text, half of them an audience of their own. People speak \
            four languages in five zones and did something on three days of each of the four weeks \
            before, which they repeat.
            """
    )

    @Option(help: "People.")
    var people = 10_000
    @Option(help: "Days that are played.")
    var days = 30
    @Option(help: "Campaigns.")
    var campaigns = 20
    @Option(help: "Of the campaigns, how many answer an event of each person's, an hour later.")
    var onEvents = 1
    @Option(help: "The share of pushes that are opened, in percent.")
    var openRate = 8.0
    @Option(help: "How many play side by side; as many as there are processors, without it.")
    var hands = ProcessInfo.processInfo.activeProcessorCount

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-bench-rehearsal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = ContinuousClock()
        let filled = clock.now
        let stage = try await RehearsedWorkspace(
            folder,
            people: people,
            campaigns: campaigns,
            onEvents: onEvents
        )
        print("\(people) people and \(campaigns) campaigns are stored in \(clock.now - filled)")
        let memory = MemoryUse.currentBytes()
        let start = clock.now
        let processor = ProcessorTime.own()
        let result = try await stage.play(days: days, openRate: openRate / 100, hands: hands)
        let taken = clock.now - start
        let used = ProcessorTime.own() - processor
        let seconds = taken / .seconds(1)
        print(
            "\(days) days: \(result.sent) messages, \(result.opened) opens, \(result.repeated) events"
        )
        print("digest: \(UUID(named: RehearsalText(result).text.utf8))")
        print(
            String(
                format: "%.1f s, %.1f s of processors, %.0f messages a second",
                seconds,
                used,
                Double(result.sent) / max(seconds, 0.001)
            )
        )
        print(
            String(
                format: "memory: %.0f MB before, %.0f MB at most",
                Double(memory) / 1_048_576,
                Double(MemoryUse.peakBytes()) / 1_048_576
            )
        )
    }
}

/// A workspace with people who did something before, and drafts of campaigns.
private struct RehearsedWorkspace {
    private static let start = Date(timeIntervalSince1970: 1_772_409_600)
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    private let folder: URL
    private let store: SQLStore
    private let workspace: WorkspaceID

    init(_ folder: URL, people: Int, campaigns: Int, onEvents: Int) async throws {
        self.folder = folder
        store = try SQLStore(
            path: folder.appending(path: "rehearsal.sqlite").path,
            isThrownAway: true
        )
        workspace = try await store.createWorkspace(
            name: "Bench",
            timeZone: "Europe/Berlin",
            now: Self.start
        )
        let table = folder.appending(path: "people.csv")
        try Self.table(people).write(to: table, atomically: true, encoding: .utf8)
        try await RehearsalGuests(store, of: workspace, now: Self.start).add(table.path)
        try await addEvents(of: people)
        for number in 0..<campaigns {
            try await add(number, comesOnEvent: number >= campaigns - onEvents)
        }
    }

    private static func table(_ people: Int) -> String {
        let languages = ["en", "ja", "pt", "de"]
        let zones = [
            "Europe/Berlin", "Asia/Tokyo", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata",
        ]
        return
            (["external_id,first_name,language,time_zone"]
            + (0..<people).map {
                "user-\($0),Guest \($0),\(languages[$0 % 4]),\(zones[$0 % 5])"
            }).joined(separator: "\n")
    }

    /// Three days a week, at a time of each person's own.
    private func addEvents(of people: Int) async throws {
        for week in 0..<4 {
            for first in stride(from: 0, to: people, by: 2_000) {
                let items = (first..<min(people, first + 2_000)).flatMap { person in
                    (0..<3).map { place in
                        let days = Double(week * 7 + 1 + (person + place * 2) % 7)
                        let seconds = Double(person * 7_919 % 86_400)
                        return IngestItem(
                            recordID: nil,
                            user: .external("user-\(person)"),
                            time: Self.start.addingTimeInterval(-days * 86_400 + seconds),
                            content: .event(
                                name: place == 0 ? "order" : "visit",
                                properties: ["cups": .integer(Int64(person % 5))]
                            )
                        )
                    }
                }
                let request = IngestRequest(workspace: workspace, source: .api, items: items)
                _ = try await store.ingest([request], now: Self.start)
            }
        }
    }

    private func add(_ number: Int, comesOnEvent: Bool) async throws {
        let variants = ["A", "B"].map { name in
            CampaignVariant(
                apiID: UUID(named: "bench/\(number)/\(name)".utf8),
                name: name,
                weight: 1,
                message: CampaignMessage(
                    PlatformMessage(
                        PushMessage(
                            title: "Tea \(number)\(name)",
                            body: "For {{${first_name} | default: 'you'}}: a second pot until nine."
                        )
                    )
                )
            )
        }
        var content = CampaignContent(
            name: "Campaign \(number)",
            delivery: try Self.delivery(number, comesOnEvent: comesOnEvent),
            variants: variants
        )
        content.reeligibility = .after(0)
        if number % 2 == 1 {
            content.audience = .matching(
                SegmentQuery(
                    segments: [],
                    filter: String(
                        decoding: try SegmentJSON.encode(
                            SegmentParser.parse("language = \"ja\"").rule
                        ),
                        as: UTF8.self
                    )
                )
            )
        }
        let start = Self.start
        let audience = SegmentationService(store: store, now: { start }, logger: Self.logger)
        _ = try await CampaignService(
            store: store,
            planner: SendPlanner(store: store, audience: audience, now: { start }),
            now: { start },
            makeID: { UUID(named: "bench/\(number)".utf8) },
            announce: { _, _ in }
        ).create(content, by: .commandLine(account: "bench", workspace))
    }

    private static func delivery(
        _ number: Int,
        comesOnEvent: Bool
    ) throws -> CampaignDelivery {
        if comesOnEvent {
            return .actionBased(
                EventTrigger(event: EventMatch(.custom(name: "order")), delay: 3_600)
            )
        }
        guard let day = CalendarDay("2026-01-05"), let time = TimeOfDay(8 + number % 12, 30)
        else { throw BenchError("no time") }
        return .scheduled(
            CampaignSchedule(
                start: day.adding(days: number % 7),
                time: time,
                clock: .eachUser,
                recurrence: Recurrence(.daily(every: number % 4 == 0 ? 1 : 7))
            )
        )
    }

    func play(days: Int, openRate: Double, hands: Int) async throws -> RehearsalResult {
        var settings = RehearsalSettings(from: Self.start, days: days, openRate: openRate)
        let names = try await store.campaigns(in: workspace, matching: CampaignQuery(limit: 1_000))
            .campaigns.map(\.content.name)
        settings.starts = .named(campaigns: Set(names), journeys: [])
        return try await Rehearsal(
            store,
            of: workspace,
            settings,
            payload: PayloadMeter(limit: 4_096) { $0.body.utf8.count },
            logger: Self.logger,
            hands: RehearsalHands(hands) { [folder, store] in
                let path = folder.appending(path: "\(UUID().uuidString).sqlite").path
                try await store.copy(to: path)
                return try SQLStore(path: path, isThrownAway: true)
            }
        ).run()
    }
}
