import ArgumentParser
import Foundation
import Journeys
import Model
import Server
import StoreSQL

enum MigrationKind: String, CaseIterable, ExpressibleByArgument {
    case keep, move
}

/// Publishes the draft of a journey, after a look at what that does with the people inside.
struct PublishJourneyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Makes a draft the version that people enter, and starts the journey.",
        discussion: """
            With --migration keep everybody inside goes on with the version in which they are; \
            with move everybody is moved to the new one. Whoever waits at a step that is gone goes \
            on at the step that --removed OLD=NEW names, and leaves where none is named. --preview \
            shows the numbers of people and publishes nothing.
            """
    )

    @OptionGroup var options: JourneysCommand.JourneyOptions
    @Option(help: "keep or move.") var migration = MigrationKind.keep
    @Option(help: "OLD=NEW: identifiers of steps, or names of those of the draft.")
    var removed: [String] = []
    @Flag(help: "Only shows what would happen.") var preview = false

    func validate() throws {
        guard removed.isEmpty || migration == .move else {
            throw ValidationError("--removed is for --migration move")
        }
    }

    func run() async throws {
        let (opened, journey) = try await options.open()
        let migration = try rule(of: journey)
        try await opened.journeys(evaluatingSegments: true) { service in
            let rows = try await service.preview(of: migration, of: journey)
            for line in JourneyText.preview(rows, of: journey) { print(line) }
            guard !preview else { return }
            do {
                let published = try await service.publish(
                    journey,
                    migration: migration,
                    by: opened.actor
                )
                print(
                    "Journey \(journey.id), '\(journey.draft.name)', is \(published.state.rawValue)"
                        + " with version \(published.version ?? 0)."
                )
            } catch let error as Model.ValidationError {
                let lines = error.problems.map { "\($0.field): \($0.message)" }
                throw ValidationError("nothing was published\n" + lines.joined(separator: "\n"))
            } catch let refusal as RefusalError {
                throw ValidationError("\(refusal)")
            }
        }
    }

    private func rule(of journey: Journey) throws -> JourneyMigration {
        guard migration == .move else { return .keep }
        var targets: [JourneyStepID: JourneyStepID] = [:]
        for pair in removed {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let old = UUID(uuidString: parts[0]) else {
                throw ValidationError("'\(pair)' is not OLD=NEW with the identifier of a step")
            }
            let named = journey.draft.steps.filter {
                $0.name == parts[1] || $0.id.description == parts[1].lowercased()
            }
            guard named.count == 1 else {
                throw ValidationError("'\(parts[1])' names no step of the draft")
            }
            targets[JourneyStepID(old)] = named[0].id
        }
        return .move(removed: targets)
    }
}
