import ArgumentParser
import Foundation
import Journeys
import Model
import Server
import StoreSQL

/// Explains where a user is in journeys, and why.
struct ExplainJourneyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Where a user is in journeys, since when and why, and what comes next.",
        discussion: """
            'journeys why ada' looks at all journeys, 'journeys why --journey 3 ada' at one. A user \
            is named by external id, e-mail address or braze_id.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Option(help: "One journey: its number, journey_id or name.") var journey: String?
    @Argument(help: "The user.") var user: String

    func run() async throws {
        let opened = try await options.openExisting()
        let store = opened.store
        let reference = try await CommandUser.reference(user, in: opened.id, store)
        guard let profile = try await store.profile(reference, in: opened.id) else {
            throw ValidationError("there is no user '\(user)'")
        }
        var one: Journey?
        if let journey { one = try await opened.journey(journey) }
        let entries = try await opened.journeys { [one] in
            try await $0.explanations(of: profile, in: one)
        }
        if entries.isEmpty { print("\(user) was never in \(one == nil ? "a" : "this") journey.") }
        for entry in entries {
            for line in JourneyText.lines(entry) { print(line) }
        }
    }
}
