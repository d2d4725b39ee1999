import ArgumentParser
import Audience
import Foundation
import Logging
import Model
import Retention
import StoreSQL
import Synchronization

/// How a database grows that gets as many events every day as it removes.
struct GrowthBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "A year of events and sessions with the removal of old ones, by month.",
        discussion: """
            Days of a steered clock go through the real ingestion, the real store, the real columns and \
            the real removal, which works without its pauses and beside the ingestion of the next day, as \
            in a server: eight clients send requests of 1,000 events, each when its last one is durable. \
            The file has to stop growing when the period is reached, and ingestion and answers must not \
            become slower.
            """
    )

    @Option(help: "Days to simulate.")
    var days = 365

    @Option(help: "Events a day.")
    var events = 1_000_000

    @Option(help: "After how many days custom events and sessions are removed, at least 30.")
    var period = 90

    @Option(help: "Users whose events they are.")
    var users = 100_000

    @Option(help: "Of a hundred events, how many begin a session.")
    var sessions = 0

    @Option(help: "The folder of the database; a temporary one if not given.")
    var folder: String?

    func validate() throws {
        for (option, value) in [("days", days), ("events", events), ("users", users)]
        where value < 1 {
            throw ValidationError("--\(option) has to be at least 1")
        }
        guard period >= 30 else { throw ValidationError("--period has to be at least 30") }
        guard 0...100 ~= sessions else {
            throw ValidationError("--sessions is a share in percent, from 0 to 100")
        }
    }

    func run() async throws {
        let parent = folder.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let place = parent.appending(path: "noroshi-growth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        // What stays of a folder for such files is only in the way.
        defer { try? FileManager.default.removeItem(at: place) }
        let world = try await GrowthWorld(
            path: place.appending(path: "growth.sqlite").path,
            period: period,
            workload: GrowthWorkload(events: events, users: users, sessions: sessions)
        )
        print(GrowthMonth.heading)
        var months: [GrowthMonth] = []
        for first in stride(from: 0, to: days, by: 30) {
            let month = try await world.live(first..<min(first + 30, days), months.last)
            print(month.line)
            // A year takes an hour and more: whoever waits wants to see the months.
            fflush(nil)
            months.append(month)
        }
        try await world.close()
        print(GrowthVerdict(months, period: period).text)
    }
}
