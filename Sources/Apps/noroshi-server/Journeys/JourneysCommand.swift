import ArgumentParser
import Audience
import ContentFiles
import Foundation
import Journeys
import Model
import Server
import StoreSQL

/// Journeys on the command line, read from the database beside a running server.
struct JourneysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journeys",
        abstract: "Journeys: list, export, import, publish, pause, stop, figures, and why.",
        discussion: """
            A journey is named by its number, its journey_id, or its name where only one has it. \
            What runs notices a change within a second.
            """,
        subcommands: [
            List.self, Export.self, Import.self, Check.self, PublishJourneyCommand.self,
            Pause.self, Resume.self, Drain.self, Stop.self, Archive.self, Figures.self,
            ExplainJourneyCommand.self,
        ]
    )

    /// The options of a command about one journey.
    struct JourneyOptions: ParsableArguments {
        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "The journey: its number, journey_id or name.") var journey: String

        func open() async throws -> (WorkspaceHandle, Journey) {
            let opened = try await options.openExisting()
            return (opened, try await opened.journey(journey))
        }
    }
}

extension WorkspaceHandle {
    /// The verbs of journeys for a command; reads the audience into memory first only if segments
    /// are evaluated.
    func journeys<Value>(
        evaluatingSegments: Bool = false,
        _ body: (JourneyService) async throws -> Value
    ) async throws -> Value {
        func perform(_ audience: SegmentationService) async throws -> Value {
            // A running server looks for what has changed by itself.
            try await body(
                JourneyService(store: store, audience: audience, now: ServerDependencies.live.now) {
                    _,
                    _ in
                }
            )
        }
        return evaluatingSegments
            ? try await CommandAudience.with(store, perform)
            : try await CommandAudience.withoutUsers(store, perform)
    }

    /// The journey that a command names.
    func journey(_ text: String) async throws -> Journey {
        try await journeys { service in
            if let number = Int64(text),
                let journey = try await service.journey(JourneyID(number), in: id)
            {
                return journey
            }
            if let apiID = UUID(uuidString: text),
                let journey = try await service.journey(apiID: apiID, in: id)
            {
                return journey
            }
            let query = JourneyQuery(
                text: text,
                states: Set(JourneyState.allCases),
                limit: 1_000
            )
            let named = try await service.journeys(in: id, matching: query).journeys
                .filter { $0.draft.name == text }
            guard let journey = named.first else {
                throw ValidationError("there is no journey '\(text)'; 'journeys list' shows them")
            }
            guard named.count == 1 else {
                let numbers = named.map { "\($0.id)" }.joined(separator: ", ")
                throw ValidationError("several journeys are called '\(text)': \(numbers)")
            }
            return journey
        }
    }
}

extension JourneysCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The newest journeys.")

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "How many.") var limit = 50
        @Flag(help: "Archived ones too.") var all = false

        func validate() throws {
            guard (1...1_000_000).contains(limit) else {
                throw ValidationError("--limit is from 1 to 1000000")
            }
        }

        func run() async throws {
            let opened = try await options.openExisting()
            let query = JourneyQuery(
                states: all ? Set(JourneyState.allCases) : [],
                limit: limit
            )
            let (found, totals) = try await opened.journeys { service in
                let found = try await service.journeys(in: opened.id, matching: query)
                return (found, try await service.totals(of: found.journeys))
            }
            print("  NO  STATE     VERSION    INSIDE   ENTERED CONVERTED  NAME")
            for journey in found.journeys {
                let figures = totals[journey.id] ?? JourneyTotals()
                let version =
                    (journey.version.map { "\($0)" } ?? "–")
                    + (journey.hasUnpublishedChanges ? "*" : "")
                print(
                    "\(journey.id)".leftPadded(4),
                    " \(journey.state.rawValue)".rightPadded(10),
                    version.leftPadded(6),
                    "\(figures.inside)".leftPadded(9),
                    "\(figures.entered)".leftPadded(9),
                    "\(figures.converted)".leftPadded(9),
                    " " + journey.draft.name.prefix(40)
                )
            }
            if found.total > found.journeys.count { print("\(found.total) in all") }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a journey's draft as a file that people read and change."
        )

        @OptionGroup var options: JourneyOptions
        @Option(help: "The file; standard output without it.") var output: String?

        func run() async throws {
            let (opened, journey) = try await options.open()
            let service = ContentFileService(store: opened.store, now: ServerDependencies.live.now)
            guard let text = try await service.text(ofJourney: journey.apiID, in: opened.id)
            else { throw ValidationError("journey \(journey.id) cannot be read") }
            guard let output else { return print(text, terminator: "") }
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads a journey's file into its draft, or into a new journey.",
            discussion: """
                Nobody's way changes before the draft is published. A file without an id is a new \
                journey. Lines and fields that cannot be are named, and nothing is stored then.
                """
        )

        /// Maximum size of a file in bytes.
        private static let byteLimit = 8 << 20

        @OptionGroup var options: WorkspaceOptions
        @Argument(help: "The file.") var file: String

        func run() async throws {
            let opened = try await options.openExisting()
            let data: Data
            do {
                data = try Data(contentsOf: URL(fileURLWithPath: file))
            } catch {
                throw ValidationError("\(file) cannot be read")
            }
            guard data.count <= Self.byteLimit else {
                throw ValidationError("\(file) has more than \(Self.byteLimit) bytes")
            }
            let service = ContentFileService(store: opened.store, now: ServerDependencies.live.now)
            do {
                let (id, outcome) = try await service.bringIn(
                    journey: Array(data),
                    makeID: { UUID() },
                    by: opened.actor
                )
                let journey = try await opened.journey(id.uuidString)
                let word =
                    outcome.added > 0 ? "made" : outcome.changed > 0 ? "changed" : "as it was"
                print("Journey \(journey.id), '\(journey.draft.name)', is \(word).")
            } catch let error as Model.ValidationError {
                throw ValidationError("nothing was stored\n\(error.linesOfFile)")
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what keeps a draft from being published; 1 if there is anything."
        )

        @OptionGroup var options: JourneyOptions

        func run() async throws {
            let (opened, journey) = try await options.open()
            let problems = try await opened.journeys(evaluatingSegments: true) {
                try await $0.problems(of: journey.draft, in: opened.id)
            }
            for problem in problems { print("\(problem.field): \(problem.message)") }
            guard problems.isEmpty else { throw ExitCode(1) }
            print("Journey \(journey.id) can be published.")
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Halts a journey: nobody enters or moves on, times of waits go on."
        )
        @OptionGroup var options: JourneyOptions

        func run() async throws { try await options.take(.pause, "is paused") }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets a paused journey go on.")
        @OptionGroup var options: JourneyOptions

        func run() async throws { try await options.take(.resume, "goes on") }
    }

    struct Drain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets nobody in any more; who is inside goes on to the end."
        )
        @OptionGroup var options: JourneyOptions

        func run() async throws { try await options.take(.drain, "lets nobody in any more") }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a journey for everybody inside; what waits is not sent."
        )
        @OptionGroup var options: JourneyOptions

        func run() async throws { try await options.take(.stop, "is stopped") }
    }

    struct Archive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hides a journey that is a draft or stopped from lists."
        )
        @OptionGroup var options: JourneyOptions

        func run() async throws { try await options.take(.archive, "is archived") }
    }

    struct Figures: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "How many people are and were at each step."
        )
        @OptionGroup var options: JourneyOptions

        func run() async throws {
            let (opened, journey) = try await options.open()
            let (steps, figures) = try await opened.journeys { service in
                var steps = journey.draft.steps
                if let number = journey.version,
                    let version = try await service.version(number, of: journey)
                {
                    steps = version.definition.steps
                }
                return (steps, try await service.figures(of: journey))
            }
            for line in JourneyText.figures(figures, of: journey, steps: steps) { print(line) }
        }
    }
}

extension JourneysCommand.JourneyOptions {
    fileprivate func take(_ action: JourneyAction, _ words: String) async throws {
        let (opened, journey) = try await open()
        do {
            try await opened.journeys {
                try await $0.take(action, with: journey, by: opened.actor)
            }
        } catch let refusal as RefusalError {
            throw ValidationError("\(refusal); it is \(journey.state.rawValue)")
        }
        print("Journey \(journey.id), '\(journey.draft.name)', \(words).")
    }
}
