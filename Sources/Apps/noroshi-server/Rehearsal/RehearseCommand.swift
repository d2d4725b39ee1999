import ArgumentParser
import Foundation
import Model
import Rehearsals
import Server

struct RehearseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Plays days of campaigns and journeys in seconds, on a copy, and sends nothing.",
        discussion: """
            WHAT is a folder of `pull`, whose campaigns and journeys are started, or the name or \
            identifier of one campaign or journey of the workspace. What else is active goes on \
            beside it, since it counts for the same caps. The parts are the server's own, on a \
            clock that jumps to where something is due; the database is copied and the copy is \
            thrown away.

            People repeat what they did in the four weeks before, each a week drawn at a time, and \
            open the share of pushes that they opened then, or --open-rate. As many sign up each \
            day as did then, or --sign-ups-per-day, and phones show in-app messages. --seed draws again. \
            With --users they are those of a file of `export users` (or a CSV table) instead of \
            the workspace's, and nothing of a database is read.

            The text is the same on every machine: keep it beside the folder, and --expect it in \
            tests. It ends with 1 where it differs, and shows the lines.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Argument(help: "A folder, or a campaign or journey.")
    var what: String
    @Option(help: "When it begins (ISO 8601); now, without it.")
    var from: String?
    @Option(help: "How many days.")
    var days = 14
    @Option(help: "A file of people, in place of those in the database.")
    var users: String?
    @Option(help: "Another number draws other behavior.")
    var seed: UInt64 = 1
    @Option(help: "The share of pushes that are opened, in percent.")
    var openRate: Double?
    @Option(help: "How many people sign up each day, in place of as many as did before.")
    var signUpsPerDay: Double?
    @Flag(help: "People do nothing but open pushes.")
    var noHistory = false
    @Option(help: "Writes the text into a file instead of printing it.")
    var output: String?
    @Option(help: "Writes a page with a calendar (HTML).")
    var report: String?
    @Option(help: "Writes who got what, and who did not and why, a line each (CSV).")
    var rows: String?
    @Option(help: "A text of an earlier rehearsal, which this one has to equal.")
    var expect: String?

    func validate() throws {
        guard RehearsalSettings.days.contains(days) else {
            let range = RehearsalSettings.days
            throw ValidationError("--days is from \(range.lowerBound) to \(range.upperBound)")
        }
        guard openRate.map({ (0...100).contains($0) }) ?? true else {
            throw ValidationError("--open-rate is a percentage from 0 to 100")
        }
        guard signUpsPerDay.map({ (0...100_000).contains($0) }) ?? true else {
            throw ValidationError("--sign-ups-per-day is a number from 0 to 100,000")
        }
        if let from, Timestamp.parse(from) == nil {
            throw ValidationError("--from is a time such as 2026-03-25T09:00:00Z")
        }
    }

    func run() async throws {
        // Before minutes of playing.
        let expected = try expect.map { path in
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw ValidationError("--expect: there is no text in \(path)")
            }
            return text
        }
        let settings = RehearsalSettings(
            from: from.flatMap(Timestamp.parse) ?? ServerDependencies.live.now(),
            days: days,
            seed: seed,
            openRate: openRate.map { $0 / 100 },
            repeatsHistory: !noHistory,
            signUpsPerDay: signUpsPerDay
        )
        for (option, path) in [("output", output), ("report", report), ("rows", rows)] {
            if let path { try Self.requirePlace(path, option) }
        }
        let file = try rows.map { try RehearsalRowFile($0) }
        let result = try await RehearsalStage.play(
            what,
            users,
            options,
            settings,
            file.map(Self.writing)
        )
        try file?.close()
        let text = RehearsalText(result)
        if let report {
            try RehearsalPage(result).html.write(toFile: report, atomically: true, encoding: .utf8)
        }
        if let output {
            try text.text.write(toFile: output, atomically: true, encoding: .utf8)
        } else if expected == nil {
            print(text.text, terminator: "")
        }
        guard let expected else { return }
        let difference = text.difference(from: expected)
        guard difference.isEmpty else {
            print(difference.joined(separator: "\n"))
            throw ExitCode(1)
        }
        print("as expected: \(result.sent) messages in \(days) days")
    }

    private static func writing(
        _ file: RehearsalRowFile
    ) -> @Sendable (RehearsalRow) throws -> Void {
        { try file.write($0) }
    }

    /// Rejects a file that could not be written after minutes of playing.
    private static func requirePlace(_ path: String, _ option: String) throws {
        let manager = FileManager.default
        if manager.fileExists(atPath: path) {
            if FileHandle(forWritingAtPath: path) != nil { return }
        } else if manager.createFile(atPath: path, contents: nil) {
            return try manager.removeItem(atPath: path)
        }
        throw ValidationError("--\(option): \(path) cannot be written")
    }
}
